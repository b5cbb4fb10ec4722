// @ts-check
// Loads the parts of the widget's module that no form needs to become live, with the texts that they show. The build writes one call for
// each part into the glue.

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
  const load = async () => {
    const [part] = await Promise.all([retried(async (mark) => (await fetch(path + mark, { integrity })).arrayBuffer()), retried(() => payframeLoadTexts('$late'))]);
    return WebAssembly.instantiate(part, { __wasm_split: shared() });
  };
  return (/** @type {number} */ callback, /** @type {number} */ data) => {
    loading ??= load();
    const tell = (/** @type {boolean} */ done) => shared().__indirect_function_table.get(callback)(data, done);
    loading.then(() => tell(true), () => {
      loading = undefined;
      tell(false);
    });
  };
}

/** The waits before something is requested again, in milliseconds. */
const RETRIES_MS = [300, 2_000];

/**
 * Loads something, up to three times.
 * @template T
 * @param {(mark: string) => Promise<T>} load `mark`: makes the address another one, because browsers may cache a failed load
 */
async function retried(load) {
  let mark = '';
  for (const wait of RETRIES_MS) {
    try {
      return await load(mark);
    } catch {
      await new Promise((resume) => setTimeout(resume, wait));
      mark += '?';
    }
  }
  return load(mark);
}
