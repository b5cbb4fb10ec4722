// @ts-check
/** A shop system in a fresh folder below `target/plugins`: what its lock file says, and the tarballs of our packages. */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../packages/frameworks/programs.mjs';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const FOLDER = join(ROOT, 'target/plugins');
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Checks a plug-in with the types of its shop system, and that its declarations are current (`--write` makes them anew).
 *
 * @param {string} name @param {string} folder that `install` made
 */
export async function checkTypes(name, folder) {
  const own = join(ROOT, 'packages', name);
  const checked = join(folder, 'checked');
  const made = join(checked, 'types');
  const log = join(FOLDER, `${name}-types.log`);
  cpSync(join(own, 'src'), join(checked, 'src'), { recursive: true });
  const compilerOptions = {
    types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')], exactOptionalPropertyTypes: false, skipLibCheck: true, noEmit: false, declaration: true, emitDeclarationOnly: true,
    rootDir: 'src', outDir: 'types',
  };
  writeFileSync(join(checked, 'tsconfig.json'), JSON.stringify({ extends: join(ROOT, 'packages/server/tsconfig.json'), compilerOptions, include: ['src'] }));
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', checked], { folder, log });
  if (process.argv.includes('--write')) cpSync(made, join(own, 'types'), { recursive: true });
  for (const file of readdirSync(made)) {
    if (readFileSync(join(made, file), 'utf8') !== readFileSync(join(own, 'types', file), 'utf8')) throw new Error(`${name}/types/${file} is not current: run this with --write`);
  }
  await run('npx', ['publint', '--strict', own], { folder, log });
}

/** @param {string} name of the package of the plug-in @param {string[]} packages of ours that the shop needs @param {string[]} [flags] for npm @returns {Promise<string>} the folder */
export async function install(name, packages, flags = []) {
  const from = join(ROOT, 'packages', name, 'tests/live');
  const folder = join(FOLDER, name);
  const tarballs = join(FOLDER, `${name}-tarballs`);
  const log = join(FOLDER, `${name}-install.log`);
  const stamp = join(folder, 'node_modules/.lock-of-payframe');
  mkdirSync(folder, { recursive: true });
  for (const each of readdirSync(folder)) if (each !== 'node_modules') rmSync(join(folder, each), { recursive: true, force: true });
  cpSync(from, folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  const lock = createHash('sha256').update(readFileSync(join(from, 'package-lock.json'))).digest('hex');
  // Some hundred packages of others are installed once for each lock file.
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    await run('npm', ['ci', ...QUIET, ...flags], { folder, log });
    writeFileSync(stamp, lock);
  }
  rmSync(tarballs, { recursive: true, force: true });
  mkdirSync(tarballs, { recursive: true });
  for (const each of packages) {
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', tarballs], { folder: join(ROOT, 'packages', each), log });
    const target = join(folder, 'node_modules/@payframe', each);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    const tarball = readdirSync(tarballs).find((file) => file.startsWith(`payframe-${each}-`));
    await run('tar', ['-xzf', join(tarballs, String(tarball)), '--strip-components=1', '-C', target], { folder, log });
  }
  return folder;
}
