/** Passkeys in the back office: added, used alone, after the password and to confirm, in a real browser with a virtual device. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { plugIn } from './device.mjs';
import { Office, WINDOWS, jutting, picture } from './office.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

/** @param {Office} office @param {string} name */
const addPasskey = async (office, name) => {
  await office.go('Your second factor');
  await office.page.getByRole('link', { name: 'Add a passkey' }).click();
  await office.heading('Add a passkey');
  await office.page.getByLabel('Name of the passkey').fill(name);
  await office.page.getByRole('button', { name: 'Add the passkey' }).click();
  await office.heading('Your recovery codes');
};

suite('passkeys', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('passkeys');
  });
  after(() => stage.close());

  test('a passkey logs a member in alone, to the page that they asked for, and after the password', async (t) => {
    const office = await Office.open(stage, t, 'administrator');
    const { page } = office;
    const device = await plugIn(page);
    await addPasskey(office, 'Laptop');
    assert.equal(await device.count(), 1);
    await office.logOut();
    await page.goto(`${stage.gatewayOrigin}/office/audit?act=ADD_PASSKEY`);
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await office.heading('Audit log');
    await page.getByRole('row').filter({ hasText: 'Laptop' }).waitFor();
    await office.logOut();
    await office.logIn(office.email, office.password);
    await office.heading('One more step');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await office.heading('Overview');
    await page.goto(`${stage.gatewayOrigin}/office/confirm?next=/office/keys`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await office.heading('API keys');
    await office.go('Your second factor');
    await page.getByRole('button', { name: 'Remove the passkey Laptop' }).click();
    await page.getByRole('status').filter({ hasText: 'The passkey was removed.' }).waitFor();
  });

  test('whoever is not the owner of the device does not get in, and the owner then does', async (t) => {
    const office = await Office.open(stage, t, 'viewer');
    const { page } = office;
    const device = await plugIn(page);
    await device.verify(false);
    await office.go('Your second factor');
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Add the passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor();
    await device.verify(true);
    await page.getByRole('button', { name: 'Add the passkey' }).click();
    await office.heading('Your recovery codes');
    await page.goto(`${stage.gatewayOrigin}/office/second-factor/passkeys/new`);
    await page.getByRole('button', { name: 'Add the passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'has a passkey for you already' }).waitFor();
    assert.equal(await device.count(), 1);
    await office.logOut();
    await device.verify(false);
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor();
    await device.verify(true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await office.heading('Overview');
  });

  test('the keyboard alone adds a passkey and uses it', async (t) => {
    const office = await Office.open(stage, t, 'viewer');
    const { page } = office;
    await plugIn(page);
    await page.goto(`${stage.gatewayOrigin}/office/second-factor/passkeys/new`);
    await office.press(page.getByRole('button', { name: 'Add the passkey' }));
    await office.heading('Your recovery codes');
    await office.logOut();
    await office.press(page.getByRole('button', { name: 'Use a passkey instead' }));
    await office.heading('Overview');
  });

  test('without script the page says that passkeys need it, and the password still gets in', async (t) => {
    const office = await Office.atDoor(stage, t, 'viewer', { context: { javaScriptEnabled: false }, noise: /status of 403/ });
    const { page } = office;
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'Your browser sent no passkey: that needs scripts.' }).waitFor();
    await page.getByRole('link', { name: 'Log in with your password' }).click();
    await office.logIn(office.email, office.password);
    await office.heading('Overview');
  });

  for (const { name: dress, context } of WINDOWS) {
    test(`axe finds nothing, and nothing scrolls sideways: ${dress}`, async (t) => {
      const office = await Office.open(stage, t, 'administrator', { context });
      const { page } = office;
      const device = await plugIn(page);
      /** @param {string} name */
      const clean = async (name) => {
        await picture(page, `${stage.folder}${name}-${dress}.png`);
        assert.deepEqual(await violations(page, stage.gatewayOrigin), [], name);
        assert.deepEqual(await jutting(page), [], name);
      };
      await office.go('Your second factor');
      await clean('no-factor');
      await device.verify(false);
      await page.getByRole('link', { name: 'Add a passkey' }).click();
      await clean('add-a-passkey');
      await page.getByRole('button', { name: 'Add the passkey' }).click();
      await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor();
      await clean('add-a-passkey-cancelled');
      await device.verify(true);
      await page.getByRole('button', { name: 'Add the passkey' }).click();
      await office.heading('Your recovery codes');
      await office.go('Your second factor');
      await clean('one-passkey');
      await page.goto(`${stage.gatewayOrigin}/office/confirm?next=/office/keys`);
      await clean('confirm');
      await office.logOut();
      await clean('log-in');
      await office.logIn(office.email, office.password);
      await office.heading('One more step');
      await clean('one-more-step');
      await page.getByRole('button', { name: 'Log in as somebody else' }).click();
      await office.heading('Log in');
      await device.verify(false);
      await page.getByRole('button', { name: 'Use a passkey instead' }).click();
      await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor();
      await clean('passkey-alone-cancelled');
    });
  }
});
