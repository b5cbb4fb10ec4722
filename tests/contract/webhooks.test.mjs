/**
 * Notifications are verified by the reference libraries of Standard Webhooks, in JavaScript and in Python, as a merchant's server
 * would do it. `cargo xtask test --only contract` starts the gateway, makes the secret and runs this file.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { APPROVED } from '../e2e/cards.mjs';
import { GatewayApi } from '../e2e/gateway-api.mjs';

const { PAYFRAME_API, PAYFRAME_API_KEY, PAYFRAME_NOTIFICATION_SECRET, PAYFRAME_PYTHON } = process.env;
const VERIFY = fileURLToPath(new URL('verify_webhook.py', import.meta.url));

/** @typedef {{ headers: Record<string, string>, body: string }} Received */

/** Pays an order with a shop that listens, and answers the notification as it came. @returns {Promise<Received>} */
async function notified() {
  const shop = createServer();
  shop.listen(0, 'localhost');
  await once(shop, 'listening');
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (shop.address());
    const arrival = once(shop, 'request');
    const origin = String(PAYFRAME_API).replace(/\/api$/, '');
    await new GatewayApi(origin, String(PAYFRAME_API_KEY)).tried({ shop: `http://localhost:${port}`, card: APPROVED });
    const [request, response] = await arrival;
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(204).end();
    return { headers: request.headers, body: Buffer.concat(chunks).toString() };
  } finally {
    shop.close();
  }
}

/** What the Python library says. @param {Received} received */
function verifiedInPython(received) {
  const input = JSON.stringify({ ...received, secret: PAYFRAME_NOTIFICATION_SECRET });
  const { status, stdout, stderr } = spawnSync(String(PAYFRAME_PYTHON), [VERIFY], { input, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

test('the reference libraries verify a notification, and refuse one that was changed', { timeout: 60_000 }, async () => {
  const webhook = new Webhook(String(PAYFRAME_NOTIFICATION_SECRET));
  const received = await notified();
  const event = /** @type {any} */ (webhook.verify(received.body, received.headers));
  assert.equal(event.operation.operationResult, 'EXECUTED');
  assert.equal(event.eventId, received.headers['webhook-id']);
  assert.equal(verifiedInPython(received), 'verified');

  const changed = { ...received, body: received.body.replace('EXECUTED', 'DECLINED') };
  assert.throws(() => webhook.verify(changed.body, changed.headers), /No matching signature/);
  assert.equal(verifiedInPython(changed), 'refused');
});
