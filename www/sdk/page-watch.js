// @ts-check
/**
 * The watch over a page: tells the gateway of which scripts, policies and security headers the page with the form is made, so that a merchant
 * notices a change (docs/page-watch.md). Loaded where the terminal wants it, once the form is live, and only for a sample of loads.
 *
 * It reads the page and changes nothing. It sends addresses without their queries, and hashes: no content, nothing of the buyer. A report has
 * at most 1,000 bytes.
 */

/**
 * A part of the page. `exact` and `shape` go into its fingerprints; `shape` is what stays the same where the content differs at each load.
 * @typedef {{ kind: string, source: string, hash: string, integrity: boolean, exact: string, shape: string }} Part
 */
/** @typedef {{ ids: string, part: Part | undefined }} Entry */

/** The limit of a report, in bytes. */
const REPORT_BYTES = 1000;
/** Characters of a fingerprint, and of that of a shape. */
const [EXACT, SHAPE] = [11, 8];
const LONGEST_SOURCE = 120;
/** How long a script or a header is waited for. */
const READ_MS = 5000;
/** A busy page is examined after this time. */
const REST_MS = 3000;

/** What runs; other types of scripts are data. */
const RUNS = /^(|module|(text|application)\/(x-)?(java|ecma|j|live)script(1\.\d)?)$/i;
const DECIDES_LOADS = /^(importmap|speculationrules)$/i;
/** Scripts of the buyer's own extensions are not the page's. */
const OF_BROWSER = /^[\w-]+-extension:/;
const RUNS_CODE = /^\s*javascript:/i;
const ADDRESSES = ['href', 'xlink:href', 'src', 'action', 'formaction', 'data'];

const HEADERS = [
  'content-security-policy', 'content-security-policy-report-only', 'cross-origin-embedder-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy',
  'integrity-policy', 'permissions-policy', 'referrer-policy', 'strict-transport-security', 'x-content-type-options', 'x-frame-options',
];

/** Reports the page of this form, once the browser rests. Whatever fails, the page and the form go on. @param {{ gateway: string, session: string }} form that is live, or the address and session of fields that are */
export async function watchPage(form) {
  // Insecure pages have no hashes; the gateway takes no payments from them either.
  if (!globalThis.crypto?.subtle) return;
  await rest();
  const { session } = form;
  const gateway = new URL(form.gateway).origin;
  try {
    const [parts, headers] = await Promise.all([partsOf(document, gateway), headersOf()]);
    const page = location.origin + plainPath(location.pathname);
    await report(`${gateway}/page-reports`, { session, page }, [...(headers ?? []), ...parts], headers !== undefined);
  } catch {
    // The next load of the sample reports.
  }
}

/** @returns {Promise<unknown>} */
const rest = () => new Promise((resolve) => ('requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: REST_MS }) : setTimeout(resolve, REST_MS / 3)));

// ---- What a page is made of -------------------------------------------------------------------------------------------------

/**
 * The parts of a page, each once. Few are listed first that are many: what does not fit into a report is put together.
 * @param {Document} page @param {string} gateway
 */
export async function partsOf(page, gateway) {
  const roots = rootsOf(page);
  const elements = roots.flatMap((root) => [...root.querySelectorAll('*')]);
  const scripts = elements.filter((element) => element.localName === 'script');
  const tagged = scripts.filter((script) => RUNS.test(script.getAttribute('type') ?? '') && addressOf(script));
  const known = new Set(tagged.map(addressOf));
  // A script can remove its tag.
  const loaded = performance.getEntriesByType('resource').flatMap((entry) => {
    const { name, initiatorType } = /** @type {PerformanceResourceTiming} */ (entry);
    return initiatorType === 'script' && !known.has(name) && new URL(name).origin !== gateway ? [name] : [];
  });
  return Promise.all([
    ...policies(page),
    ...bases(page),
    ...together('HANDLERS', elements.flatMap(handlers)),
    ...together('CODE_ADDRESSES', elements.flatMap(codeAddresses)),
    ...elements.filter(({ localName }) => localName === 'iframe' || localName === 'frame').flatMap((frame) => frameParts(frame, gateway)),
    ...scripts.filter((script) => DECIDES_LOADS.test(script.getAttribute('type') ?? '')).map((script) => textPart('IMPORT_MAP', script)),
    ...tagged.filter((script) => !OF_BROWSER.test(addressOf(script))).map((script) => scriptPart(addressOf(script), script)),
    ...[...new Set(loaded)].filter((address) => !OF_BROWSER.test(address)).map((address) => scriptPart(address)),
    ...scripts.filter((script) => RUNS.test(script.getAttribute('type') ?? '') && !addressOf(script) && script.textContent?.trim()).map((script) => textPart('INLINE', script)),
  ]);
}

/** The document and its open shadow trees. @param {Document | ShadowRoot} root @returns {(Document | ShadowRoot)[]} */
const rootsOf = (root) => [root, ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? rootsOf(shadowRoot) : []))];

