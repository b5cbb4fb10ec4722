// @ts-check
// Attends to a form that is live: it counts the time of session and challenge and says when it runs out, passes on signs of the
// buyer, looks after the issuer's page, and asks the shop's page for another session. It decides nothing about the payment:
// that does the widget, which asks the gateway. Loaded after the form went live, because nobody needs it to type the first digit.

export { seal } from './encrypt-card.js';

/**
 * What the loader knows.
 * @typedef {object} Charge
 * @property {Record<string, any>} boot of the session
 * @property {Record<string, string>} texts
 * @property {MessagePort} port to the shop's page
 * @property {(boot: Record<string, any>) => void} price writes the sum of a session into its data
 * @property {(word: string) => void} attend tells the widget
 */
/** @typedef {'rest' | 'wait' | 'challenge' | 'renew' | 'over'} Doing */

/** Before the end of a session there are at least 20 seconds to react: a quarter of its time, at most a minute. */
const WARN_AT_LEAST_S = 20;
const WARN_AT_MOST_S = 60;
/** How often a sign of the buyer is passed on. */
const SIGN_MS = 20_000;
/** A wait that takes longer is explained. */
const SLOW_MS = 8_000;
/** An issuer's page that says nothing for so long may be opened in the whole window instead. */
const PAGE_MS = 10_000;
/** How often it is looked at what is in the issuer's place. */
const PLACE_MS = 100;
/** Past the end the gateway is asked, and not before: asking would prolong what is about to end. */
const LEEWAY_MS = 2_000;

/** Looks of what is here and nowhere else. */
const STYLE = `.clock { font-variant-numeric: tabular-nums; text-align: center; }
.clock > button { display: block; margin: 4px auto 0; color: inherit; }
#main > .clock { margin-top: 16px; }
[data-full] .wide { position: fixed; inset: 0; z-index: 1; display: flex; flex-direction: column; padding: 16px; background: var(--field); }
[data-full] #nested { flex: 1; min-height: 0; }
[data-full] #nested iframe { height: 100%; }`;

/** @type {Charge} */
let charge;
/** @type {Doing | undefined} */
let doing;
/** When session or challenge ends, by the clock of this device; how long that was when it was heard, and when. */
let endsMs = Infinity;
let spanS = 0;
let heardMs = 0;
let warned = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let patience;
/** What is on the page only while it is needed. @type {Element[]} */
let shown = [];
/** @type {AbortController | undefined} */
let guard;

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {<K extends keyof HTMLElementTagNameMap>(tag: K, members: object) => HTMLElementTagNameMap[K]} */
const make = (tag, members) => Object.assign(document.createElement(tag), members);
const tell = (/** @type {object} */ message) => charge.port.postMessage(message);
const attend = (/** @type {string} */ word) => charge.attend(word);

/**
 * The widget's word: what the form does, and how long that may last where it is news; or that the buyer typed, or left the e-mail
 * address.
 * @param {Charge} of @param {Doing | 'active' | 'email'} what @param {number} seconds @param {number} saidMs when
 */
export function hear(of, what, seconds, saidMs) {
  if (!charge) begin(of);
  if (what === 'active') return sign();
  if (what === 'email') return void import('{{lazy:email-suggestions}}').then(({ mind }) => mind(charge.texts), () => {});
  if (!Number.isNaN(seconds)) {
    heardMs = saidMs;
    spanS = what === doing ? Math.max(spanS, seconds) : seconds;
    endsMs = heardMs + seconds * 1000;
    if (warned && seconds * 1000 > warnMs()) clear();
  }
  if (what !== doing) become(what);
  tick();
}

/** @param {Charge} of */
function begin(of) {
  charge = of;
  const style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  document.adoptedStyleSheets = [style, ...document.adoptedStyleSheets];
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, sign);
  // Back from another tab, the bank's app, sleep, the browser's memory of pages, or from being offline.
  document.addEventListener('visibilitychange', () => document.hidden || back());
  addEventListener('pageshow', ({ persisted }) => persisted && back());
  addEventListener('online', back);
  charge.port.addEventListener('message', ({ data }) => {
    if (data?.type === 'renew') void take(data);
    // A keypad came up, which the page alone is told.
    if (data?.type === 'reveal') document.activeElement?.closest('.field')?.scrollIntoView({ block: 'nearest' });
  });
  name();
  // Another language names the form anew.
  new MutationObserver(name).observe(document.head, { childList: true, characterData: true, subtree: true });
}

/** The page is to call the frame as the form is called, in its language. */
function name() {
  tell({ type: 'ask', what: 'title', title: document.title, sandbox: charge.boot.sandbox });
}

