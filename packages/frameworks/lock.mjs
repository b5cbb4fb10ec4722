// @ts-check
/** Writes the lock files of the apps again, after a change of their package.json: `node packages/frameworks/lock.mjs app…`. Needs the npm registry. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

for (const name of process.argv.slice(2)) {
  const folder = fileURLToPath(new URL(`apps/${name}/`, import.meta.url));
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  const lock = JSON.parse(readFileSync(`${folder}package-lock.json`, 'utf8'));
  // Advertisements are no part of what is installed.
  for (const each of Object.values(lock.packages)) delete each.funding;
  writeFileSync(`${folder}package-lock.json`, `${JSON.stringify(lock, null, 2)}\n`);
}
