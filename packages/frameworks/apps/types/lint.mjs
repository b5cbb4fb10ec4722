// @ts-check
/** Has the tarballs judged by publint and by attw: what package.json promises is there, and the types are those of the code. */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const TARBALLS = '../tarballs';
/** Of attw: the packages are ESM only, and old resolutions that do not know `exports` are not served. */
const PROFILE = ['--profile', 'esm-only', '--no-color', '--no-emoji'];

let failed = false;
for (const file of readdirSync(TARBALLS)) {
  const checks = [['publint', `${TARBALLS}/${file}`, '--strict'], ['attw', `${TARBALLS}/${file}`, ...PROFILE]];
  for (const [program = '', ...words] of checks) {
    const { status, stdout, stderr } = spawnSync('npx', ['--no-install', program, ...words], { encoding: 'utf8' });
    if (status !== 0) console.error(`${program} ${file}\n${stdout}${stderr}`);
    else console.log(`${program} ${file}: clean`);
    failed ||= status !== 0;
  }
}
process.exitCode = failed ? 1 : 0;
