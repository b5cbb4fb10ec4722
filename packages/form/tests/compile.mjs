// @ts-check
/** Runs the TypeScript compiler for tests. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/**
 * With a folder that is there for that long, inside the package, so that imports of the package are found from it.
 * @param {string} folder of the package @param {(target: string) => string[]} values @param {(target: string) => void} [look] @param {string[][]} [files] names and texts
 */
export function compile(folder, values, look = () => {}, files = []) {
  const target = mkdtempSync(join(folder, '.compiled-'));
  try {
    for (const [name = '', text = ''] of files) writeFileSync(join(target, name), text);
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...values(target)], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
    look(target);
  } finally {
    rmSync(target, { recursive: true });
  }
}