/** The whole address of a script, or an empty text. @param {Element} script */
function addressOf(script) {
  const given = script.getAttribute('src') ?? script.getAttribute('href') ?? script.getAttribute('xlink:href');
  if (!given) return '';
  try {
    return new URL(given, script.ownerDocument.baseURI).href;
  } catch {
    return '';
  }
}

/** @param {string} address @param {Element} [tag] @returns {Promise<Part>} */
async function scriptPart(address, tag) {
  const url = new URL(address);
  const integrity = tag?.getAttribute('integrity') ?? '';
  const [scheme, data] = [url.protocol, /^(data|blob):$/.test(url.protocol)];
  const source = data ? scheme : plainSource(url);
  // A cross-origin script without CORS cannot be read, and trying would only write errors to the console.
  const isReadable = data || url.origin === location.origin || tag?.hasAttribute('crossorigin');
  const hash = isReadable ? await hashAt(address) : '';
  // The address of a blob is another one at each load.
  const place = scheme === 'blob:' ? scheme : address.split('#')[0];
  return { kind: 'SCRIPT', source, hash, integrity: integrity !== '', exact: `${place}\n${integrity}\n${tag?.getAttribute('type') ?? ''}`, shape: source };
}

/** @param {'INLINE' | 'IMPORT_MAP'} kind @param {Element} script @returns {Promise<Part>} */
async function textPart(kind, script) {
  const text = script.textContent ?? '';
  return { kind, source: '', hash: await sha256(text), integrity: false, exact: script.getAttribute('type') ?? '', shape: shapeOf(text) };
}

/** Attributes that run code. @param {Element} element */
const handlers = ({ localName, attributes }) => [...attributes].filter(({ name }) => /^on/i.test(name)).map(({ name, value }) => `${localName} ${name} ${value}`);

/** Attributes with an address that runs code. @param {Element} element */
const codeAddresses = ({ localName, attributes }) =>
  [...attributes].filter(({ name, value }) => ADDRESSES.includes(name) && RUNS_CODE.test(value)).map(({ name, value }) => `${localName} ${name} ${value}`);

/** One part of all, because a page may have hundreds. @param {string} kind @param {string[]} found */
function together(kind, found) {
  const text = [...new Set(found)].sort().join('\n');
  return text ? [sha256(text).then((hash) => ({ kind, source: '', hash, integrity: false, exact: '', shape: shapeOf(text) }))] : [];
}

/** A frame with a document in its attributes, or of an origin that is not the gateway's. @param {Element} frame @param {string} gateway */
function frameParts(frame, gateway) {
  const srcdoc = frame.getAttribute('srcdoc');
  const url = srcdoc === null ? addressOf(frame) : '';
  if (OF_BROWSER.test(url) || RUNS_CODE.test(url) || (srcdoc === null && !url)) return [];
  const { protocol, origin } = url ? new URL(url) : { protocol: 'srcdoc:', origin: '' };
  if (origin === gateway || protocol === 'about:') return [];
  const content = srcdoc ?? (protocol === 'data:' ? url : '');
  const source = /^https?:$/.test(protocol) ? origin : protocol;
  return [sha256(content).then((hash) => ({ kind: 'FRAME', source, hash: content && hash, integrity: false, exact: '', shape: source + shapeOf(content) }))];
}

/** @param {Document} page */
const bases = (page) =>
  [...page.querySelectorAll('base[href]')].map(async (base) => {
    const source = plainSource(new URL(/** @type {HTMLBaseElement} */ (base).href));
    return { kind: 'BASE', source, hash: '', integrity: false, exact: '', shape: source };
  });

/** @param {Document} page */
const policies = (page) =>
  [...page.querySelectorAll('meta[http-equiv="content-security-policy" i]')].map(async (meta) => {
    const hash = await sha256(withoutNonces(meta.getAttribute('content') ?? ''));
    return { kind: 'POLICY', source: 'content-security-policy', hash, integrity: false, exact: '', shape: '' };
  });

/** The security headers of the page, as its server gives them to somebody without cookies. `undefined`: they cannot be read. @returns {Promise<Part[] | undefined>} */
async function headersOf() {
  try {
    const answer = await fetch(location.origin + location.pathname, { method: 'HEAD', credentials: 'omit', cache: 'no-store', redirect: 'error', signal: AbortSignal.timeout(READ_MS) });
    if (!answer.ok) return undefined;
    const given = HEADERS.filter((name) => answer.headers.has(name));
    return Promise.all(given.map(async (source) => ({ kind: 'HEADER', source, hash: await sha256(withoutNonces(answer.headers.get(source) ?? '')), integrity: false, exact: '', shape: '' })));
  } catch {
    return undefined;
  }
}

