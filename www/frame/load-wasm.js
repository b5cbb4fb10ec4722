// @ts-check
// Loads the widget: glue, WebAssembly module and texts.

import { textsOf } from './texts.js';

/**
 * The glue, the module that it starts, what the form says, and whether that is English because the page's language did not come. Each is
 * taken in as it comes: on a slow link scripts are the last to arrive, because they wait for connections, and the module is compiled by then.
 * @returns {Promise<[typeof import('{{glue}}'), WebAssembly.Module | string, Record<string, string>, boolean]>}
 */
export async function loadWasm() {
  let instead = false;
  const [glue, wasm, texts] = await Promise.all([
    import('{{glue}}'),
    // What can not be compiled on its way, as where a proxy renames its type, the glue fetches anew and compiles as a whole.
    WebAssembly.compileStreaming(fetch('{{wasm}}')).catch(() => '{{wasm}}'),
    textsOf(document).catch(() => ((instead = true), import('{{english}}').then((english) => english.default))),
  ]);
  return [glue, wasm, texts, instead];
}
