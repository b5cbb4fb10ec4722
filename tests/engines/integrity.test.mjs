/** A script of the gateway that is held to its hash, as `@payframe/form` loads it, in every engine: one changed byte is refused. */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DIST } from '../e2e/servers.mjs';
import { inEveryEngine } from './stage.mjs';

const script = readFileSync(`${DIST}/sdk/payframe.js`);
const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
/** The first space of the script becomes a tab, so that it stays a program. */
const changed = Buffer.from(script);
changed[changed.indexOf(0x20)] = 0x09;

const PAGE = `<!doctype html><title>Shop</title><script type="module">
  import { loadPayframe } from '/src/index.js';
  window.load = (gateway, options) => loadPayframe(gateway, options).then(({ form }) => typeof form, ({ code }) => code).then((outcome) => [outcome, Boolean(customElements.get('payment-form'))]);
</script>`;

/** A shop at 127.0.0.1 with the package's own files, and at localhost a gateway whose release says what is served. @param {import('node:test').TestContext} t */
async function serve(t) {
  const server = createServer(({ url = '/' }, response) => {
    const [, folder, release] = url.split('/');
    const type = folder ? 'text/javascript' : 'text/html';
    const source = () => readFileSync(new URL(`../../packages/form${url}`, import.meta.url));
    const body = folder === 'sdk' ? { honest: script, changed }[release ?? ''] : folder === 'src' ? source() : PAGE;
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  t.after(() => (server.close(), server.closeAllConnections()));
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

inEveryEngine('integrity', (stage) => {
  /** @type {[release: string, integrity: string | undefined, outcome: string][]} */
  const rows = [['honest', integrity, 'function'], ['changed', integrity, 'script_blocked'], ['changed', undefined, 'function']];
  for (const [release, wanted, outcome] of rows) {
    test(`the ${release} script ${wanted ? 'with its hash' : 'without a hash'} is ${outcome === 'function' ? 'loaded' : 'refused'}`, async (t) => {
      const port = await serve(t);
      const page = await stage().page(t, `http://127.0.0.1:${port}/`, { noise: /integrity|SHA-384/ });
      await page.until('return Boolean(window.load)');
      await page.run('load(arguments[0], arguments[1]).then((told) => { window.told = told; })', `http://localhost:${port}`, { release, ...(wanted && { integrity: wanted }) });
      assert.deepEqual(await page.until('return window.told'), [outcome, outcome === 'function']);
    });
  }
});
