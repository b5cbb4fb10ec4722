/** The back office at work: orders found, money moved, notifications sent again; by mouse, by keyboard, without script. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, NO_FUNDS } from './cards.mjs';
import { Office, WINDOWS, jutting, picture } from './office.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

suite('orders in the back office', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('office-orders');
  });
  after(() => stage.close());

  test('an order is found, a part of it refunded, and the audit log says by whom', async (t) => {
    const orderId = await stage.api.tried({ shop: stage.shopOrigin, card: APPROVED });
    const office = await Office.open(stage, t, 'administrator', { noise: /status of 400/ });
    const { page } = office;
    await office.go('Orders');
    await page.getByLabel('Order or operation id').fill(orderId);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: orderId, exact: true }).click();
    await office.heading(`Order ${orderId}`);
    await page.getByRole('link', { name: /^Refund/ }).click();
    await page.getByLabel('Amount in EUR').fill('10,50 €');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Write a number of EUR with at most 2 digits').waitFor();
    assert.equal(await page.getByLabel('Amount in EUR').inputValue(), '10,50 €');
    await page.getByLabel('Amount in EUR').fill('10,50');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Refund €10.50' }).click();
    await page.getByRole('status').filter({ hasText: 'The refund was requested.' }).waitFor();
    const line = page.getByRole('region', { name: 'What happened' });
    assert.deepEqual(await line.getByRole('heading', { level: 3 }).allTextContents(), ['Payment €35.45', 'Refund €10.50']);
    const operations = await stage.api.operations(orderId);
    assert.deepEqual(operations.map(({ operationType, operationAmount }) => [operationType, operationAmount]), [['AUTHORIZATION', '3545'], ['REFUND', '1050']]);
    await office.go('Audit log');
    const entry = page.getByRole('row').filter({ hasText: `Refund €10.50 of operation ${operations[0].operationId}: operation ${operations[1].operationId}` });
    await entry.filter({ hasText: 'Ada administrator' }).waitFor();
  });

  test('the keyboard alone refunds everything, without script, on a telephone', async (t) => {
    const orderId = await stage.api.tried({ shop: stage.shopOrigin, card: APPROVED });
    const office = await Office.open(stage, t, 'operator', { context: { javaScriptEnabled: false, viewport: { width: 360, height: 800 } } });
    const { page } = office;
    await page.goto(`${stage.gatewayOrigin}/office/orders/${orderId}`);
    await office.press(page.getByRole('link', { name: /^Refund/ }));
    await office.heading(`Refund: order ${orderId}`);
    await office.press(page.getByRole('button', { name: 'Go on' }));
    await office.press(page.getByRole('button', { name: 'Refund €35.45' }));
    await page.getByRole('status').filter({ hasText: 'The refund was requested.' }).waitFor();
    await page.getByRole('main').getByText('Voided').first().waitFor();
  });

  test('a viewer sees everything and can do nothing about it', async (t) => {
    const orderId = await stage.api.tried({ shop: stage.shopOrigin, card: APPROVED });
    const office = await Office.open(stage, t, 'viewer', { noise: /status of 403/ });
    const { page } = office;
    await page.goto(`${stage.gatewayOrigin}/office/orders/${orderId}`);
    await office.heading(`Order ${orderId}`);
    assert.equal(await page.getByRole('link', { name: /^Refund/ }).count(), 0);
    const [{ operationId }] = await stage.api.operations(orderId);
    await page.goto(`${stage.gatewayOrigin}/office/orders/${orderId}/${operationId}/refund`);
    await office.heading('Not allowed');
  });

  test('a notification that was not taken is sent again', async (t) => {
    const office = await Office.open(stage, t, 'operator');
    const { page } = office;
    // The shop knows nothing of this order.
    const orderId = await stage.api.tried({ shop: stage.shopOrigin, card: APPROVED });
    const again = page.getByRole('button', { name: 'Send again' });
    const answers = page.getByText('answered 405', { exact: true });
    /** Loads the page until it shows more answers than these, and offers to send again. @param {number} known */
    const answered = async (known) => {
      const until = Date.now() + 30_000;
      do {
        assert.ok(Date.now() < until, `more than ${known} attempts were answered`);
        await page.goto(`${stage.gatewayOrigin}/office/notifications?order=${orderId}`);
      } while ((await answers.count()) <= known || (await again.count()) === 0);
      return answers.count();
    };
    const before = await answered(0);
    await again.click();
    await page.getByRole('status').filter({ hasText: 'The notification is on its way.' }).waitFor();
    await answered(before);
  });

  for (const { name: dress, context } of WINDOWS) {
    test(`axe finds nothing, and nothing scrolls sideways: ${dress}`, async (t) => {
      const orderId = await stage.api.tried({ shop: stage.shopOrigin, card: APPROVED });
      await stage.api.tried({ shop: stage.shopOrigin, card: NO_FUNDS });
      const [{ operationId }] = await stage.api.operations(orderId);
      const { linkId, reservationId, disputeId } = await more(stage, dress);
      const office = await Office.open(stage, t, 'operator', { noise: /status of 400|does not conform/, context });
      const { page } = office;
      for (const [name, path] of [
        ['overview', ''],
        ['overview-nothing', '?days=7&currency=none'],
        ['orders', '/orders'],
        ['orders-wrong', '/orders?from=today&least=10'],
        ['orders-none', '/orders?q=none'],
        ['order', `/orders/${orderId}`],
        ['refund', `/orders/${orderId}/${operationId}/refund`],
        ['disputes', '/disputes'],
        ['disputes-none', '/disputes?state=WON&order=none'],
        ['disputes-wrong', '/disputes?state=OPEN'],
        ['dispute', `/disputes/${disputeId}`],
        ['accept', `/disputes/${disputeId}/accept`],
        ['links', '/links'],
        ['link', `/links/${linkId}`],
        ['revoke', `/links/${linkId}/revoke`],
        ['contracts', '/contracts'],
        ['contract', '/contracts/1'],
        ['reservations', '/reservations'],
        ['reservation', `/reservations/${reservationId}`],
        ['cancel', `/reservations/${reservationId}/cancel`],
        ['notifications', '/notifications'],
      ]) {
        await page.goto(`${stage.gatewayOrigin}/office${path}`);
        await picture(page, `${stage.folder}${name}-${dress}.png`);
        assert.deepEqual(await violations(page, stage.gatewayOrigin), [], name);
        assert.deepEqual(await jutting(page), [], name);
      }
      await page.goto(`${stage.gatewayOrigin}/office/orders/${orderId}/${operationId}/refund`);
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('button', { name: 'Refund €35.45' }).waitFor();
      assert.deepEqual(await violations(page, stage.gatewayOrigin), [], 'confirmation');
    });
  }
});

