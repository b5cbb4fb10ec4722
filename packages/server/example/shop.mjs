// @ts-check
/**
 * A shop server: one page with the payment form, a receiver of notifications, and the page that the buyer comes back to.
 *
 *     PAYFRAME_GATEWAY=http://localhost:8080 PAYFRAME_API_KEY=… PAYFRAME_NOTIFICATION_SECRET=whsec_… node shop.mjs
 *
 * The order keeper says when an order is paid: see order-book.mjs.
 */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { money, Payframe, PayframeError, verifyNotification } from '@payframe/server';
import { OrderBook } from './order-book.mjs';

/** @import { Row } from './order-book.mjs' */

/** @typedef {{ payframe: Payframe, gateway: string, secrets: string[], origin: string, report?: (problem: unknown) => void }} ShopOptions */
/** @typedef {{ status: number, body?: string, type?: string }} Answer */

const PRICE = money(3545, 'EUR');
const PAY_WITHIN_MS = 30 * 60_000;

/** @param {ShopOptions} options @returns the server and its orders */
export function shop({ payframe, gateway, secrets, origin, report = console.error }) {
  const orders = new OrderBook(payframe, report);

  /** @returns {Promise<Answer>} */
  async function checkout() {
    const orderId = randomUUID().replaceAll('-', '').slice(0, 18);
    return payment(orders.place(orderId, PRICE, PAY_WITHIN_MS));
  }

  /** The first attempt of an order, and every other. @param {Row | undefined} row @returns {Promise<Answer>} */
  async function payment(row) {
    if (!row) return { status: 404 };
    const session = await orders.pay(row, () => payframe.sessions.create({
      merchantUrl: origin,
      order: { orderId: row.orderId, ...PRICE, description: 'Two shirts' },
      paymentSession: {
        amount: PRICE.amount,
        paymentService: 'CARDS',
        resultUrl: `${origin}/result?order=${row.orderId}`,
        cancelUrl: `${origin}/`,
        notificationUrl: `${origin}/notifications`,
      },
      form: { closing: 'FRAME', attempts: 3 },
    }));
    if (typeof session === 'string') return { status: 409, body: session };
    const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pay</title>
<script type="module" src="${gateway}/sdk/payframe.js"></script><script type="module" src="/checkout.js"></script>
<main data-order="${row.orderId}">${session.form?.html}</main></html>`;
    return { status: 200, body, type: 'text/html; charset=utf-8' };
  }

  /** A notification is only a reason to read the order. @param {import('node:http').IncomingMessage} request @returns {Promise<Answer>} */
  async function notified(request) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const event = await verifyNotification({ headers: request.headers, body: Buffer.concat(chunks), secrets });
    const row = orders.row(event.operation.orderId);
    // The gateway sends it again: the order may be on its way into the database.
    if (!row) return { status: 404 };
    await orders.happens(row, { type: 'NOTIFICATION' });
    return { status: 204 };
  }

  /** @param {Row | undefined} row @returns {Promise<Answer>} */
  async function result(row) {
    if (!row) return { status: 404 };
    await orders.happens(row, { type: 'RETURN_PAGE' });
    return { status: 200, body: row.order.status };
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const row = orders.row(searchParams.get('order') ?? '');
    const routes = /** @type {Record<string, () => Promise<Answer>>} */ ({
      'GET /': checkout,
      'GET /checkout.js': async () => ({ status: 200, body: SCRIPT, type: 'text/javascript' }),
      'GET /pay': () => payment(row),
      'GET /result': () => result(row),
      'POST /notifications': () => notified(request),
    });
    const route = routes[`${request.method} ${pathname}`];
    const { status, body = '', type = 'text/plain' } = route ? await route().catch((error) => (report(error), failed(error))) : { status: 404 };
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  return { server, orders };
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
  const { PAYFRAME_GATEWAY: gateway = '', PAYFRAME_API_KEY: apiKey = '', PAYFRAME_NOTIFICATION_SECRET = '', PORT = '3000' } = process.env;
  const origin = `http://localhost:${PORT}`;
  const payframe = new Payframe({ gateway, apiKey });
  shop({ payframe, gateway, secrets: [PAYFRAME_NOTIFICATION_SECRET], origin }).server.listen(Number(PORT), 'localhost', () => console.log(origin));
}
