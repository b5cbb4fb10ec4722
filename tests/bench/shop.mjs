// @ts-check
// A merchant's page for the bench: a heading, an order, and one of the two forms, under a strict policy.

import { createServer } from 'node:http';

/**
 * Serves the page on a free port of 127.0.0.1: another site than the gateway's `localhost`.
 * @param {string} gateway its origin
 */
export async function startShop(gateway) {
  const policy = [
    "default-src 'none'",
    `script-src ${gateway}`,
    `frame-src ${gateway}`,
    "style-src 'none'",
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const bodies = { '/ours': () => ours(gateway, url.searchParams), '/fields': () => fields(url.searchParams), '/printed': () => printed(gateway, url.searchParams) };
    const body = Object.hasOwn(bodies, url.pathname) ? bodies[/** @type {keyof typeof bodies} */ (url.pathname)]() : bare(gateway);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
    response.end(page(body));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the shop has no port');
  return { origin: `http://127.0.0.1:${address.port}`, stop: () => server.close() };
}

/** @param {string} form */
const page = (form) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Checkout</title><meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,">${form}</body></html>`;

/** @param {string} gateway @param {URLSearchParams} query */
const ours = (gateway, query) => `
<script type="module" src="${gateway}/sdk/payframe.js" integrity="${query.get('integrity')}" crossorigin></script></head>
<body><h1>Checkout</h1><p>One thing: €35.45</p>
<payment-form gateway="${gateway}" session="${query.get('session')}" locale="en"></payment-form>`;

/** The form in the page's own HTML, as the gateway answered it to the shop's server. @param {string} gateway @param {URLSearchParams} query */
const printed = (gateway, query) => `
<script type="module" src="${gateway}/sdk/payframe.js" crossorigin></script></head>
<body><h1>Checkout</h1><p>One thing: €35.45</p>
${query.get('form')}`;

/** Frames of single fields, as pages of the Build protocol have them. @param {URLSearchParams} query */
const fields = (query) => `
</head><body><h1>Checkout</h1><p>One thing: €35.45</p>
${query.getAll('src').map((src) => `<p><iframe title="Field" height="48" src="${src.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe></p>`).join('')}`;

/** @param {string} gateway */
const bare = (gateway) => `
<script type="module" src="${gateway}/assets/bench-shim.js" crossorigin></script></head>
<body><h1>Checkout</h1><p>One thing: €35.45</p>
<bare-form gateway="${gateway}"></bare-form>`;
