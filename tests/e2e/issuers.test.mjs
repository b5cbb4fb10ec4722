/** Payments by directory server and issuer: programs of their own, whose pages have another origin. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APPROVED, CHALLENGED, IN_APP, OTHER_NETWORK } from './cards.mjs';
import { IssuerPage } from './checkout.mjs';
import { GATEWAY } from './servers.mjs';
import { Server } from './server.mjs';
import { Stage } from './stage.mjs';

/** The issuer's own page, in the frame of the gateway's page. @param {import('./checkout.mjs').Payment} payment */
const issuerOf = (payment) => new IssuerPage(payment.frame.getByTitle('Page of your bank').contentFrame().getByTitle('Confirm your payment'));

suite('issuers', () => {
  /** @type {Stage} */
  let stage;
  /** @type {string} */
  let folder;
  /** @type {Server[]} */
  const servers = [];

  /** @param {string} name @param {RegExp} ready @param {string[]} words */
  const start = async (name, ready, ...words) => {
    const server = new Server(name, GATEWAY, {}, join(folder, `${name}.log`), ['sandbox', name, '--folder', join(folder, '3ds'), ...words], ready);
    servers.push(server);
    await server.start();
    return server;
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'payframe-issuers-'));
    const acs = await start('acs', /^pages: /);
    const directoryServer = await start('directory-server', /^settings: /, '--acs', acs.told('acs: '), '--acs-pages', acs.told('pages: '));
    stage = await Stage.open('issuers', { gateway: { PAYFRAME_3DS: directoryServer.told('settings: ') } });
  });
  after(async () => {
    await stage.close();
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  for (const card of [APPROVED, OTHER_NETWORK]) {
    test(`card that its issuer authenticates by the browser's data → paid without a challenge: ${card.shown}`, async (t) => {
      const payment = (await stage.checkout(t)).payment();
      await payment.payWith(card);
      await payment.ends('Payment complete');
      const [operation] = await stage.api.operations(await payment.orderId());
      assert.equal(operation?.additionalData.threeDS, 'FULL_SECURE');
    });
  }

  test('challenge at the issuer\'s own origin → the form goes on by itself, and the browser has nothing to complain', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(CHALLENGED);
    await issuerOf(payment).answer('123456');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('issuer asks in its app → its words are on the page that waits, and the form goes on by itself', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(IN_APP);
    await payment.frame.getByTitle('Page of your bank').contentFrame().getByText('Sandbox bank: our app confirms this payment by itself').waitFor();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    const [operation] = await stage.api.operations(await payment.orderId());
    assert.equal(operation?.additionalData.threeDS, 'FULL_SECURE');
  });

  test('buyer cancels at the issuer → nothing is charged, and the card can be changed', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(CHALLENGED);
    await issuerOf(payment).cancel.click();
    await payment.frame.getByLabel('Card number').waitFor();
    await payment.recorded('AUTHORIZATION THREEDS_FAILED');
  });
});
