/** Pages of an origin of their own, which no program of ours serves. */

import { createServer } from 'node:http';

/** Serves them until the test ends. Gives the origin. @param {import('node:test').TestContext} t @param {(path: string) => string} page the HTML of a path */
export async function servePages(t, page) {
  const server = createServer(({ url = '/' }, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(url)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  t.after(() => (server.close(), server.closeAllConnections()));
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
}
