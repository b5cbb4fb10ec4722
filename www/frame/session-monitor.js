// @ts-check
// Watches a form that is live: it counts the time of session and challenge and says when it runs out, passes on signs of the
// buyer, looks after the issuer's page, and asks the shop's page for another session. It decides nothing about the payment:
// that does the widget, which asks the gateway. Loaded after the form went live, because nobody needs it to type the first digit.

export { encryptCard } from './encrypt-card.js';

/**
 * What the loader knows.
 * @typedef {object} Context
 * @property {FormBoot} boot of the session
 * @property {Record<string, string>} texts
 * @property {MessagePort} port to the shop's page
 * @property {(boot: FormBoot) => void} price writes the sum of a session into its data
 * @property {(event: FrameEvent) => void} onFrameEvent tells the widget
 */
/** @import { FormBoot, FormNotice, FrameEvent } from './port.js' */
/** @import { FrameMessage } from '../sdk/messages.js' */
/** @typedef {Exclude<FormNotice, 'active' | 'email'>} Status */

/** Before the end of a session there are at least 20 seconds to react: a quarter of its time, at most a minute. */
const WARN_AT_LEAST_S = 20;
const WARN_AT_MOST_S = 60;
/** How often a sign of the buyer is passed on. */
const ACTIVITY_MS = 20_000;
/** A wait that takes longer is explained. */
const SLOW_MS = 8_000;
/** An issuer's page that says nothing for so long may be opened in the whole window instead. */
const ISSUER_PAGE_MS = 10_000;
/** How often it is looked at what is in the issuer's place. */
const LOOK_MS = 100;
/** Past the end the gateway is asked, and not before: asking would prolong what is about to end. */
const LEEWAY_MS = 2_000;

/** Looks of what is here and nowhere else. */
const STYLE = `.clock { font-variant-numeric: tabular-nums; text-align: center; }
.clock > button { display: block; margin: 4px auto 0; color: inherit; }
#main > .clock { margin-top: 16px; }
[data-full] .wide { position: fixed; inset: 0; z-index: 1; display: flex; flex-direction: column; padding: 16px; background: var(--field); }
[data-full] #nested { flex: 1; min-height: 0; }
[data-full] #nested iframe { height: 100%; }`;

/** @type {Context} */
let context;
/** @type {Status | undefined} */
let status;
/** When session or challenge ends, by the clock of this device; how long that was when it was heard, and when. */
let endsMs = Infinity;
let spanS = 0;
let heardMs = 0;
let warned = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let slowTimer;
/** What is on the page only while it is needed. @type {Element[]} */
let shown = [];
/** @type {AbortController | undefined} */
let challengeEnd;

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {<K extends keyof HTMLElementTagNameMap>(tag: K, members: object) => HTMLElementTagNameMap[K]} */
const make = (tag, members) => Object.assign(document.createElement(tag), members);
const postToPage = (/** @type {FrameMessage} */ message) => context.port.postMessage(message);
const notifyWidget = (/** @type {FrameEvent} */ event) => context.onFrameEvent(event);

/**
 * The widget's word: what the form does, and how long that may last where it is news; or that the buyer typed, or left the e-mail
 * address.
 * @param {Context} of @param {FormNotice} what @param {number} seconds @param {number} saidMs when
 */
export function onStatus(of, what, seconds, saidMs) {
  if (!context) init(of);
  if (what === 'active') return onActivity();
  if (what === 'email') return void import('{{lazy:email-suggestions}}').then(({ suggestEmail }) => suggestEmail(context.texts), () => {});
  if (!Number.isNaN(seconds)) {
    heardMs = saidMs;
    spanS = what === status ? Math.max(spanS, seconds) : seconds;
    endsMs = heardMs + seconds * 1000;
    if (warned && seconds * 1000 > warnMs()) clearWarning();
  }
  else if (what === status) return;
  if (what !== status) setStatus(what);
  tick();
}