function back() {
  if (doing !== 'over') attend('nudge');
}

/** The buyer is here. */
function sign() {
  if (doing !== 'rest' || Date.now() - heardMs < Math.min(SIGN_MS, spanS * 250)) return;
  heardMs = Date.now();
  attend('nudge');
}

/** @param {Doing} what */
function become(what) {
  clear();
  clearTimeout(patience);
  guard?.abort();
  doing = what;
  if (what === 'wait') patience = setTimeout(explain, SLOW_MS);
  if (what === 'challenge') watchPage();
  const { dataset } = document.documentElement;
  if ('full' in dataset) tell({ type: 'ask', what: 'uncover' });
  delete dataset.full;
  if (what === 'renew') tell({ type: 'ask', what: 'renew' });
}

function clear() {
  warned = false;
  for (const element of shown) element.remove();
  shown = [];
}

/** A wait is long: the buyer learns that this is known, and what to do. */
function explain() {
  const message = byId('message');
  message.textContent = byId('urgent').textContent = charge.texts.slow ?? '';
  message.hidden = false;
  tell({ type: 'error', code: 'gateway_slow', message: 'The gateway takes longer than usual to answer.' });
}

// ---- Time ---------------------------------------------------------------------------------------------------------------

function tick() {
  clearTimeout(timer);
  if ((doing !== 'rest' && doing !== 'challenge') || endsMs === Infinity) return;
  const leftMs = endsMs - Date.now();
  if (leftMs <= 0 && doing === 'challenge') attend('challenge_timeout');
  if (leftMs < -LEEWAY_MS) {
    endsMs = Infinity;
    return attend('nudge');
  }
  const quietMs = leftMs - warnMs();
  if (quietMs <= 0) warn(Math.max(0, Math.ceil(leftMs / 1000)));
  // To the second, and to the end itself.
  timer = setTimeout(tick, quietMs > 0 ? quietMs : (leftMs > 0 && leftMs % 1000) || 1000);
}

const warnMs = () => Math.max(WARN_AT_LEAST_S, Math.min(WARN_AT_MOST_S, spanS / 4)) * 1000;

/** @param {number} seconds */
function warn(seconds) {
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const text = (charge.texts.time_left ?? '').replace('{time}', time);
  if (!warned) {
    warned = true;
    const clock = make('p', { id: 'time-left', className: 'clock' });
    clock.setAttribute('role', 'timer');
    byId('urgent').textContent = text;
    if (doing === 'challenge') {
      byId('title').after(clock);
      shown.push(clock);
    } else {
      const stay = make('button', { type: 'button', className: 'quiet', textContent: charge.texts.stay });
      stay.addEventListener('click', () => attend('nudge'));
      const box = make('div', { className: 'message clock' });
      box.append(clock, stay);
      byId('main').append(box);
      shown.push(box);
    }
    tell({ type: 'ask', what: 'expiring', secondsLeft: seconds });
  }
  byId('time-left').textContent = text;
}

// ---- The issuer's page ------------------------------------------------------------------------------------------------------

function watchPage() {
  if (doing !== 'challenge') return;
  const page = byId('nested').querySelector('iframe');
  // The widget says what it does before it draws it.
  if (!page) return void requestAnimationFrame(watchPage);
  guard = new AbortController();
  const { signal } = guard;
  hold(signal);
  // The shop's page may want it in the whole window, or give it all of a small screen, whose size this frame is not told.
  charge.port.addEventListener('message', ({ data }) => {
    if (data?.type === 'redirect') leave(page.src);
    if (data?.type === 'cover') document.documentElement.dataset.full = '';
  }, { signal });
  tell({ type: 'ask', what: 'challenge' });
  let came = false;
  const late = setTimeout(() => came || offer(page.src), PAGE_MS);
  // A script in the shop's page can send the frame elsewhere. A document that never ends to load tells nothing, so it is looked at all the time.
  const look = () => {
    const place = placeOf(page);
    came ||= place === 'ours';
    // What is empty is not shown: it could be anybody's.
    page.style.visibility = came ? '' : 'hidden';
    if (signal.aborted || !page.isConnected || place === 'ours' || (place === 'none' && !came)) return;
    clearInterval(looking);
    takeAway(page, signal);
  };
  const looking = setInterval(look, PLACE_MS);
  signal.addEventListener('abort', () => (clearTimeout(late), clearInterval(looking)));
  page.addEventListener('load', look, { signal });
  look();
  addEventListener('securitypolicyviolation', ({ effectiveDirective }) => effectiveDirective === 'frame-src' && fail('blocked_by_policy', page.src), { signal });
  addEventListener('message', ({ data, origin, source }) => {
    if (source === page.contentWindow && origin !== location.origin && data?.type === 'challenge-returned') fail('notification_mismatch', page.src);
  }, { signal });
}

