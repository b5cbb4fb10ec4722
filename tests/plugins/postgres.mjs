// @ts-check
/** A PostgreSQL server for a shop system under test: the system's programs, a temporary folder, a free port. It keeps nothing when it is stopped. */

import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../../packages/frameworks/programs.mjs';
import { freePort } from '../e2e/ports.mjs';

const INSTALLED = '/usr/lib/postgresql';
const USER = 'shop';

/** @param {string} log */
export async function openPostgres(log) {
  const [version] = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort().reverse() : [];
  if (!version) throw new Error(`There is no PostgreSQL in ${INSTALLED}: install the package postgresql.`);
  const programs = join(INSTALLED, version, 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'payframe-shop-database-'));
  const words = owner();
  if (words.length > 0) chownSync(folder, ...idsOf(OWNER));
  const data = join(folder, 'data');
  const [initialise = '', ...values] = [...words, join(programs, 'initdb'), '--username', USER, '--auth', 'trust', '--no-sync', '--encoding', 'UTF8', '--locale', 'C', '-D', data];
  execFileSync(initialise, values, { cwd: folder, stdio: 'ignore' });
  const port = await freePort();
  const [serve = '', ...settings] = [...words, join(programs, 'postgres'), '-D', data, '-k', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-c', 'max_connections=200'];
  const server = await start(serve, settings, { folder, log }, /ready to accept connections/);
  return {
    url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server refuses to run as root: it runs as the owner that its package has made. */
const OWNER = 'postgres';
const owner = () => (process.getuid?.() === 0 ? ['setpriv', `--reuid=${OWNER}`, `--regid=${OWNER}`, '--clear-groups'] : []);

/** @param {string} name @returns {[number, number]} */
function idsOf(name) {
  const id = (/** @type {string} */ what) => Number(execFileSync('id', [what, name], { encoding: 'utf8' }));
  return [id('-u'), id('-g')];
}