/** @param {Context} of */
function init(of) {
  context = of;
  const style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  document.adoptedStyleSheets = [style, ...document.adoptedStyleSheets];
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, onActivity);
  // Back from another tab, the bank's app, sleep, the browser's memory of pages, or from being offline.
  document.addEventListener('visibilitychange', () => document.hidden || onReturn());
  addEventListener('pageshow', ({ persisted }) => persisted && onReturn());
  addEventListener('online', onReturn);
  context.port.addEventListener('message', ({ data }) => {
    if (data?.type === 'renew') void takeOver(data);
    // A keypad came up, which the page alone is told.
    if (data?.type === 'reveal') document.activeElement?.closest('.field')?.scrollIntoView({ block: 'nearest' });
  });
  reportTitle();
  // Another language names the form anew.
  new MutationObserver(reportTitle).observe(document.head, { childList: true, characterData: true, subtree: true });
}

/** The page is to call the frame as the form is called, in its language. */
function reportTitle() {
  postToPage({ type: 'ask', what: 'title', title: document.title, sandbox: context.boot.sandbox });
}

function onReturn() {
  if (status !== 'over') notifyWidget('refresh_state');
}

/** The buyer is here. */
function onActivity() {
  if (status !== 'rest' || Date.now() - heardMs < Math.min(ACTIVITY_MS, spanS * 250)) return;
  heardMs = Date.now();
  notifyWidget('refresh_state');
}

/** @param {Status} what */
function setStatus(what) {
  clearWarning();
  clearTimeout(slowTimer);
  challengeEnd?.abort();
  status = what;
  if (what === 'wait') slowTimer = setTimeout(explainWait, SLOW_MS);
  if (what === 'challenge') watchIssuerPage();
  const { dataset } = document.documentElement;
  if ('full' in dataset) postToPage({ type: 'ask', what: 'uncover' });
  delete dataset.full;
  if (what === 'renew') postToPage({ type: 'ask', what: 'renew' });
}

function clearWarning() {
  warned = false;
  for (const element of shown) element.remove();
  shown = [];
}

/** A wait is long: the buyer learns that this is known, and what to do. */
function explainWait() {
  const message = byId('message');
  message.textContent = byId('urgent').textContent = context.texts.slow ?? '';
  message.hidden = false;
  postToPage({ type: 'error', code: 'gateway_slow', message: 'The gateway takes longer than usual to answer.' });
}

// ---- Time ---------------------------------------------------------------------------------------------------------------