/**
 * A contract, a link, a reservation and a dispute, each with an id of this run.
 * @param {Stage} stage @param {string} run
 */
async function more(stage, run) {
  await stage.api.keep({ shop: stage.shopOrigin, customerId: 'cust-7', contractId: `C-${run}`, card: APPROVED });
  /** @param {string} path @param {object} body */
  const made = async (path, body) => {
    const answer = await stage.api.call(path, body);
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const link = await made('orders/paybylink', {
    order: { orderId: `L-${run}`, amount: '4500', currency: 'EUR' },
    paymentSession: { actionType: 'PAY', amount: '4500', language: 'eng', recurrence: { action: 'NO_RECURRING' }, exemptions: 'NO_PREFERENCE', resultUrl: `${stage.shopOrigin}/`, cancelUrl: `${stage.shopOrigin}/` },
  });
  const structureId = `S-${run}`;
  await made('structures', { structureId, structureName: 'Hotel Miramare' });
  const { reservationId } = await made('reservations', {
    reservation: {
      structureId,
      reservationId: `R-${run}`,
      reservationType: 'GUARANTEED_PENALTY',
      amount: '30000',
      deposit: '5000',
      currency: 'EUR',
      customerName: 'Anna',
      customerSurname: 'Rossi',
      checkInDate: later(10),
      checkOutDate: later(13),
    },
  });
  const orderId = await stage.api.tried({ shop: stage.shopOrigin, card: APPROVED });
  const [{ operationId }] = await stage.api.operations(orderId);
  const { disputeId } = await made('test/disputes', { operationId });
  await made(`disputes/${disputeId}/files`, { name: 'delivery note of a parcel.pdf', content: 'JVBERi0xLjcK' });
  return { linkId: link.paymentLink.linkId, reservationId, disputeId };
}

/** The day so many days from now. @param {number} days */
const later = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
