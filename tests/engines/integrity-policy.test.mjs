/** A merchant's page that demands a hash of every script and requires Trusted Types: the form is live there, with what the SDK loads later. */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { servePages } from '../e2e/page-server.mjs';
import { DIST } from '../e2e/servers.mjs';
import { inEveryEngine } from './stage.mjs';

const HEADERS = { 'integrity-policy': 'blocked-destinations=(script)', 'content-security-policy': "require-trusted-types-for 'script'; trusted-types payframe-lazy payframe-beside" };
const FORM = "document.querySelector('payment-form')";

inEveryEngine('integrity policy', (stage) => {
  test('the SDK loads its later parts with their hashes, and a script without one is refused', async (t) => {
    const { gatewayOrigin: gateway, api } = stage();
    const { integrity } = JSON.parse(readFileSync(`${DIST}/manifest.json`, 'utf8')).scripts['payframe.js'];
    let session = '';
    const shop = await servePages(t, () => `<script src="${gateway}/sdk/build.js" crossorigin></script><script type="module" src="${gateway}/sdk/payframe.js" integrity="${integrity}" crossorigin></script><payment-form gateway="${gateway}" session="${session}"></payment-form>`, HEADERS);
    ({ sessionId: session } = await api.open({ shop, form: { closing: 'FRAME' } }));
    const page = await stage().page(t, shop, { noise: /integrity/i });
    await page.until(`return ${FORM}?.matches(':state(ready)')`);
    await page.run(`${FORM}.clear().then(() => { window.told = 'cleared'; }, ({ code }) => { window.told = code; })`);
    assert.equal(await page.until('return window.told'), 'cleared');
    assert.equal(await page.run('return typeof Build'), 'undefined');
  });
});
