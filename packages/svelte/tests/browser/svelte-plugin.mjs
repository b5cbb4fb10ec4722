/** Compiles components of Svelte for esbuild, for the browser or for a server. Warnings of the compiler are errors. */

import { readFileSync } from 'node:fs';
import { compile } from 'svelte/compiler';

/** @param {'client' | 'server'} generate @returns {import('esbuild').Plugin} */
export const sveltePlugin = (generate) => ({
  name: 'svelte',
  setup(build) {
    build.onLoad({ filter: /\.svelte$/ }, ({ path }) => {
      const { js, warnings } = compile(readFileSync(path, 'utf8'), { generate, dev: true, filename: path });
      return { contents: js.code, errors: warnings.map(({ message }) => ({ text: message })) };
    });
  },
});