/** A nonce differs at each load, and has to. @param {string} policy */
const withoutNonces = (policy) => policy.replace(/'nonce-[^']*'/gi, "'nonce-*'").trim();

// ---- Addresses and hashes ---------------------------------------------------------------------------------------------------

/** Origin and path, without what may be a person. @param {URL} url */
const plainSource = ({ origin, protocol, pathname }) =>
  (origin === 'null' ? protocol : origin + pathname.split('/').map((part) => (/^[^@]+(@|%40)[\w.-]+\.[a-z]{2,}$/i.test(part) ? '*' : part)).join('/')).slice(0, LONGEST_SOURCE);

/** A path of the shop, with a star for each part that may name a buyer or an order: one with four digits, an at sign, or more than 32 characters. @param {string} path */
const plainPath = (path) => path.split('/').map((part) => (/\d{4}|(\d.*){6}|@|%40|.{33}/i.test(part) ? '*' : part)).join('/').slice(0, LONGEST_SOURCE - location.origin.length);

/** The program without its texts and numbers. @param {string} text */
const shapeOf = (text) => text.replace(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'|`(\\.|[^`\\])*`|\d[\w.]*/gs, '0');

/** @param {string} address @returns {Promise<string>} empty if the page's policy or the server keeps it away */
async function hashAt(address) {
  let isForbidden = false;
  const onViolation = (/** @type {SecurityPolicyViolationEvent} */ { effectiveDirective, disposition }) => {
    isForbidden ||= effectiveDirective === 'connect-src' && disposition === 'enforce';
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  try {
    const answer = await fetch(address, { credentials: 'omit', cache: 'force-cache', signal: AbortSignal.timeout(READ_MS) });
    return answer.ok ? await digest(await answer.arrayBuffer()) : '';
  } catch (cause) {
    await new Promise((resolve) => setTimeout(resolve));
    // A network that fails is no change of the page.
    if (!isForbidden) throw cause;
    return '';
  } finally {
    document.removeEventListener('securitypolicyviolation', onViolation);
  }
}

/** @param {string} text */
const sha256 = (text) => digest(new TextEncoder().encode(text));

/** In base64url. @param {BufferSource} bytes */
async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...hash)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

// ---- The report -------------------------------------------------------------------------------------------------------------

/**
 * The fingerprints of parts, each once, as many as fit into a report. The last one stands for what does not fit.
 * @param {Part[]} parts @param {number} room in characters @returns {Promise<Entry[]>}
 */
export async function entriesOf(parts, room) {
  /** @type {Map<string, Entry>} */
  const found = new Map();
  for (const part of parts) {
    const exact = await sha256([part.kind, part.source, part.hash, part.exact].join('\n'));
    const shape = await sha256([part.kind, part.source, part.shape].join('\n'));
    const ids = exact.slice(0, EXACT) + shape.slice(0, SHAPE);
    found.set(ids, { ids, part });
  }
  const all = [...found.values()];
  const most = Math.floor(room / (EXACT + SHAPE));
  if (all.length <= most) return all;
  const rest = all.splice(most - 1).map(({ ids }) => ids).sort().join('');
  const last = { kind: 'REST', source: '', hash: await sha256(rest), integrity: false, exact: '', shape: '' };
  return [...all, ...(await entriesOf([last], room))];
}

/**
 * Sends the fingerprints of a load; where the gateway does not know one, what it is.
 * @param {string} address @param {{ session: string, page: string }} of @param {Part[]} parts @param {boolean} headers whether the page's headers are among them
 */
async function report(address, of, parts, headers) {
  const room = REPORT_BYTES - JSON.stringify({ ...of, entries: '', headers }).length;
  const entries = await entriesOf(parts, room);
  const load = { ...of, entries: entries.map(({ ids }) => ids).join(''), headers };
  const answer = await send(address, load);
  if (answer.status !== 200) return;
  /** @type {{ unknown: string[] }} */
  const { unknown } = await answer.json();
  const untold = entries.filter(({ ids }) => unknown.includes(ids.slice(0, EXACT)));
  while (untold.length) {
    const told = [];
    for (let next = untold[0]; next; next = untold[0]) {
      const { kind, source, hash, integrity } = /** @type {Part} */ (next.part);
      const row = [next.ids, kind, source, hash, integrity];
      if (told.length && JSON.stringify({ ...of, told: [...told, row] }).length > REPORT_BYTES) break;
      told.push(row);
      untold.shift();
    }
    if (!(await send(address, { ...of, told })).ok) return;
  }
  await send(address, load);
}

/** Without cookies, and without a header that the browser would first ask the gateway about. @param {string} address @param {object} body */
const send = (address, body) => fetch(address, { method: 'POST', body: JSON.stringify(body), credentials: 'omit', referrerPolicy: 'no-referrer', signal: AbortSignal.timeout(READ_MS) });
