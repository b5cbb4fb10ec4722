// @ts-check
// Loads the widget: glue, WebAssembly module and texts. A browser without WebAssembly loads the same program as a script (docs/adr/0013).

import { readTexts, textsOf } from './texts.js';

/** The shortest valid module. */
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Whether a module can be compiled. Some browsers have WebAssembly switched off, and a policy may forbid it. */
function runsWasm() {
  try {
    return Boolean(new WebAssembly.Module(EMPTY));
  } catch {
    return false;
  }
}

/**
 * The module, compiled while it loads. If that fails, for example because a proxy changes its content type, the glue fetches the address again and
 * compiles the module as a whole.
 * @returns {Promise<WebAssembly.Module | string | undefined>} the module, or its address; `undefined` if no module can be compiled
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

/** The error's message if the script does not load either: the form's code for it. */
export const NO_WASM = /** @satisfies {import('../sdk/messages.js').PayframeErrorCode} */ ('wasm_blocked');

/**
 * The glue, the module that it starts, the texts, and whether they are English because those of the page's language did not load. All
 * load at the same time: on a slow link scripts arrive last, because they wait for connections, and the module is compiled by then.
 * @returns {Promise<[typeof import('{{glue}}'), WebAssembly.Module | string, Record<string, string>, boolean]>}
 */
export async function loadWasm() {
  let instead = false;
  const [glue, wasm, texts] = await Promise.all([
    import('{{glue}}'),
    loadModule(),
    textsOf(document).catch(() => ((instead = true), readTexts('{{english}}'))),
  ]);
  return [wasm ? glue : await loadScript(), wasm ?? '', texts, instead];
}
