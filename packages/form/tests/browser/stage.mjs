/**
 * A page of a shop in Chromium, with a bundle of the shop's own code that uses the packages. The gateway is the one of the shim's tests: it
 * serves the SDK as it is in `www/sdk`, and a form that is a small script.
 */

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export { openStage } from '../../../../tests/shim/stage.mjs';

/**
 * The shop's code as one module, as a bundler makes it.
 * @param {string} code @param {string} importer address of the test, where its imports are looked up @param {import('esbuild').BuildOptions} [options]
 */
export async function bundle(code, importer, options = {}) {
  const { outputFiles, warnings } = await build({
    stdin: { contents: code, resolveDir: fileURLToPath(new URL('.', importer)), loader: 'jsx' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'silent',
    ...options,
  });
  if (warnings.length > 0) throw new Error(JSON.stringify(warnings));
  // An HTML parser ends a script at this text, wherever it stands.
  return outputFiles?.[0]?.text.replaceAll('</script', '<\\/script') ?? '';
}
