// @ts-check
/** The server of the apps that are files in a folder: the files of `dist`, and two calls. Vite's server makes the same calls while one develops. Copied into those apps. */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSession, orderStatus } from './shop.mjs';

const TYPES = /** @type {Record<string, string>} */ ({ '.css': 'text/css', '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' });

/** Answers `/session` and `/order`. @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response @returns {Promise<boolean>} whether it did */
export async function answerCall(request, response) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
  const calls = /** @type {Record<string, () => Promise<object>>} */ ({
    'POST /session': openSession,
    'GET /order': () => orderStatus(searchParams.get('id') ?? ''),
  });
  const call = calls[`${request.method} ${pathname}`];
  if (!call) return false;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await call()));
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder = 'dist'] = process.argv;
  const server = createServer(async (request, response) => {
    if (await answerCall(request, response)) return;
    const path = normalize(new URL(request.url ?? '/', 'http://shop').pathname);
    // Every address without an ending is a page of the app.
    const file = extname(path) ? path : '/index.html';
    const content = await readFile(join(folder, file)).catch(() => undefined);
    response.writeHead(content ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content);
  });
  server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log(`listening on ${process.env.PORT}`));
}
