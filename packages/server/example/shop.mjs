// @ts-check
/**
 * A shop server: one page with the payment form, a receiver of notifications, and the page that the buyer comes back to.
 *
 *     PAYFRAME_GATEWAY=http://localhost:8080 PAYFRAME_API_KEY=… PAYFRAME_NOTIFICATION_SECRET=whsec_… node shop.mjs
 *
 * Orders are in memory, to keep it short. A real shop has them in its database, and follows docs/order-keeper.md.
 */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { money, Payframe, PayframeError, verifyNotification } from '@payframe/server';

/** @typedef {{ securityToken: string, status: 'waiting' | 'paid' }} ShopOrder */
/** @typedef {{ gateway: string, apiKey: string, secrets: string[], origin: string, report?: (error: unknown) => void }} ShopOptions */
/** @typedef {{ status: number, body?: string, type?: string }} Answer */

const PRICE = money(3545, 'EUR');

/** @param {ShopOptions} options */
export function shop({ gateway, apiKey, secrets, origin, report = console.error }) {
  const payframe = new Payframe({ gateway, apiKey });
  const orders = /** @type {Map<string, ShopOrder>} */ (new Map());

  /** @returns {Promise<Answer>} */
  async function checkout() {
    const orderId = randomUUID().replaceAll('-', '').slice(0, 18);
    const { form, securityToken } = await payframe.sessions.create({
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
    orders.set(orderId, { securityToken, status: 'waiting' });
    const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pay</title>
<script type="module" src="${gateway}/sdk/payframe.js"></script><script type="module" src="/checkout.js"></script>
<main data-order="${orderId}">${form?.html}</main></html>`;
    return { status: 200, body, type: 'text/html; charset=utf-8' };
  }

  /** The gateway says whether an order is paid. @param {string} orderId @param {ShopOrder} order */
  async function settle(orderId, order) {
    const { orderStatus } = await payframe.orders.read(orderId);
    const kept = BigInt(orderStatus.authorizedAmount) - BigInt(orderStatus.refundedAmount);
    order.status = kept >= BigInt(PRICE.amount) ? 'paid' : 'waiting';
  }

  /** @param {import('node:http').IncomingMessage} request @returns {Promise<Answer>} */
  async function notified(request) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const event = await verifyNotification({ headers: request.headers, body: Buffer.concat(chunks), secrets });
    const order = orders.get(event.operation.orderId);
    // The gateway sends it again: the order may be on its way into the database.
    if (!order || order.securityToken !== event.securityToken) return { status: 404 };
    await settle(event.operation.orderId, order);
    return { status: 204 };
  }

  /** @param {string | null} orderId @returns {Promise<Answer>} */
  async function result(orderId) {
    const order = orders.get(orderId ?? '');
    if (!orderId || !order) return { status: 404 };
    await settle(orderId, order);
    return { status: 200, body: order.status };
  }

  return createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const routes = /** @type {Record<string, () => Promise<Answer>>} */ ({
      'GET /': checkout,
      'GET /checkout.js': async () => ({ status: 200, body: SCRIPT, type: 'text/javascript' }),
      'GET /result': () => result(searchParams.get('order')),
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
  const { PAYFRAME_GATEWAY = '', PAYFRAME_API_KEY = '', PAYFRAME_NOTIFICATION_SECRET = '', PORT = '3000' } = process.env;
  const origin = `http://localhost:${PORT}`;
  const options = { gateway: PAYFRAME_GATEWAY, apiKey: PAYFRAME_API_KEY, secrets: [PAYFRAME_NOTIFICATION_SECRET], origin };
  shop(options).listen(Number(PORT), 'localhost', () => console.log(origin));
}
