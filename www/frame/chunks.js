// @ts-check
// Loads the parts of the widget's module that no form needs to go live. The build writes one call for each part into the glue.

/**
 * What the module calls when it needs the part, with a function of its table that hears whether the part is there, and that one's data.
 * A part that was loaded is not loaded again; one that did not come is.
 * @param {string} path of the part
 * @param {string} integrity hash that its bytes are held to
 * @param {() => { __indirect_function_table: WebAssembly.Table }} shared what it shares with the module
 */
export function chunkLoader(path, integrity, shared) {
  /** @type {Promise<unknown> | undefined} */
  let loading;
  const load = async () => WebAssembly.instantiate(await fetchChunk(path, integrity), { __wasm_split: shared() });
  return (/** @type {number} */ callback, /** @type {number} */ data) => {
    loading ??= load();
    const tell = (/** @type {boolean} */ done) => shared().__indirect_function_table.get(callback)(data, done);
    loading.then(() => tell(true), () => {
      loading = undefined;
      tell(false);
    });
  };
}

/** The waits before a part is asked for again, in milliseconds. */
const RETRIES_MS = [300, 2_000];

/**
 * The bytes of a part, and no others.
 * @param {string} path
 * @param {string} integrity
 */
async function fetchChunk(path, integrity) {
  for (const wait of RETRIES_MS) {
    try {
      return await bytes(path, integrity);
    } catch {
      await new Promise((resume) => setTimeout(resume, wait));
      // Browsers may remember of an address that it gave nothing.
      path += '?';
    }
  }
  return bytes(path, integrity);
}

/** @param {string} path @param {string} integrity */
const bytes = async (path, integrity) => (await fetch(path, { integrity })).arrayBuffer();
