// @ts-check
// Loads the widget: glue, WebAssembly module and texts. A browser that does not run WebAssembly gets the same program as a script.

import { textsOf } from './texts.js';

/** The shortest module that there is. */
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Whether modules can be compiled here. Some browsers have that switched off, and a policy may forbid it. */
function runsWasm() {
  try {
    return Boolean(new WebAssembly.Module(EMPTY));
  } catch {
    return false;
  }
}

/**
 * The module, compiled while it comes. What can not be compiled on its way, as where a proxy renames its type, the glue fetches anew and
 * compiles as a whole.
 * @returns {Promise<WebAssembly.Module | string | undefined>} nothing where modules do not run
 */
const loadModule = async () => {
  try {
    return await WebAssembly.compileStreaming(fetch('{{wasm}}'));
  } catch {
    return runsWasm() ? '{{wasm}}' : undefined;
  }
};

const loadScript = () =>
  import('{{script}}').catch((cause) => {
    throw new Error(NO_WASM, { cause });
  });

/** The message of the error where neither module nor script runs: the form's code for it. */
export const NO_WASM = 'wasm_blocked';

/**
 * The glue, the module that it starts, what the form says, and whether that is English because the page's language did not come. Each is
 * taken in as it comes: on a slow link scripts are the last to arrive, because they wait for connections, and the module is compiled by then.
 * @returns {Promise<[typeof import('{{glue}}'), WebAssembly.Module | string, Record<string, string>, boolean]>}
 */
export async function loadWasm() {
  let instead = false;
  const [glue, wasm, texts] = await Promise.all([
    import('{{glue}}'),
    loadModule(),
    textsOf(document).catch(() => ((instead = true), import('{{english}}').then((english) => english.default))),
  ]);
  return [wasm ? glue : await loadScript(), wasm ?? '', texts, instead];
}
