/** Logging in to the back office at a company's log-in provider, which is another site: cookies, policies and pages of a real browser. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Office, WINDOWS, jutting, picture } from './office.mjs';
import { Provider } from './provider.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

suite('log-in provider', () => {
  const provider = new Provider();
  const folder = mkdtempSync(join(tmpdir(), 'payframe-provider-'));
  /** @type {Stage} */
  let stage;
  before(async () => {
    await provider.start();
    stage = await Stage.open('log-in-provider', { gateway: { PAYFRAME_LOGIN_PROVIDERS: provider.inFile(folder) } });
  });
  after(async () => {
    await stage.close();
    provider.stop();
    rmSync(folder, { recursive: true });
  });

  test('a member logs in there, to the page that they asked for, and confirms there that it is them', async (t) => {
    const office = await Office.atDoor(stage, t, 'administrator');
    const { page } = office;
    provider.email = office.email;
    await page.goto(`${stage.gatewayOrigin}/office/audit?act=BIND_ACCOUNT`);
    await page.getByRole('button', { name: 'Go on with Acme' }).click();
    await office.heading('Acme');
    await page.getByRole('link', { name: 'That is me' }).click();
    await office.heading('Audit log');
    assert.equal(new URL(page.url()).search, '?act=BIND_ACCOUNT');
    await page.getByRole('row').filter({ hasText: provider.issuer }).first().waitFor();
    const cookies = await page.context().cookies(`${stage.gatewayOrigin}/office/login/provider/acme`);
    assert.deepEqual(cookies.map(({ name, sameSite }) => [name, sameSite]), [['payframe-office', 'Strict']], 'that of the way is gone');
    await page.goto(`${stage.gatewayOrigin}/office/confirm?next=/office/keys`);
    await page.getByRole('button', { name: 'Log in again with Acme' }).click();
    await office.heading('Acme');
    await page.getByRole('link', { name: 'That is me' }).click();
    await office.heading('API keys');
  });

  test('whoever works for nobody here does not get in', async (t) => {
    const office = await Office.atDoor(stage, t, 'viewer', { noise: /status of 403/ });
    provider.email = `other-${office.email}`;
    await office.page.getByRole('button', { name: 'Go on with Acme' }).click();
    await office.page.getByRole('link', { name: 'That is me' }).click();
    await office.page.getByRole('alert').filter({ hasText: 'Nobody works here with the e-mail address that Acme has of you.' }).waitFor();
    await office.page.getByRole('link', { name: 'To the log-in' }).click();
    await office.heading('Log in');
  });

  for (const { name: dress, context } of WINDOWS) {
    test(`axe finds nothing, and nothing scrolls sideways: ${dress}`, async (t) => {
      const office = await Office.atDoor(stage, t, 'administrator', { context, noise: /status of 403/ });
      const { page } = office;
      /** @param {string} name */
      const clean = async (name) => {
        await picture(page, `${stage.folder}${name}-${dress}.png`);
        assert.deepEqual(await violations(page, stage.gatewayOrigin), [], name);
        assert.deepEqual(await jutting(page), [], name);
      };
      await clean('log-in');
      provider.email = 'nobody@shop.example';
      await page.getByRole('button', { name: 'Go on with Acme' }).click();
      await page.getByRole('link', { name: 'That is me' }).click();
      await page.getByRole('alert').waitFor();
      await clean('refused');
      provider.email = office.email;
      await page.getByRole('link', { name: 'To the log-in' }).click();
      await page.getByRole('button', { name: 'Go on with Acme' }).click();
      await page.getByRole('link', { name: 'That is me' }).click();
      await office.heading('Overview');
      await page.goto(`${stage.gatewayOrigin}/office/confirm`);
      await clean('confirm');
    });
  }
});
