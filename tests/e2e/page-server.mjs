/** Pages of an origin of their own, which no program of ours serves. */

import { createServer } from 'node:http';

/** The empty icon keeps a browser from asking for one, which it may do after the server has ended. */
const HEAD = '<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,">';

/**
 * Serves pages until the test ends. Gives their origin.
 * @param {import('node:test').TestContext} t @param {(path: string) => string} rest what follows the head of the page at a path
 * @param {Record<string, string>} [headers]
 */
export async function servePages(t, rest, headers) {
  const server = createServer(({ url = '/' }, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(HEAD + rest(url)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  t.after(() => (server.close(), server.closeAllConnections()));
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
}
