// @ts-check
/** Programs that the matrix runs: to their end, or until they are stopped. Their output is kept in a log, and shown where one fails. */

import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

const READY_MS = 120_000;

/** @typedef {{ folder: string, env?: NodeJS.ProcessEnv, log: string }} Place */

/** @param {string} program @param {string[]} words @param {Place} place */
function begin(program, words, { folder, env = {}, log }) {
  // A group of its own: tools start processes of their own, which end with it.
  const child = spawn(program, words, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const file = createWriteStream(log, { flags: 'a' });
  file.write(`\n$ ${program} ${words.join(' ')}\n`);
  const lines = /** @type {string[]} */ ([]);
  const listeners = /** @type {Set<(line: string) => void>} */ (new Set());
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      file.write(`${line}\n`);
      for (const listener of listeners) listener(line);
    });
  }
  const ended = new Promise((/** @type {(code: number | null) => void} */ resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (file.end(), resolve(code)));
  });
  return { child, ended, lines, listeners };
}

/** Runs a program to its end. @param {string} program @param {string[]} words @param {Place} place */
export async function run(program, words, place) {
  const { ended, lines } = begin(program, words, place);
  const code = await ended;
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} failed (${code}) in ${place.folder}:\n${lines.slice(-60).join('\n')}`);
  return lines;
}

/** Starts a program and waits until it says that it is ready. @param {string} program @param {string[]} words @param {Place} place @param {RegExp} ready */
export async function start(program, words, place, ready) {
  const { child, ended, lines, listeners } = begin(program, words, place);
  const kill = (/** @type {NodeJS.Signals} */ signal) => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // It has ended.
    }
  };
  /** @type {Promise<void>} */
  const said = new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ how) => reject(new Error(`${program} ${words.join(' ')} ${how}:\n${lines.slice(-60).join('\n')}`));
    const limit = setTimeout(() => fail(`did not say ${ready} in time`), READY_MS);
    listeners.add((line) => ready.test(line) && (clearTimeout(limit), resolve()));
    ended.then((code) => (clearTimeout(limit), fail(`ended with ${code}`)), reject);
  });
  const stop = async () => {
    kill('SIGTERM');
    const limit = setTimeout(kill, 10_000, 'SIGKILL');
    await ended;
    clearTimeout(limit);
  };
  try {
    await said;
  } catch (problem) {
    kill('SIGKILL');
    throw problem;
  }
  /** Waits for a line; one that was said before counts too, from line `from` on. @param {RegExp} pattern @param {number} [from] @param {AbortSignal} [signal] nobody waits any more @returns {Promise<void>} */
  const hears = (pattern, from = 0, signal) => new Promise((resolve, reject) => {
    if (lines.slice(from).some((line) => pattern.test(line))) return resolve();
    const done = () => (clearTimeout(limit), listeners.delete(listener));
    const listener = (/** @type {string} */ line) => void (pattern.test(line) && (done(), resolve()));
    const limit = setTimeout(() => (done(), reject(new Error(`${program} ${words.join(' ')} did not say ${pattern}:\n${lines.slice(-60).join('\n')}`))), READY_MS);
    listeners.add(listener);
    signal?.addEventListener('abort', () => (done(), reject(signal.reason)), { once: true });
  });
  return { stop, kill: () => (kill('SIGKILL'), ended), lines, hears };
}
