/** Ports for the programs of tests, of which several files run at the same time. */

import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file for each port that a process has chosen, with the process's id: between the choice and the listening, others find the port free. */
const CLAIMS = join(tmpdir(), 'payframe-test-ports');
/** Those of this process. @type {string[]} */
const claimed = [];
process.once('exit', () => {
  for (const file of claimed) rmSync(file, { force: true });
});

/**
 * A free port of this machine, below those that systems give to outgoing connections: one of these could be taken before the program
 * listens at it.
 * @returns {Promise<number>}
 */
export async function freePort() {
  const port = randomInt(12_000, 32_000);
  return claim(port) && (await isFree(port)) ? port : freePort();
}

/** @param {number} port @returns {boolean} whether no other process that runs has it */
function claim(port) {
  const file = join(CLAIMS, String(port));
  mkdirSync(CLAIMS, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (problem) {
    if (/** @type {NodeJS.ErrnoException} */ (problem).code !== 'EEXIST' || isRunning(ownerOf(file))) return false;
    writeFileSync(file, String(process.pid));
  }
  claimed.push(file);
  return true;
}

/** @param {string} file @returns {number} */
function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return process.pid; // It was removed just now: the next choice is another port.
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (problem) {
    return /** @type {NodeJS.ErrnoException} */ (problem).code === 'EPERM';
  }
}

/** @param {number} port @returns {Promise<boolean>} */
const isFree = (port) =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (/** @type {NodeJS.ErrnoException} */ error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
