// @ts-check
// The widget's program, on its way.

/**
 * The glue, and the module that it starts. Each is taken in as it comes: on a slow link the glue is the last to arrive, because it
 * waits for a connection, and the module is compiled by then.
 */
export const program = async () =>
  Promise.all([
    import('{{glue}}'),
    // What can not be compiled on its way, as where a proxy renames its type, the glue fetches anew and compiles as a whole.
    WebAssembly.compileStreaming(fetch('{{wasm}}')).catch(() => '{{wasm}}'),
  ]);
