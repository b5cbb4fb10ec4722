// @ts-check
/**
 * Medusa, run whole: `node packages/medusa/tests/run.mjs [--write] [file…]`. Installs what the lock file of `tests/live` says and the tarballs of our packages in `target/plugins/medusa`,
 * checks the types of the provider there, and runs the tests of `tests/live` with PostgreSQL, a sandbox gateway and Chromium. PAYFRAME_GATEWAY_BIN and
 * PAYFRAME_DIST name the gateway and what it serves.
 */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkTypes, install, ROOT } from '../../../tests/plugins/install.mjs';

const HERE = join(ROOT, 'packages/medusa/tests/live');
const folder = await install('medusa', ['server', 'medusa'], ['--legacy-peer-deps']);
await checkTypes('medusa', folder);
const wanted = process.argv.slice(2).filter((word) => word !== '--write');
const files = wanted.length > 0 ? wanted : readdirSync(HERE).filter((name) => name.endsWith('.test.mjs')).map((name) => join(HERE, name));
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', '--test-timeout=600000', ...files], { cwd: ROOT, stdio: 'inherit', env: { ...process.env, MEDUSA_FOLDER: folder } });
process.exitCode = status ?? 1;
