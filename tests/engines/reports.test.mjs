/** What browsers report of the gateway's own pages. Chromium and Firefox report over https only, so WebKit shows it. */

import { test } from 'node:test';
import { ENGINES } from './engine.mjs';
import { inEngines } from './stage.mjs';

inEngines(ENGINES.filter((engine) => engine === 'webkit'), 'reports', (stage) => {
  test('the gateway hears what the policy of a page stopped', async (t) => {
    const { gateway, gatewayOrigin } = stage();
    const page = await stage().page(t, `${gatewayOrigin}/office/login`);
    await page.run("document.body.append(Object.assign(new Image(), { src: 'https://evil7.example/picture' }))");
    await gateway.said(/a browser stopped something.*"page":"office","directive":"img-src","source":"foreign","host":"evil#\.example"/);
  });
});