/**
 * What the frame shows: nothing yet; a document of this very challenge; or another one, or an error of the browser. What
 * the shop's page puts there is of its origin, be it empty, and can not be read from here.
 * @param {HTMLIFrameElement} page @returns {'none' | 'ours' | 'other'}
 */
function placeOf(page) {
  try {
    const { href, origin, pathname } = /** @type {Window} */ (page.contentWindow).location;
    if (href === 'about:blank') return 'none';
    const [, folder, , token] = pathname.split('/');
    return origin === location.origin && folder === 'threeds' && token === new URL(page.src).pathname.split('/')[3] ? 'ours' : 'other';
  } catch {
    return 'other';
  }
}

/** Nobody may take for the issuer's page what is not. @param {HTMLIFrameElement} page @param {AbortSignal} signal */
async function takeAway(page, signal) {
  const { src } = page;
  const text = charge.texts.challenge_away ?? '';
  page.replaceWith(make('p', { className: 'message bad', textContent: text }));
  byId('urgent').textContent = text;
  // Is the issuer's page away, or unwilling to be framed, or was the frame sent elsewhere?
  const there = await fetch(src, { signal }).then((answer) => answer.ok, () => false);
  if (!signal.aborted) fail(there ? 'challenge_replaced' : 'acs_unreachable', src);
}

/** @param {string} code @param {string} address */
function fail(code, address) {
  attend(code);
  tell({ type: 'error', code, message: "The issuer's page did not do what it should; see docs/errors.md." });
  offer(address);
}

/** The same challenge in the whole window. @param {string} address */
function offer(address) {
  if (byId('whole')) return;
  const whole = make('button', { id: 'whole', type: 'button', className: 'pay', textContent: charge.texts.challenge_open });
  whole.addEventListener('click', () => leave(address));
  byId('leave').before(whole);
  shown.push(whole);
}

/** The browser goes to the issuer, and comes back to the shop's address; the outcome is read from the gateway then. @param {string} address */
function leave(address) {
  tell({ type: 'statechange', state: 'REDIRECTED_TO_EXTERNAL_DOMAIN' });
  /** @type {Window} */ (top).location.href = address;
}

/** The dialog holds the focus: what comes after its end is its beginning. @param {AbortSignal} signal */
function hold(signal) {
  const panel = byId('panel');
  /** @param {() => void} turn */
  const edge = (turn) => {
    const element = make('div', { tabIndex: 0, className: 'heard' });
    element.addEventListener('focus', turn);
    signal.addEventListener('abort', () => element.remove());
    return element;
  };
  panel.prepend(edge(() => byId('leave').focus()));
  panel.append(edge(() => byId('title').focus()));
}

// ---- Another session ----------------------------------------------------------------------------------------------------------

/** What the shop's page brought: another session for the same payment, or none. @param {{ id: number, session?: unknown }} command */
async function take({ id, session }) {
  const boot = typeof session === 'string' && session ? await load(session).catch(() => {}) : undefined;
  if (!boot) attend('not_renewed');
  else {
    charge.price(boot);
    const same = TERMS.every((term) => boot[term] === charge.boot[term]);
    // The widget reads what it needs from this very object.
    Object.assign(charge.boot, boot);
    attend(same ? 'renewed' : 'renewed_otherwise');
  }
  tell({ type: 'reply', id, ...(boot ? {} : { error: { code: 'session_missing', message: 'No form can be shown for this session.' } }) });
}

/** What the buyer agreed to by pressing Pay. */
const TERMS = ['amount', 'currency', 'merchant', 'actionType'];
/** What the form is made for. */
const PLACE = ['merchantOrigin', 'version', 'fields', 'networks'];

/** As long as a request may take. */
const REQUEST_MS = 35_000;

/** A session's own page holds what the widget needs to know of it. @param {string} session */
async function load(session) {
  const address = new URL(location.href);
  address.searchParams.set('sessionid', session);
  // Whether it may take this one's place the gateway decides: only for the same order of the same terminal.
  address.searchParams.set('follows', charge.boot.session);
  const answer = await fetch(address, { signal: AbortSignal.timeout(REQUEST_MS) });
  if (!answer.ok) return undefined;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const boot = JSON.parse(page.getElementById('boot')?.textContent ?? 'null');
  // Only with the same inputs can it take this one's place.
  return PLACE.every((member) => JSON.stringify(boot?.[member]) === JSON.stringify(charge.boot[member])) ? boot : undefined;
}
