/** Saved cards in Firefox and WebKit: where the form shows them again, and where it does not. */

import { test } from 'node:test';
import { randomUUID } from 'node:crypto';
import { APPROVED } from '../e2e/cards.mjs';
import { servePages } from '../e2e/page-server.mjs';
import { inOtherEngines } from './stage.mjs';

const ELEMENT = "document.querySelector('payment-form')";

inOtherEngines('saved cards', (stage) => {
  test('K17 buyer loads the page again → the form has the saved cards; in another tab the same session has none', async (t) => {
    const { gatewayOrigin: gateway, api, driver } = stage();
    let session = '';
    const shop = await servePages(t, () => `<script type="module" src="${gateway}/sdk/payframe.js"></script><payment-form gateway="${gateway}" session="${session}"></payment-form>`);
    const customerId = randomUUID().slice(0, 18);
    await api.keep({ shop, customerId, contractId: `${customerId}-1`, card: APPROVED });
    ({ sessionId: session } = await api.open({ shop, customerId, form: { closing: 'FRAME', savedCards: 'USE' } }));

    /** @param {import('./page.mjs').Place} page @param {number} cards */
    async function shows(page, cards) {
      await page.until(`return ${ELEMENT}?.matches(':state(ready)')`);
      const form = page.within(`${ELEMENT}.shadowRoot.querySelector('iframe')`);
      await form.until(`return (JSON.parse(document.getElementById('boot').textContent).saved?.cards.length ?? 0) === ${cards}`);
      const first = cards ? "document.querySelector('#choice-saved input')?.checked" : "document.getElementById('CARD_NUMBER').checkVisibility()";
      await form.until(`return ${first}`);
    }
    const page = await stage().page(t, shop);
    await shows(page, 1);
    await driver.navigate().refresh();
    await shows(page, 1);
    await page.run(`${ELEMENT}.reload()`);
    await page.until(`return !${ELEMENT}.matches(':state(ready)')`);
    await shows(page, 1);

    const own = await driver.getWindowHandle();
    await driver.switchTo().newWindow('tab');
    await shows(await stage().page(t, shop), 0);
    await driver.close();
    await driver.switchTo().window(own);
    await driver.navigate().refresh();
    await shows(page, 1);
  });
});
