// @ts-check
/**
 * django-oscar, run whole: `node packages/django-oscar/tests/run.mjs [file…]`. Installs what `requirements.txt` says and wheels of our packages into an environment in
 * `target/plugins/django-oscar`, checks types, runs the tests without a network, and then those of `tests/live` with a shop on SQLite, a sandbox gateway and Chromium.
 * PAYFRAME_GATEWAY_BIN and PAYFRAME_DIST name the gateway and what it serves.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { run } from '../../frameworks/programs.mjs';
import { FOLDER, ROOT } from '../../../tests/plugins/install.mjs';

const OWN = join(ROOT, 'packages/django-oscar');
const LIVE = join(OWN, 'tests/live');
const python = await install();
const quiet = { PYTHONDONTWRITEBYTECODE: '1' };
for (const words of [['-m', 'mypy', '--cache-dir', join(FOLDER, 'django-oscar-mypy')], ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests']]) {
  const { status } = spawnSync(python, words, { cwd: OWN, stdio: 'inherit', env: { ...process.env, ...quiet } });
  if (status !== 0) process.exit(status ?? 1);
}
const wanted = process.argv.slice(2);
const files = wanted.length > 0 ? wanted : readdirSync(LIVE).filter((name) => name.endsWith('.test.mjs')).map((name) => join(LIVE, name));
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', '--test-timeout=600000', ...files], { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...quiet, OSCAR_PYTHON: python } });
process.exitCode = status ?? 1;

/** @returns {Promise<string>} the interpreter that has everything */
async function install() {
  const folder = join(FOLDER, 'django-oscar');
  const wheels = join(FOLDER, 'django-oscar-wheels');
  const [tools, requirements] = ['tests/build-requirements.txt', 'tests/requirements.txt'].map((name) => join(OWN, name));
  const stamp = join(folder, 'lock-of-payframe');
  const interpreter = join(folder, 'bin/python');
  mkdirSync(FOLDER, { recursive: true });
  const place = { folder: OWN, log: join(FOLDER, 'django-oscar-install.log') };
  const pip = (/** @type {string[]} */ ...words) => run(interpreter, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...words], place);
  const lock = createHash('sha256').update(readFileSync(String(tools))).update(readFileSync(String(requirements))).digest('hex');
  // Packages of others are installed once for each lock file.
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    await run('python3', ['-m', 'venv', '--clear', folder], place);
    await pip('--require-hashes', '--only-binary', ':all:', '-r', String(tools));
    // One package comes as source alone. It is built with the tools that are installed, and no others.
    await pip('--require-hashes', '--only-binary', ':all:', '--no-binary', 'django-haystack', '--no-build-isolation', '-r', String(requirements));
    writeFileSync(stamp, lock);
  }
  rmSync(wheels, { recursive: true, force: true });
  for (const name of ['python', 'django-oscar']) {
    await run(interpreter, ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', wheels], { ...place, folder: join(ROOT, 'packages', name) });
  }
  await pip('--no-index', '--no-deps', '--force-reinstall', ...readdirSync(wheels).map((name) => join(wheels, name)));
  return interpreter;
}
