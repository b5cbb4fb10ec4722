/** Settlement in the back office: a clearing file with a difference, its export, and the note that clears it. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { APPROVED } from './cards.mjs';
import { Office, WINDOWS, jutting, picture } from './office.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

const MAPPING = fileURLToPath(new URL('../../examples/settlement/mapping.toml', import.meta.url));
const HEADER = 'Type;Merchant reference;RRN;Acquirer reference;Gross;Fee;Net;Currency;Payout;Booked';

suite('settlement in the back office', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('office-settlement');
  });
  after(() => stage.close());

  /**
   * Imports a file with two payments, of which the second has another amount, one that nobody knows, and a fee.
   * @param {string} name
   */
  const imported = async (name) => {
    const paid = async () => {
      const orderId = await stage.api.tried({ shop: stage.shopOrigin, card: APPROVED });
      const [{ operationId }] = await stage.api.operations(orderId);
      return { orderId, operationId };
    };
    const agreeing = await paid();
    const differing = await paid();
    const file = `${stage.folder}${name}.csv`;
    writeFileSync(
      file,
      `${HEADER}
SALE;${agreeing.operationId};;S-${agreeing.operationId};35.45;0.39;35.06;EUR;P-${name};2026-11-20
SALE;${differing.operationId};;S-${differing.operationId};34.45;0.38;34.07;EUR;P-${name};2026-11-20
SALE;100000000000000009;;S-${name};5.00;0.06;4.94;EUR;P-${name};2026-11-20
FEE;;;F-${name};-2.00;;;EUR;P-${name};2026-11-20
`,
    );
    const told = await stage.gateway.command('settlement', 'import', '--terminal', '91000001', '--mapping', MAPPING, file);
    const [, fileId = ''] = /is settlement (\d+)/.exec(told) ?? [];
    return { fileId, agreeing: agreeing.orderId, differing: differing.orderId };
  };

  test('an amount that differs is found, exported, and marked as cleared with a note', async (t) => {
    const { agreeing, differing } = await imported('may');
    const office = await Office.open(stage, t, 'operator', { noise: /status of 400/ });
    const { page } = office;
    await office.go('Settlement');
    await page.getByRole('link', { name: 'may.csv', exact: true }).click();
    await office.heading('may.csv');
    const row = (/** @type {string} */ name) => page.getByRole('row').filter({ hasText: name });
    await row(agreeing).getByText('Agrees').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as CSV' }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    assert.match(text, new RegExp(`,${agreeing},.*,35.45,0.39,35.06,EUR,,\n`));
    await row(differing).getByRole('link', { name: 'Another amount' }).click();
    await office.heading('Another amount');
    await page.getByText('€34.45').waitFor();
    await page.getByRole('button', { name: 'Mark as cleared' }).click();
    await page.getByText('Write what became of it').waitFor();
    await page.getByLabel('What became of it').fill('The acquirer pays the rest on Monday.');
    await page.getByRole('button', { name: 'Mark as cleared' }).click();
    await page.getByRole('status').filter({ hasText: 'marked as cleared' }).waitFor();
    assert.equal(await row(differing).count(), 0);
    await page.getByLabel('State').selectOption('Cleared');
    await page.getByRole('button', { name: 'Search' }).click();
    await row(differing).getByText('Cleared').waitFor();
  });

  for (const { name: dress, context } of WINDOWS) {
    test(`axe finds nothing, and nothing scrolls sideways: ${dress}`, async (t) => {
      const { fileId } = await imported(`long-name-of-a-clearing-file-${dress}`);
      const office = await Office.open(stage, t, 'operator', { noise: /status of 400/, context });
      const { page } = office;
      for (const [name, path] of [
        ['settlement', ''],
        ['settlement-file', `/${fileId}`],
        ['settlement-differences', '/differences'],
        ['settlement-none', '/differences?difference=BOOKED_TWICE&state=OPEN'],
        ['settlement-difference', `/differences/${fileId}-3`],
      ]) {
        await page.goto(`${stage.gatewayOrigin}/office/settlement${path}`);
        await picture(page, `${stage.folder}${name}-${dress}.png`);
        assert.deepEqual(await violations(page, stage.gatewayOrigin), [], name);
        assert.deepEqual(await jutting(page), [], name);
      }
    });
  }
});
