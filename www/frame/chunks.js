// @ts-check
// Loads the parts of the widget's module that no form needs to become live. The build writes one call for each part into the glue.

/**
 * Gives the function that the module calls when it needs a part. Its arguments are the index of a callback in the module's table, which is
 * called with the result, and the data of this callback. A loaded part is not loaded again; a part that failed is.
 * @param {string} path of the part
 * @param {string} integrity hash of its bytes
 * @param {() => { __indirect_function_table: WebAssembly.Table }} shared the objects that the part shares with the module
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

/** The waits before a part is requested again, in milliseconds. */
const RETRIES_MS = [300, 2_000];

/**
 * The bytes of a part; others do not match the hash.
 * @param {string} path
 * @param {string} integrity
 */
async function fetchChunk(path, integrity) {
  for (const wait of RETRIES_MS) {
    try {
      return await bytes(path, integrity);
    } catch {
      await new Promise((resume) => setTimeout(resume, wait));
      // Browsers may cache a failed load.
      path += '?';
    }
  }
  return bytes(path, integrity);
}

/** @param {string} path @param {string} integrity */
const bytes = async (path, integrity) => (await fetch(path, { integrity })).arrayBuffer();
