/**
 * One of our programs, run for tests: started, killed, and started again with the same
 * settings. Nothing is polled: readiness and everything else that a test waits for is a line of output.
 */

import { execFile, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const READY = /^listening on /;
const LIMIT_MS = 15_000;

export class Server {
  #name;
  #binary;
  #env;
  #log;
  #words;
  #ready;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** @type {Promise<void>} */
  #ended = Promise.resolve();
  /** @type {Set<(line: string) => void>} */
  #listeners = new Set();
  /** Everything that it ever wrote, to stdout and stderr. @type {string[]} */
  lines = [];

  /**
   * @param {string} name for messages
   * @param {string} binary
   * @param {Record<string, string>} env its settings
   * @param {string} log file that gets all output, for people
   * @param {string[]} [words] after the program's name
   * @param {RegExp} [ready] the line that says that it is ready
   */
  constructor(name, binary, env, log, words = [], ready = READY) {
    this.#name = name;
    this.#binary = binary;
    this.#env = env;
    this.#log = log;
    this.#words = words;
    this.#ready = ready;
  }

  /** Starts and waits for the ready line. `settings` replace those of before. @param {Record<string, string>} [settings] */
  async start(settings = {}) {
    Object.assign(this.#env, settings);
    const ready = this.#next(this.#ready);
    const child = spawn(this.#binary, this.#words, { env: this.#environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => this.#hear(line));
    }
    this.#ended = new Promise((resolve, reject) => {
      child.once('close', () => resolve());
      child.once('error', reject);
    });
    const died = this.#ended.then(() => Promise.reject(new Error(`${this.#name} ended before it was ready; see ${this.#log}`)));
    await Promise.race([ready, died]);
    died.catch(() => {});
  }

  /** Carries out a command of the program's, with the same settings; what it wrote. @param {string[]} words */
  async command(...words) {
    const { stdout } = await promisify(execFile)(this.#binary, words, { env: this.#environment() });
    return stdout;
  }

  /** SIGKILL: it has no chance to finish or to store anything. */
  async kill() {
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  /** SIGTERM, and waits until it is gone. */
  async stop() {
    this.#child?.kill('SIGTERM');
    await this.#ended;
  }

  /** Waits for a line that matches; an earlier line counts too. @param {RegExp} pattern */
  async said(pattern) {
    if (!this.lines.some((line) => pattern.test(line))) await this.#next(pattern);
  }

  #environment() {
    return { PATH: process.env.PATH, NO_COLOR: '1', ...this.#env };
  }

  /** The rest of the first line that begins so. @param {string} head */
  told(head) {
    const line = this.lines.find((line) => line.startsWith(head));
    if (line === undefined) throw new Error(`${this.#name} has not said ${head}; see ${this.#log}`);
    return line.slice(head.length);
  }

  /** @param {RegExp} pattern */
  #next(pattern) {
    return new Promise((resolve, reject) => {
      const done = () => (clearTimeout(limit), this.#listeners.delete(listener));
      const listener = (/** @type {string} */ line) => pattern.test(line) && (done(), resolve(undefined));
      const limit = setTimeout(() => (done(), reject(new Error(`${this.#name} did not say ${pattern}; see ${this.#log}`))), LIMIT_MS);
      this.#listeners.add(listener);
    });
  }

  /** @param {string} line */
  #hear(line) {
    this.lines.push(line);
    appendFileSync(this.#log, `${line}\n`);
    for (const listener of [...this.#listeners]) listener(line);
  }
}
