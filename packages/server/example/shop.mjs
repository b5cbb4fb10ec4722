// @ts-check
/**
 * A shop server: one page with the payment form, a receiver of notifications, and the page that the buyer comes back to.
 *
 *     PAYFRAME_GATEWAY=http://localhost:8080 PAYFRAME_API_KEY=… PAYFRAME_NOTIFICATION_SECRET=whsec_… node shop.mjs
 *
 * The order keeper says when an order is paid: see orders.mjs. Orders are in the file ORDERS, and the shop may be killed at any moment.
 */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { money, Payframe, PayframeError, verifyNotification } from '@payframe/server';
import { OrderFile } from './order-file.mjs';
import { Orders } from './orders.mjs';

/** @import { ShopOrders } from './orders.mjs' */

/** @typedef {{ payframe: Payframe, gateway: string, secrets: string[], origin: string, orders: ShopOrders, report?: (problem: unknown) => void }} ShopOptions */
/** @typedef {{ status: number, body?: string, type?: string }} Answer */

const PRICE = money(3545, 'EUR');
const PAY_WITHIN_MS = 30 * 60_000;

/** @param {ShopOptions} options @returns {import('node:http').Server} */
export function shop({ payframe, gateway, secrets, origin, orders, report = console.error }) {
  /** @returns {Promise<Answer>} */
  async function checkout() {
    const orderId = randomUUID().replaceAll('-', '').slice(0, 18);
    await orders.place(orderId, { due: Number(PRICE.amount), currency: PRICE.currency, payWithinMs: PAY_WITHIN_MS });
    return payment(orderId);
  }

  /** The form of an order: the one that is open, or that of a new attempt. @param {string} orderId @returns {Promise<Answer>} */
  async function payment(orderId) {
    const formed = await orders.form(orderId, (idempotencyKey) => payframe.sessions.create(sessionRequest(orderId), { idempotencyKey }));
    if (!formed) return { status: 404 };
    if (formed.refused) return { status: 409, body: formed.refused };
    const form = formed.html ?? `<payment-form gateway="${gateway}" session="${formed.sessionId}"></payment-form>`;
    const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pay</title>
<script type="module" src="${gateway}/sdk/payframe.js"></script><script type="module" src="/checkout.js"></script>
<main data-order="${orderId}">${form}</main>
<form method="post" action="/cancel?order=${orderId}"><button>Do not buy</button></form></html>`;
    return { status: 200, body, type: 'text/html; charset=utf-8' };
  }

  /** @param {string} orderId @returns {import('@payframe/server').SessionRequest} */
  const sessionRequest = (orderId) => ({
    merchantUrl: origin,
    order: { orderId, ...PRICE, description: 'Two shirts' },
    paymentSession: {
      amount: PRICE.amount,
      paymentService: 'CARDS',
      resultUrl: `${origin}/result?order=${orderId}`,
      cancelUrl: `${origin}/`,
      notificationUrl: `${origin}/notifications`,
    },
    form: { closing: 'FRAME', attempts: 3 },
  });

  /** @param {import('node:http').IncomingMessage} request @returns {Promise<Answer>} */
  async function notified(request) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { operation } = await verifyNotification({ headers: request.headers, body: Buffer.concat(chunks), secrets });
    // Not about money: this shop asks for no such events.
    if (!operation) return { status: 204 };
    // After 404 the gateway sends it again: the order may be on its way into the database.
    return { status: (await orders.notified(operation.orderId, operation.operationResult)) ? 204 : 404 };
  }

  /** @param {string | undefined} status of an order @returns {Answer} */
  const shown = (status) => (status ? { status: 200, body: status } : { status: 404 });

  return createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const orderId = searchParams.get('order') ?? '';
    const routes = /** @type {Record<string, () => Promise<Answer>>} */ ({
      'GET /': checkout,
      'GET /checkout.js': async () => ({ status: 200, body: SCRIPT, type: 'text/javascript' }),
      'GET /pay': () => payment(orderId),
      'GET /result': async () => shown(await orders.returned(orderId)),
      'POST /cancel': async () => shown(await orders.cancelled(orderId)),
      'POST /notifications': () => notified(request),
    });
    const route = routes[`${request.method} ${pathname}`];
    const { status, body = '', type = 'text/plain' } = route ? await route().catch((error) => (report(error), failed(error))) : { status: 404 };
    response.writeHead(status, { 'content-type': type }).end(body);
  });
}

const SCRIPT = `const main = document.querySelector('main');
main.firstElementChild.addEventListener('result', ({ detail }) => {
  if (detail.final) location.assign('/result?order=' + main.dataset.order);
});`;

/** @param {unknown} error @returns {Answer} */
function failed(error) {
  return { status: error instanceof PayframeError && error.kind === 'notification' ? 400 : 502 };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { PAYFRAME_GATEWAY: gateway = '', PAYFRAME_API_KEY: apiKey = '', PAYFRAME_NOTIFICATION_SECRET = '', PORT = '3000', ORDERS = 'orders.jsonl' } = process.env;
  const origin = `http://localhost:${PORT}`;
  const payframe = new Payframe({ gateway, apiKey });
  const orders = new Orders({ payframe, file: new OrderFile(ORDERS), report: console.error });
  shop({ payframe, gateway, secrets: [PAYFRAME_NOTIFICATION_SECRET], origin, orders }).listen(Number(PORT), 'localhost', () => {
    console.log(origin);
    orders.work();
  });
}
