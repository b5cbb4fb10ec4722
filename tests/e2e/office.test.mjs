/** The back office: logging in and out, members, keys, the audit log, for every role and in every look. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { hasFocus } from './checkout.mjs';
import { Office, WINDOWS, code, jutting, picture } from './office.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

suite('back office', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('office');
  });
  after(() => stage.close());

  test('a member logs in to the page that they asked for, and out again', async (t) => {
    const office = await Office.atDoor(stage, t, 'administrator', { noise: /status of 403/ });
    const { page } = office;
    await page.goto(`${stage.gatewayOrigin}/office/audit?act=LOG_IN`);
    await office.logIn(office.email, 'not the password');
    await page.getByRole('alert').filter({ hasText: 'do not match' }).waitFor();
    assert.equal(await page.getByLabel('E-mail address').inputValue(), office.email);
    await office.logIn(office.email, office.password);
    await office.heading('Audit log');
    assert.equal(new URL(page.url()).search, '?act=LOG_IN');
    const [cookie] = await page.context().cookies(`${stage.gatewayOrigin}/office`);
    assert.deepEqual({ httpOnly: cookie?.httpOnly, sameSite: cookie?.sameSite, path: cookie?.path }, { httpOnly: true, sameSite: 'Strict', path: '/office' });
    assert.deepEqual(await page.context().cookies(`${stage.gatewayOrigin}/`), [], 'no other page of the gateway gets it');
    await office.logOut();
    await page.goBack();
    await office.heading('Log in');
  });

  test('an administrator lets somebody in, and shuts them out at once', async (t) => {
    const office = await Office.open(stage, t, 'administrator');
    await office.go('Members');
    await office.page.getByRole('link', { name: 'Add a member' }).click();
    await office.page.getByLabel('Name', { exact: true }).fill('Otto Neri');
    const email = `otto-${office.email}`;
    await office.page.getByLabel('E-mail address').fill(email);
    await office.page.getByRole('radio', { name: 'Operator' }).check();
    await office.page.getByRole('button', { name: 'Add the member' }).click();
    await office.heading('A member was added');
    const password = (await office.secret()) ?? '';
    const other = await Office.atDoor(stage, t, 'viewer');
    await other.logIn(email, password);
    await other.heading('Your password');
    await other.page.getByText('Somebody else has seen this password.').waitFor();
    await other.page.getByLabel('Present password').fill(password);
    await other.page.getByLabel('New password', { exact: true }).fill('correct horse battery');
    await other.page.getByLabel('New password once more').fill('correct horse battery');
    await other.page.getByRole('button', { name: 'Change the password' }).click();
    await other.page.getByRole('status').filter({ hasText: 'Your password was changed.' }).waitFor();
    await other.page.getByRole('link', { name: 'Overview' }).click();
    await other.heading('Overview');
    assert.equal(await other.page.getByRole('link', { name: 'Members' }).count(), 0);
    await office.page.getByRole('link', { name: 'To the members' }).click();
    await office.page.getByRole('row', { name: email }).getByRole('link').click();
    await office.page.getByRole('button', { name: 'Disable Otto Neri' }).click();
    await office.page.getByRole('status').filter({ hasText: 'can no longer log in' }).waitFor();
    await other.page.reload();
    await other.heading('Log in');
    await office.go('Audit log');
    await office.page.getByLabel('What', { exact: true }).selectOption('Disabled a member');
    await office.page.getByRole('button', { name: 'Show' }).click();
    await office.page.getByRole('row', { name: email }).filter({ hasText: 'Ada administrator' }).waitFor();
  });

  test('the keyboard alone makes a key and revokes it', async (t) => {
    const office = await Office.atDoor(stage, t, 'administrator');
    const { keyboard } = office.page;
    await office.tabTo(office.page.getByLabel('E-mail address'));
    await keyboard.type(office.email);
    await keyboard.press('Tab');
    await keyboard.type(office.password);
    await keyboard.press('Enter');
    await office.heading('Overview');
    await keyboard.press('Tab');
    await hasFocus(office.page.getByRole('link', { name: 'Skip to the page' }));
    await keyboard.press('Enter');
    await hasFocus(office.main);
    await office.tabTo(office.page.getByRole('link', { name: 'API keys' }));
    await keyboard.press('Enter');
    await office.heading('API keys');
    await office.tabTo(office.page.getByLabel('Terminal'));
    await keyboard.type('91000006');
    await office.tabTo(office.page.getByRole('button', { name: 'Make a key' }));
    await keyboard.press('Enter');
    await office.heading('A key was made');
    const [, id = ''] = /The key (\S+) of terminal 91000006/.exec((await office.main.textContent()) ?? '') ?? [];
    await office.tabTo(office.page.getByRole('link', { name: 'To the keys' }));
    await keyboard.press('Enter');
    await office.heading('API keys');
    await office.tabTo(office.page.getByRole('link', { name: `Revoke ${id}` }));
    await keyboard.press('Enter');
    await office.heading('Revoke an API key');
    await office.tabTo(office.page.getByRole('button', { name: 'Revoke the key' }));
    await keyboard.press('Enter');
    await office.page.getByRole('row', { name: id }).filter({ hasText: 'Ended' }).waitFor();
  });

  test('everything works without script', async (t) => {
    const office = await Office.open(stage, t, 'administrator', { context: { javaScriptEnabled: false, viewport: { width: 360, height: 800 } } });
    await office.go('API keys');
    await office.page.getByRole('button', { name: 'Make a key' }).click();
    await office.heading('A key was made');
    await office.go('Your password');
    await office.page.getByLabel('Present password').fill(office.password);
    await office.page.getByLabel('New password', { exact: true }).fill('correct horse battery');
    await office.page.getByLabel('New password once more').fill('correct horse battery');
    await office.page.getByRole('button', { name: 'Change the password' }).click();
    await office.page.getByRole('status').filter({ hasText: 'Your password was changed.' }).waitFor();
    await office.go('Your second factor');
    await office.page.getByRole('link', { name: 'Set up an authenticator app' }).click();
    const secret = (await office.main.locator('code').textContent()) ?? '';
    await office.page.getByLabel('Code', { exact: true }).fill(code(secret));
    await office.page.getByRole('button', { name: 'Set up' }).click();
    await office.heading('Your recovery codes');
    const recovery = (await office.main.getByRole('listitem').first().textContent()) ?? '';
    await office.logOut();
    await office.logIn(office.email, 'correct horse battery');
    await office.page.getByLabel('Code of your authenticator app').fill(recovery);
    await office.page.getByRole('button', { name: 'Log in', exact: true }).click();
    await office.heading('Overview');
    await office.logOut();
  });

  test('with script a second press of a button is not another one', async (t) => {
    const office = await Office.open(stage, t, 'administrator');
    await office.go('API keys');
    await office.page.waitForLoadState('load');
    const presses = await office.page.locator('form[action="/office/keys"]').evaluate((form) =>
      [1, 2].map(() => form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))),
    );
    assert.deepEqual(presses, [true, false]);
  });

  for (const { name: dress, context } of WINDOWS) {
    test(`axe finds nothing, and nothing scrolls sideways: ${dress}`, async (t) => {
      const office = await Office.atDoor(stage, t, 'administrator', { noise: /status of 4(0[0349])/, context });
      const { page } = office;
      /** @param {string} name */
      const clean = async (name) => {
        await picture(page, `${stage.folder}${name}-${dress}.png`);
        assert.deepEqual(await violations(page, stage.gatewayOrigin), [], name);
        assert.deepEqual(await jutting(page), [], name);
      };
      await office.heading('Log in');
      await clean('log-in');
      await office.logIn(office.email, 'not the password');
      await page.getByRole('alert').waitFor();
      await clean('log-in-refused');
      await office.logIn(office.email, office.password);
      await office.heading('Overview');
      await office.openMenu();
      await clean('ways');
      await office.page.reload();
      for (const section of ['API keys', 'Card testing', 'Members', 'Audit log', 'Your second factor', 'Your log-ins', 'Your password']) {
        await office.go(section);
        await clean(section.replaceAll(' ', '-').toLowerCase());
      }
      await page.getByLabel('Present password').fill('not the password');
      await page.getByLabel('New password', { exact: true }).fill('correct horse battery');
      await page.getByLabel('New password once more').fill('correct horse battery');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('This is not your password.').waitFor();
      await clean('your-password-refused');
      await office.go('Members');
      await page.getByRole('link', { name: 'Add a member' }).click();
      await office.heading('Add a member');
      await clean('add-a-member');
      await page.getByLabel('Name', { exact: true }).fill('Otto Neri');
      await page.getByLabel('E-mail address').fill(office.email);
      await page.getByRole('button', { name: 'Add the member' }).click();
      await page.getByText('This e-mail address is taken').waitFor();
      await clean('add-a-member-refused');
      await page.getByLabel('E-mail address').fill(`${dress}-${office.email}`);
      await page.getByRole('button', { name: 'Add the member' }).click();
      await office.heading('A member was added');
      await clean('a-member-was-added');
      await page.getByRole('link', { name: 'To the members' }).click();
      await page.getByRole('row', { name: `${dress}-${office.email}` }).getByRole('link').click();
      await office.heading('Otto Neri');
      await clean('a-member');
      await office.go('Your second factor');
      await page.getByRole('link', { name: 'Set up an authenticator app' }).click();
      await office.heading('Set up your second factor');
      await clean('second-factor');
      const secret = (await office.main.locator('code').textContent()) ?? '';
      await page.getByLabel('Code', { exact: true }).fill('000000');
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.getByText('This is not the code that the app shows now.').waitFor();
      await clean('second-factor-refused');
      const used = code(secret);
      await page.getByLabel('Code', { exact: true }).fill(used);
      await page.getByRole('button', { name: 'Set up' }).click();
      await office.heading('Your recovery codes');
      const recovery = (await office.main.getByRole('listitem').first().textContent()) ?? '';
      await clean('recovery-codes');
      await office.logOut();
      await office.logIn(office.email, office.password);
      await office.heading('Enter your code');
      await clean('code');
      await page.getByLabel('Code of your authenticator app').fill(used);
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'it was used before' }).waitFor();
      await clean('code-refused');
      await page.getByLabel('Code of your authenticator app').fill(recovery);
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      await office.heading('Overview');
      await office.go('API keys');
      await page.getByRole('link', { name: 'Revoke' }).first().click();
      await office.heading('Revoke an API key');
      await clean('revoke-a-key');
      await page.goto(`${stage.gatewayOrigin}/office/audit?from=2001-01-01&to=2001-01-01`);
      await page.getByText('No entry fits.').waitFor();
      await clean('audit-log-empty');
      await page.goto(`${stage.gatewayOrigin}/office/nowhere`);
      await office.heading('Not found');
      await clean('not-found');
    });
  }
});
