/** The back office of a merchant whose members log in at their company's log-in provider alone. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Office, WINDOWS, jutting, picture } from './office.mjs';
import { Provider } from './provider.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

suite('a log-in provider as the only way in', () => {
  const provider = new Provider();
  const folder = mkdtempSync(join(tmpdir(), 'payframe-provider-only-'));
  /** @type {Stage} */
  let stage;
  before(async () => {
    await provider.start();
    stage = await Stage.open('provider-only', { gateway: { PAYFRAME_LOGIN_PROVIDERS: provider.inFile(folder, 'only_way_in = true\n') } });
  });
  after(async () => {
    await stage.close();
    provider.stop();
    rmSync(folder, { recursive: true });
  });

  for (const { name: dress, context } of WINDOWS) {
    test(`a member gets in there, adds another one, and is out once they log out there: ${dress}`, async (t) => {
      const email = `${randomUUID()}@shop.example`;
      const told = await stage.gateway.command('members', 'add', 'demo', email, 'administrator', 'Ada');
      assert.ok(told.includes('logs in at the log-in provider'), told);
      const checkout = await stage.checkout(t, {}, { context, noise: /status of 403/, path: `${stage.gatewayOrigin}/office` });
      const office = new Office(checkout, email, '');
      const { page } = office;
      /** @param {string} name */
      const clean = async (name) => {
        await picture(page, `${stage.folder}${name}-${dress}.png`);
        assert.deepEqual(await violations(page, stage.gatewayOrigin), [], name);
        assert.deepEqual(await jutting(page), [], name);
      };
      await office.logIn(email, 'a password of another place');
      await page.getByRole('alert').filter({ hasText: 'your company logs in at its provider only' }).waitFor();
      await clean('refused');
      provider.email = email;
      await page.getByRole('button', { name: 'Go on with Acme' }).click();
      await page.getByRole('link', { name: 'That is me' }).click();
      await office.heading('Overview');
      await page.goto(`${stage.gatewayOrigin}/office/confirm`);
      await office.heading('Confirm that it is you');
      assert.equal(await page.getByLabel('Present password').count(), 0);
      await clean('confirm');
      await office.go('Members');
      await page.getByRole('link', { name: 'Add a member' }).click();
      await office.heading('Add a member');
      await clean('add');
      await page.getByLabel('Name').fill('Otto');
      await page.getByLabel('E-mail address').fill(`${randomUUID()}@shop.example`);
      await page.getByRole('button', { name: 'Add the member' }).click();
      await office.heading('Otto');
      await page.getByRole('status').filter({ hasText: 'logs in at your log-in provider' }).waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Password' }).count(), 0);
      await clean('added');
      await provider.tellsOfLogOut(stage.gatewayOrigin);
      await page.reload();
      await office.heading('Log in');
    });
  }
});
