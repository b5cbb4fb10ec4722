/** The watch over a page: what the SDK reports of the page that has the form, which changes of the page are in it, and what is not. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formIn, openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => {
  stage = await openStage();
  stage.file('/cart.js', 'window.cart = 1');
  stage.file('/visits.js', 'window.visits = 1');
  // Adds a script and removes the tag.
  stage.file('/chain.js', "const tag = Object.assign(document.createElement('script'), { src: '/skimmer.js' }); document.head.append(tag); tag.onload = () => tag.remove();");
  stage.file('/skimmer.js', 'window.skimmer = 1');
  stage.changes.set('/sdk/metrics.js', () => 'window.metrics = 1');
  stage.changes.set('/sdk/other.js', () => 'window.metrics = 2');
});
after(() => stage.close());

const POLICY = "object-src 'none'";
const HEADERS = { 'content-security-policy': "base-uri 'self'", 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' };
/** `window.metrics = 1`. */
const INTEGRITY = 'sha256-UEtOwjk1Qx9JFSKSUjHNDHW2lcvyzWAB/aSqfsIlvLE=';

/** A checkout page as shops have it. */
const PAGE = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<script type="importmap">{ "imports": { "cart": "/cart.js" } }</script>
<script src="/cart.js"></script>
<script src="/visits.js?shop=1" defer></script>
<script type="module" src="/cart.js?module"></script>
<script src="{{gateway}}/sdk/metrics.js" crossorigin integrity="{{integrity}}"></script>
<script src="https://cdn.example/tags.js?id=TAG-1"></script>
<script nonce="n1">window.shop = { name: 'Demo', basket: 17 };</script>
<script type="application/json">{ "price": 1 }</script>
<p><button type="button" onclick="open('/help')">Help</button> <a href="/terms">Terms</a></p>
<iframe hidden src="about:blank"></iframe>
<payment-form gateway="{{gateway}}" session="waiting"></payment-form>`;

/**
 * Opens the page, and waits until it has reported.
 * @param {string} [body] @param {{ headers?: Record<string, string>, act?: (page: import('playwright-core').Page) => Promise<unknown> }} [options]
 */
async function load(body = PAGE, { headers = HEADERS, act } = {}) {
  const before = stage.pageReports.length;
  const page = await stage.open(body.replaceAll('{{integrity}}', integrity), { headers });
  const frame = await formIn(page, 'payment-form');
  await act?.(page);
  await page.evaluate(() => (window.form = document.querySelector('payment-form')));
  await frame.evaluate(() => window.fake.hello());
  await frame.waitForFunction(() => window.fake.port);
  await frame.evaluate(() => window.fake.send({ type: 'ready' }));
  await page.evaluate(() => window.live(window.form));
  const counted = page.waitForResponse((answer) => answer.url().endsWith('/page-reports') && answer.status() === 204 && !answer.request().postData()?.includes('"told"'));
  await frame.evaluate(() => window.fake.send({ type: 'ask', what: 'title', title: 'Card payment form', watch: true }));
  await counted;
  await page.context().close();
  const sent = stage.pageReports.slice(before);
  const reports = sent.map(({ text }) => JSON.parse(text));
  /** @type {unknown[][]} */
  const told = reports.flatMap((report) => report.told ?? []);
  const last = reports.at(-1);
  return { sent, told, ids: new Set(/** @type {string[]} */ (last.entries.match(/.{19}/g))), headers: last.headers, page: last.page };
}

/** How a load differs from the one before: kinds of what is new, and how much is gone. @param {Awaited<ReturnType<typeof load>>} load @param {Set<string>} known */
const difference = ({ ids, told }, known) => ({ added: told.map(([, kind]) => kind), gone: [...known].filter((id) => !ids.has(id)).length });

let integrity = INTEGRITY;
/** The fingerprints of the page as it is. @type {Set<string>} */
let known;

test('a page is reported with its scripts, policies and headers, and without queries and contents', async () => {
  const { createHash } = await import('node:crypto');
  integrity = `sha256-${createHash('sha256').update('window.metrics = 1').digest('base64')}`;
  const first = await load();
  known = first.ids;
  const told = first.told.map(([, kind, source, hash, hasIntegrity]) => [kind, source, Boolean(hash), hasIntegrity]);
  const { shop, gateway } = stage;
  const rows = [
    ['HEADER', 'content-security-policy', true, false], ['HEADER', 'referrer-policy', true, false], ['HEADER', 'x-frame-options', true, false],
    ['POLICY', 'content-security-policy', true, false],
    ['HANDLERS', '', true, false],
    ['IMPORT_MAP', '', true, false],
    ['SCRIPT', `${gateway}/sdk/payframe.js`, false, false],
    ['SCRIPT', `${shop}/cart.js`, true, false], ['SCRIPT', `${shop}/visits.js`, true, false], ['SCRIPT', `${shop}/cart.js`, true, false],
    ['SCRIPT', `${gateway}/sdk/metrics.js`, true, true],
    ['SCRIPT', 'https://cdn.example/tags.js', false, false],
    ['INLINE', '', true, false],
  ];
  assert.deepEqual(told, rows);
  assert.match(first.page, new RegExp(`^${shop}/page-\\d+$`));
  assert.equal(first.headers, true);
  for (const { text, headers } of first.sent) {
    assert.ok(text.length <= 1000, `${text.length} bytes`);
    assert.doesNotMatch(text, /TAG-1|module=|basket|\?/);
    assert.deepEqual([headers.cookie, headers.referer, headers['content-type']], [undefined, undefined, 'text/plain;charset=UTF-8']);
  }
});

test('a load that is not changed is one report, and tells of nothing', async () => {
  const again = await load();
  assert.deepEqual([again.sent.length, difference(again, known)], [1, { added: [], gone: 0 }]);
});

/** Twins of changes: what differs at each load of an honest page. @type {[string, string, object?][]} */
const UNCHANGED = [
  ['another nonce of an inline script', PAGE.replace('nonce="n1"', 'nonce="n2"')],
  ['another nonce in the policy', PAGE, { headers: { ...HEADERS, 'content-security-policy': "base-uri 'self'" } }],
  ['other texts, prices and links of the page', PAGE.replace('Help<', 'Hilfe<').replace('/terms', '/agb').replace('"price": 1', '"price": 2')],
  ['another order of scripts', PAGE.replace(/(<script src="\/cart.js"><\/script>)\n(.*)\n/, '$2\n$1\n')],
  ['a script twice', PAGE.replace('<p>', '<script src="/cart.js"></script><p>')],
  ['a header that is no matter of security', PAGE, { headers: { ...HEADERS, 'x-request-id': '17' } }],
];

test('what differs at each load of an honest page is no change', async () => {
  for (const [name, body, options] of UNCHANGED) {
    const found = await load(body, options);
    assert.deepEqual(difference(found, known), { added: [], gone: 0 }, name);
  }
});

/** @param {string} code */
const inPage = (code) => (/** @type {import('playwright-core').Page} */ page) => page.evaluate(code);

/** What a skimmer, or who prepares its way, does to a page: what is new, and how much is gone. @type {[string, string[], number, string, object?][]} */
const CHANGED = [
  ['a script of another origin', ['SCRIPT'], 0, PAGE.replace('<p>', '<script src="https://evil.example/a.js"></script><p>')],
  ['a script of the same origin', ['SCRIPT'], 0, PAGE.replace('<p>', '<script src="/skimmer.js"></script><p>')],
  ['an inline script', ['INLINE'], 0, PAGE.replace('<p>', '<script>window.evil = 1</script><p>')],
  ['another content of an inline script', ['INLINE'], 1, PAGE.replace('basket: 17', 'basket: evil()')],
  ['another address of a script', ['SCRIPT'], 1, PAGE.replace('https://cdn.example/', 'https://cdn.evil.example/')],
  ['another query of a script', ['SCRIPT'], 1, PAGE.replace('TAG-1', 'TAG-2')],
  ['no integrity any more', ['SCRIPT'], 1, PAGE.replace(' integrity="{{integrity}}"', '')],
  ['another integrity', ['SCRIPT'], 1, PAGE.replace('{{integrity}}', `{{integrity}} sha256-${'A'.repeat(43)}=`)],
  ['another content of a script with the same address', ['SCRIPT'], 1, PAGE, { content: ['/visits.js', 'window.visits = 2'] }],
  ['an event attribute', ['HANDLERS'], 1, PAGE.replace('<a href', '<a onmouseover="evil()" href')],
  ['another event attribute', ['HANDLERS'], 1, PAGE.replace("open('/help')", "evil('/help')")],
  ['a link that runs code', ['CODE_ADDRESSES'], 0, PAGE.replace('/terms', 'javascript:evil()')],
  ['a weaker policy in the page', ['POLICY'], 1, PAGE.replace(POLICY, "object-src *")],
  ['no policy in the page', [], 1, PAGE.replace(/<meta.*>/, '')],
  ['a frame with a document in its attribute', ['FRAME'], 0, PAGE.replace('<p>', '<iframe srcdoc="<script>top.evil = 1</script>"></iframe><p>')],
  ['a frame of another origin over the form', ['FRAME'], 0, PAGE.replace('<p>', '<iframe src="https://evil.example/card"></iframe><p>')],
  ['a script in a shadow tree', ['INLINE'], 0, PAGE, { act: inPage("const host = document.body.appendChild(document.createElement('div')); const script = document.createElement('script'); script.textContent = 'window.evil = 1'; host.attachShadow({ mode: 'open' }).append(script);") }],
  ['another import map', ['IMPORT_MAP'], 1, PAGE.replace('"cart": "/cart.js"', '"cart": "/skimmer.js"')],
  ['a module', ['SCRIPT'], 0, PAGE.replace('<p>', '<script type="module" src="/skimmer.js"></script><p>')],
  ['a script that is no module any more', ['SCRIPT'], 1, PAGE.replace('<script type="module"', '<script')],
  ['a script in a data: address', ['SCRIPT'], 0, PAGE.replace('<p>', '<script src="data:text/javascript,window.evil=1"></script><p>')],
  ['a script in a blob: address', ['SCRIPT'], 0, PAGE, { act: inPage("document.head.append(Object.assign(document.createElement('script'), { src: URL.createObjectURL(new Blob(['window.evil = 1'])) }))") }],
  ['a base address', ['BASE'], 0, PAGE.replace('<p>', '<base href="{{shop}}/"><p>')],
  ['a script that is gone', [], 1, PAGE.replace('<script src="https://cdn.example/tags.js?id=TAG-1"></script>', '')],
  ['a script that removed its tag', ['SCRIPT', 'SCRIPT'], 0, PAGE.replace('<p>', '<script src="/chain.js"></script><p>'), { act: inPage('new Promise((done) => { const look = () => (window.skimmer ? setTimeout(done) : setTimeout(look, 20)); look(); })') }],
  ['a script of an SVG picture', ['SCRIPT'], 0, PAGE.replace('<p>', '<svg><script href="/skimmer.js"></script></svg><p>')],
  ['a weaker policy in a header', ['HEADER'], 1, PAGE, { headers: { ...HEADERS, 'content-security-policy': 'base-uri *' } }],
  ['a header that is gone', [], 1, PAGE, { headers: { 'content-security-policy': HEADERS['content-security-policy'], 'referrer-policy': 'no-referrer' } }],
];

test('each of more than 20 changes of a page is found at the first load that has it', async () => {
  assert.ok(CHANGED.length >= 20);
  for (const [name, added, gone, body, { content, ...options } = /** @type {any} */ ({})] of CHANGED) {
    if (content) stage.file(content[0], content[1]);
    stage.inventory.clear();
    for (const id of known) stage.inventory.add(id);
    const found = await load(body.replaceAll('{{shop}}', stage.shop), options);
    assert.deepEqual(difference(found, known), { added, gone }, name);
    if (content) stage.file(content[0], 'window.visits = 1');
  }
});

test('a page with more scripts than a report holds is found changed, too', async () => {
  const many = (/** @type {string} */ last) => PAGE.replace('<p>', `${Array.from({ length: 60 }, (_, at) => `<script>window.part${at} = ${at}</script>`).join('')}<script>${last}</script><p>`);
  const first = await load(many('window.last = 1'));
  for (const { text } of first.sent) assert.ok(text.length <= 1000, `${text.length} bytes`);
  assert.equal(first.told.filter(([, kind]) => kind === 'REST').length, 1);
  assert.deepEqual(difference(await load(many('window.last = 1')), first.ids), { added: [], gone: 0 });
  assert.deepEqual(difference(await load(many('window.last = 2')), first.ids), { added: ['REST'], gone: 1 });
});

test('a script with a number of the visit has the same shape at each load, and another program has not', async () => {
  const shapes = async (/** @type {string} */ code) => {
    const { told } = await load(PAGE.replace('<p>', `<script>${code}</script><p>`));
    return told.filter(([, kind]) => kind === 'INLINE').map(([ids]) => String(ids).slice(11));
  };
  const [one] = await shapes("window.visit = { id: 'a1', at: 17 }");
  const [same] = await shapes("window.visit = { id: 'b2', at: 18.5 }");
  const [other] = await shapes("window.visit = { id: evil('b2'), at: 18 }");
  assert.ok(one && one === same && one !== other);
});

test('paths lose what may name a buyer or an order', async () => {
  const { told } = await load(PAGE.replace('<p>', '<script src="/of/ada@mail.example/x.js"></script><script src="https://cdn.example/npm/lib@3.6.1/x.js"></script><p>'));
  assert.deepEqual(told.map(([, , source]) => source).filter((source) => /\/(of|npm)\//.test(String(source))), [`${stage.shop}/of/*/x.js`, 'https://cdn.example/npm/lib@3.6.1/x.js']);
  const moved = await load(PAGE, { act: inPage("history.replaceState(0, '', '/order/20261128/of/ada@mail.example/card?name=Ada#x')") });
  assert.equal(moved.page, `${stage.shop}/order/*/of/*/card`);
  // The server has no page at that address: its headers are not known.
  assert.equal(moved.headers, false);
});

test('a page that is not watched reports nothing and loads nothing for it', async () => {
  const before = stage.pageReports.length;
  const page = await stage.open(PAGE.replace('{{integrity}}', integrity), { headers: HEADERS });
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  const frame = await formIn(page, 'payment-form');
  await page.evaluate(() => (window.form = document.querySelector('payment-form')));
  await frame.evaluate(() => window.fake.hello());
  await frame.waitForFunction(() => window.fake.port);
  await frame.evaluate(() => window.fake.send({ type: 'ready' }));
  await page.evaluate(() => window.live(window.form));
  for (const watch of [undefined, false, 'true']) await frame.evaluate((watch) => window.fake.send({ type: 'ask', what: 'title', title: `Form ${watch}`, watch }), watch);
  await page.getByTitle('Form true', { exact: true }).waitFor();
  assert.deepEqual([asked.filter((url) => url.includes('page-watch') || url.includes('page-reports')), stage.pageReports.length], [[], before]);
  await page.context().close();
});

test('a policy that keeps the report from the gateway disturbs neither page nor form', async () => {
  const page = await stage.open(PAGE.replace('{{integrity}}', integrity), { headers: { 'content-security-policy': "connect-src 'none'" } });
  const frame = await formIn(page, 'payment-form');
  await page.evaluate(() => (window.form = document.querySelector('payment-form')));
  await frame.evaluate(() => window.fake.hello());
  await frame.waitForFunction(() => window.fake.port);
  await frame.evaluate(() => window.fake.send({ type: 'ready' }));
  await page.evaluate(() => window.live(window.form));
  await frame.evaluate(() => window.fake.send({ type: 'ask', what: 'title', title: 'Form', watch: true }));
  await page.waitForFunction(() => window.violations.some((/** @type {string} */ violation) => violation.includes('/page-reports')));
  assert.deepEqual(await page.evaluate(() => [window.uncaught, window.form.matches(':state(ready)')]), [[], true]);
  await page.context().close();
});
