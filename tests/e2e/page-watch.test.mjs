/** Watched pages: a buyer's browser reports the page, and the back office shows what it is made of, what changed, and who allowed it. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Office, WINDOWS, jutting, picture } from './office.mjs';
import { servePages } from './page-server.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

suite('watched pages', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('page-watch');
    await stage.gateway.command('terminal', 'set', '91000001', 'page_watch=1');
  });
  after(() => stage.close());

  /**
   * A shop's page. `more` is what somebody added to it.
   * @param {import('node:test').TestContext} t
   */
  const watchedShop = async (t) => {
    let [session, more] = ['', ''];
    const gateway = stage.gatewayOrigin;
    const headers = { 'content-security-policy': `default-src 'none'; script-src 'unsafe-inline' ${gateway}; connect-src 'self' ${gateway}; frame-src ${gateway}; img-src data:; style-src 'unsafe-inline'`, 'referrer-policy': 'no-referrer' };
    const form = () => `<script type="module" src="${gateway}/sdk/payframe.js"></script><script>window.basket = 1</script>${more}<payment-form gateway="${gateway}" session="${session}"></payment-form>`;
    const shop = await servePages(t, form, headers);
    const load = async () => {
      ({ sessionId: session } = await stage.api.open({ shop, form: { closing: 'FRAME' } }));
      const { page, requests } = await stage.checkout(t, {}, { path: `${shop}/checkout` });
      const counted = page.waitForResponse((answer) => answer.url().endsWith('/page-reports') && answer.status() === 204 && !answer.request().postData()?.includes('"told"'));
      await counted;
      const reports = requests.filter((request) => request.url().endsWith('/page-reports'));
      for (const report of reports) assert.ok((report.postData() ?? '').length <= 1000);
      await page.close();
      return reports.length;
    };
    return { shop, load, change: (/** @type {string} */ text) => void (more = text) };
  };

  test('a script that somebody added is found at the first load, decided with a reason, and exported', async (t) => {
    const { shop, load, change } = await watchedShop(t);
    assert.ok((await load()) > 1, 'the first load tells of each part');
    assert.equal(await load(), 1, 'a load that is not changed is one report');
    const office = await Office.open(stage, t, 'administrator', { noise: /status of 400/ });
    const { page } = office;
    await office.go('Watched pages');
    const row = page.getByRole('row').filter({ hasText: `${shop}/checkout` });
    await row.getByText('No open change').waitFor();
    change(`<script src="${stage.gatewayOrigin}/sdk/build.js"></script>`);
    await load();
    await office.go('Watched pages');
    await row.getByText('1 change to decide').waitFor();
    await row.getByRole('link').click();
    await office.heading('Parts of a page');
    await page.getByRole('link', { name: 'Show only what is to decide' }).click();
    await page.getByRole('row').filter({ hasText: '/sdk/build.js' }).getByRole('link', { name: 'Script', exact: true }).click();
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.getByText('Write why').waitFor();
    await page.getByLabel('Why the page needs it').fill('Shows the fields of the older checkout');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Your decision is kept' }).waitFor();
    await page.getByRole('row').filter({ hasText: '/sdk/build.js' }).getByText('Authorized').waitFor();
    await office.go('Watched pages');
    await row.getByText('No open change').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as CSV' }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    assert.match(text, /\/sdk\/build\.js,,no,Authorized,.*,Shows the fields of the older checkout,Ada administrator,/);
    assert.match(text, /Security header,content-security-policy,[\w-]{43},no,To authorize,/);
  });

  test('a page of the class Build reports once its fields are live', async (t) => {
    const gateway = stage.gatewayOrigin;
    /** @type {{ id: string, src: string }[]} */
    let fields = [];
    const frames = () => fields.map(({ id, src }) => `<iframe title="${id}" src="${src.replaceAll('&', '&amp;')}"></iframe>`).join('');
    const shop = await servePages(t, () => `<script src="${gateway}/sdk/build.js" crossorigin></script>${frames()}<script>new Build({})</script>`);
    const opened = await stage.api.open({ shop });
    fields = opened.fieldSet?.fields ?? opened.fields;
    const checkout = await stage.checkout(t, {}, { path: `${shop}/older` });
    const counted = await checkout.page.waitForResponse((answer) => answer.url().endsWith('/page-reports') && answer.status() === 204);
    assert.equal(JSON.parse(counted.request().postData() ?? '').session, opened.sessionId);
    const { page } = await Office.open(stage, t, 'viewer');
    await page.getByRole('link', { name: 'Watched pages' }).click();
    await page.getByRole('row').filter({ hasText: `${shop}/older` }).waitFor();
  });

  test('the pages can be used in each window', async (t) => {
    const { shop, load, change } = await watchedShop(t);
    await load();
    change('<script>window.skimmer = 1</script><a href="javascript:void(0)">Terms</a>');
    await load();
    for (const { name, context } of WINDOWS) {
      const office = await Office.open(stage, t, 'administrator', { context });
      const { page } = office;
      const look = async (/** @type {string} */ what) => {
        assert.deepEqual(await violations(page, stage.gatewayOrigin), [], `${what}, ${name}`);
        assert.deepEqual(await jutting(page), [], `${what}, ${name}`);
        await picture(page, `${stage.folder}page-watch-${what}-${name}.png`);
      };
      await office.go('Watched pages');
      await look('list');
      await page.getByRole('link', { name: `${shop}/checkout` }).click();
      await office.heading('Parts of a page');
      await look('parts');
      await page.getByRole('row').filter({ hasText: 'New' }).getByRole('link', { name: 'Script in the page' }).click();
      await office.heading('Script in the page');
      await look('part');
      await office.go('Watched pages');
      await page.getByRole('link', { name: 'Setting of terminal 91000001' }).click();
      await office.heading('Watch over pages of terminal 91000001');
      await look('setting');
    }
  });
});