function tick() {
  clearTimeout(timer);
  if ((status !== 'rest' && status !== 'challenge') || endsMs === Infinity) return;
  const leftMs = endsMs - Date.now();
  if (leftMs <= 0 && status === 'challenge') notifyWidget('challenge_timeout');
  if (leftMs < -LEEWAY_MS) {
    endsMs = Infinity;
    return notifyWidget('refresh_state');
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
  const text = (context.texts.time_left ?? '').replace('{time}', time);
  if (!warned) {
    warned = true;
    const clock = make('p', { id: 'time-left', className: 'clock' });
    clock.setAttribute('role', 'timer');
    byId('urgent').textContent = text;
    if (status === 'challenge') {
      byId('title').after(clock);
      shown.push(clock);
    } else {
      const stay = make('button', { type: 'button', className: 'quiet', textContent: context.texts.stay });
      stay.addEventListener('click', () => notifyWidget('refresh_state'));
      const box = make('div', { className: 'message clock' });
      box.append(clock, stay);
      byId('main').append(box);
      shown.push(box);
    }
    postToPage({ type: 'ask', what: 'expiring', secondsLeft: seconds });
  }
  byId('time-left').textContent = text;
}

// ---- The issuer's page ------------------------------------------------------------------------------------------------------

function watchIssuerPage() {
  if (status !== 'challenge') return;
  const page = byId('nested').querySelector('iframe');
  // The widget says what it does before it draws it.
  if (!page) return void requestAnimationFrame(watchIssuerPage);
  challengeEnd = new AbortController();
  const { signal } = challengeEnd;
  trapFocus(signal);
  // The shop's page may want it in the whole window, or give it all of a small screen, whose size this frame is not told.
  context.port.addEventListener('message', ({ data }) => {
    if (data?.type === 'redirect') redirect(page.src);
    if (data?.type === 'cover') document.documentElement.dataset.full = '';
  }, { signal });
  postToPage({ type: 'ask', what: 'challenge' });
  let came = false;
  const late = setTimeout(() => came || offerWindow(page.src), ISSUER_PAGE_MS);
  // A script in the shop's page can send the frame elsewhere. A document that never ends to load tells nothing, so it is looked at all the time.
  const look = () => {
    const place = contentOf(page);
    came ||= place === 'ours';
    // What is empty is not shown: it could be anybody's.
    page.style.visibility = came ? '' : 'hidden';
    if (signal.aborted || !page.isConnected || place === 'ours' || (place === 'none' && !came)) return;
    clearInterval(looking);
    removePage(page, signal);
  };
  const looking = setInterval(look, LOOK_MS);
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
function contentOf(page) {
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
async function removePage(page, signal) {
  const { src } = page;
  const text = context.texts.challenge_away ?? '';
  page.replaceWith(make('p', { className: 'message bad', textContent: text }));
  byId('urgent').textContent = text;
  // Is the issuer's page away, or unwilling to be framed, or was the frame sent elsewhere?
  const there = await fetch(src, { signal }).then((answer) => answer.ok, () => false);
  if (!signal.aborted) fail(there ? 'challenge_replaced' : 'acs_unreachable', src);
}

/** @param {import('../sdk/messages.js').ChallengeProblem} code @param {string} address */
function fail(code, address) {
  notifyWidget(code);
  postToPage({ type: 'error', code, message: "The issuer's page did not do what it should; see docs/errors.md." });
  offerWindow(address);
}

/** The same challenge in the whole window. @param {string} address */
function offerWindow(address) {
  if (byId('whole')) return;
  const whole = make('button', { id: 'whole', type: 'button', className: 'pay', textContent: context.texts.challenge_open });
  whole.addEventListener('click', () => redirect(address));
  byId('leave').before(whole);
  shown.push(whole);
}

/** The browser goes to the issuer, and comes back to the shop's address; the outcome is read from the gateway then. @param {string} address */
function redirect(address) {
  postToPage({ type: 'statechange', state: 'REDIRECTED_TO_EXTERNAL_DOMAIN' });
  /** @type {Window} */ (top).location.href = address;
}

/** The dialog holds the focus: what comes after its end is its beginning. @param {AbortSignal} signal */
function trapFocus(signal) {
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
async function takeOver({ id, session }) {
  // What nobody asked for replaces nothing.
  const boot = status === 'renew' && typeof session === 'string' && session ? await loadBoot(session).catch(() => {}) : undefined;
  if (!boot) notifyWidget('not_renewed');
  else {
    context.price(boot);
    const same = TERMS.every((term) => boot[term] === context.boot[term]);
    // The widget reads what it needs from this very object.
    Object.assign(context.boot, boot);
    notifyWidget(same ? 'renewed' : 'renewed_otherwise');
  }
  postToPage({ type: 'reply', id, ...(boot ? {} : { error: { code: 'session_missing', message: 'No form can be shown for this session.' } }) });
}

/** What the buyer agreed to by pressing Pay. @type {(keyof FormBoot)[]} */
const TERMS = ['amount', 'currency', 'merchant', 'actionType'];
/** What the form is made for. @type {(keyof FormBoot)[]} */
const LAYOUT = ['merchantOrigin', 'version', 'fields', 'networks'];

/** As long as a request may take. */
const REQUEST_MS = 35_000;

/** A session's own page holds what the widget needs to know of it. @param {string} session */
async function loadBoot(session) {
  const address = new URL(location.href);
  address.searchParams.set('sessionid', session);
  // Whether it may take this one's place the gateway decides: only for the same order of the same terminal.
  address.searchParams.set('follows', context.boot.session);
  const answer = await fetch(address, { signal: AbortSignal.timeout(REQUEST_MS) });
  if (!answer.ok) return undefined;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const boot = JSON.parse(page.getElementById('boot')?.textContent ?? 'null');
  // Only with the same inputs can it take this one's place.
  return LAYOUT.every((member) => JSON.stringify(boot?.[member]) === JSON.stringify(context.boot[member])) ? boot : undefined;
}
