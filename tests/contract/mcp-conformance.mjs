/**
 * `payframe-gateway mcp` against the public conformance package of its protocol: `cargo xtask conformance`, or
 * `node tests/contract/mcp-conformance.mjs` with PAYFRAME_GATEWAY_BIN and PAYFRAME_DIST. npm fetches the package.
 *
 * The package calls servers over HTTP, and ours speaks over standard input and output. So this file passes each message on, to one process for
 * each session, and changes none. Only the scenarios that every server can pass are run: the others call tools, resources and prompts of a
 * server that was made for the package, or are about HTTP.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

const PACKAGE = '@modelcontextprotocol/conformance@0.1.16';
/** The package needs a newer Node than the rest of the repository. */
const NODE = 'node@22';
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list'];
const PROGRAM = process.env.PAYFRAME_GATEWAY_BIN ?? 'target/debug/payframe-gateway';

/** @typedef {{ id?: string | number, method?: string }} Message */

/** The server of one session. */
class Session {
  #waiting = /** @type {Map<string | number, (answer: string) => void>} */ (new Map());

  /** @param {string} gateway */
  constructor(gateway) {
    this.process = spawn(PROGRAM, ['mcp', '--gateway', gateway], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const { id } = /** @type {Message} */ (JSON.parse(line));
      if (id === undefined) return;
      this.#waiting.get(id)?.(line);
      this.#waiting.delete(id);
    });
  }

  /** Passes a message on; answers the answer, if the message is a request. @param {string} text @returns {Promise<string | undefined>} */
  async pass(text) {
    const { id, method } = /** @type {Message} */ (JSON.parse(text));
    this.process.stdin.write(`${JSON.stringify(JSON.parse(text))}\n`);
    if (id === undefined || method === undefined) return undefined;
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }
}

/** Answers HTTP for the servers. @param {string} gateway */
async function bridge(gateway) {
  const sessions = /** @type {Map<string, Session>} */ (new Map());
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    let text = '';
    for await (const chunk of request) text += chunk;
    let name = String(request.headers['mcp-session-id'] ?? '');
    if (/** @type {Message} */ (JSON.parse(text)).method === 'initialize') {
      name = randomUUID();
      sessions.set(name, new Session(gateway));
    }
    const answer = await sessions.get(name)?.pass(text);
    if (answer === undefined) return response.writeHead(sessions.has(name) ? 202 : 404).end();
    return response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': name }).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.close();
    server.closeAllConnections();
    for (const session of sessions.values()) session.process.kill();
  };
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}

/** Starts a sandbox. @param {string} data */
async function sandbox(data) {
  const env = { ...process.env, PAYFRAME_MODE: 'sandbox', PAYFRAME_LISTEN: '127.0.0.1:0', PAYFRAME_DATA: data, PAYFRAME_ASSETS: process.env.PAYFRAME_DIST ?? 'target/dist', PAYFRAME_LOG: 'off' };
  const started = spawn(PROGRAM, [], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: started.stdout })) {
    const [, address] = /^listening on (\S+)/.exec(line) ?? [];
    if (address) return { address, close: () => started.kill() };
  }
  throw new Error('the gateway ended before it was ready');
}

const folder = mkdtempSync(join(tmpdir(), 'payframe-conformance-'));
const gateway = await sandbox(join(folder, 'data'));
const { url, close } = await bridge(gateway.address);
const failed = [];
try {
  for (const scenario of SCENARIOS) {
    const run = spawn('npx', ['--yes', '--package', NODE, '--package', PACKAGE, '--', 'conformance', 'server', '--url', url, '--scenario', scenario], { cwd: folder, stdio: 'inherit' });
    const [status] = await once(run, 'exit');
    if (status !== 0) failed.push(scenario);
  }
} finally {
  close();
  gateway.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed.length > 0 ? `failed: ${failed.join(', ')}` : `${SCENARIOS.length} scenarios of ${PACKAGE} passed`);
process.exitCode = failed.length > 0 ? 1 : 0;
