// @ts-check
// Makes a form live, and then connects the widget with the scripts that are loaded on demand. The
// build puts it into one file with the widget's glue, so that the page itself contains only what it needs at first.
// Nothing here reads a field.

import { pace } from './pace.js';
import { readTexts } from './texts.js';

/** @typedef {typeof import('{{glue}}')} Widget */
/** @typedef {import('../sdk/messages.js').FrameMessage} FrameMessage */

/**
 * What the loader of a form's page passes on.
 * @typedef {object} Page
 * @property {import('./port.js').FormBoot} boot of the session
 * @property {Record<string, string>} texts
 * @property {() => '' | 'key' | 'pointer'} pressed whether the buyer has pressed Pay already, and by what
 * @property {(text?: string) => void} show a sentence
 * @property {(code: import('../sdk/messages.js').PayframeErrorCode, text?: string) => void} fail ends the form with a sentence for the buyer and a code for the shop
 * @property {(appearance?: unknown) => void} applyAppearance applies an appearance, or again the one that the shop's page chose last
 */

/** @type {Page} */
let page;
/** @type {Widget} */
let widget;
/** To the shop's page. @type {MessagePort} */
let port;

/**
 * Starts the widget in the page of a form, once the shop's page has sent its options.
 * @param {Widget} glue this very module
 * @param {WebAssembly.Module | string} wasm the module, or its address
 * @param {Promise<[MessagePort, Record<string, any>]>} agreed the port to the shop's page, and its options
 * @param {Page} of
 */
export async function bootstrap(glue, wasm, agreed, of) {
  [widget, page] = [glue, of];
  const { boot, texts } = page;
  const told = agreed.then(async ([line, options]) => {
    port = line;
    pace(port);
    // If the texts that the page wants do not load, the form keeps its own. Another language writes the sum in another way.
    await applyLocale(options)?.then(async () => (await loadBrowserScript()).price(boot, texts, boot.offer ?? boot), () => {});
    return options;
  });
  const [options] = await Promise.all([told, widget.default({ module_or_path: wasm })]);
  globalThis.payframeLoadTexts = addTexts;
  globalThis.payframeEncryptCard = onEncryptCard;
  port.addEventListener('message', onUpdate);
  port.addEventListener('message', onConfirm);
  // With fields in frames of their own, the driver listens too.
  const driver = window.payframe?.driver;
  widget.prepare(driver?.tap(port) ?? port, boot, texts, options);
  // Tasks of their own, so that a key that is pressed meanwhile is handled first. Not with fields in frames of their own: the widget would
  // not notice a frame that is added or removed between two tasks.
  const pause = () => driver ?? new Promise((resume) => setTimeout(resume));
  await pause();
  widget.draw();
  await pause();
  const early = page.pressed();
  widget.start(early === 'key');
  addEventListener('click', onClick, true);
  driver?.live(widget);
  addEventListener('error', ({ error }) => crashed(error));
  addEventListener('unhandledrejection', ({ reason }) => crashed(reason));
  if (boot.methods ?? boot.installments ?? boot.saved ?? boot.consent ?? boot.billing) {
    // At the same time as the part that draws the choices; that part loads the texts again if they do not arrive.
    addTexts('$choices').catch(() => {});
    widget.loadLatePart();
  }
  if (early === 'pointer') holdPress(/** @type {HTMLElement} */ (document.getElementById('pay')));
  else setTimeout(() => loadGuard().catch(() => {}));
  loadRest(widget);
}

/** Loads what the first press needs, when the browser rests. @param {Pick<Widget, 'loadLatePart'>} widget */
export function loadRest(widget) {
  const load = () => {
    widget.loadLatePart();
    loadBrowserScript().catch(() => {});
  };
  // Not every browser has `requestIdleCallback`.
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: LATE_MS });
  else setTimeout(load, LATE_MS);
}

/** A busy page may delay what the first press needs by this time. */
const LATE_MS = 1000;

/** After the next paint; with a time limit, because a hidden frame is not painted. @type {typeof payframeAfterPaint} */
globalThis.payframeAfterPaint = (act) => {
  // A second call does nothing.
  setTimeout(act, 100);
  requestAnimationFrame(() => setTimeout(act));
};

/** Whether an error is a panic of the widget: the module traps, the script for browsers without WebAssembly throws `abort`. @param {any} cause */
const isPanic = (cause) => (globalThis.WebAssembly && cause instanceof WebAssembly.RuntimeError) || cause?.message === 'abort';

/** @param {unknown} cause */
function crashed(cause) {
  // A payment may have been sent: the form must not invite to pay again.
  if (isPanic(cause)) page.fail('frame_crashed', page.texts.unknown_text?.replace('{merchant}', page.boot.merchant));
}

/** @param {import('../sdk/messages.js').PayframeErrorCode} code @param {string} message */
const reportError = (code, message) => port.postMessage(/** @satisfies {FrameMessage} */ ({ type: 'error', code, message }));

/** @param {number} id of the command @param {import('../sdk/messages.js').CommandError} error */
const refuse = (id, error) => port.postMessage(/** @satisfies {FrameMessage} */ ({ type: 'reply', id, error }));

// ---- What only the browser can do -----------------------------------------------------------------------------------------

/** @typedef {typeof import('./browser.js')} BrowserScript */

/** @type {Promise<BrowserScript> | undefined} */
let loadingBrowserScript;
/** Browsers may cache a failed load, so the next try needs another address. The page's import map has the hash for this many (`xtask/src/import_map.rs`). */
const ADDRESSES = 8;
let failures = 0;
/** The time limit of a request. */
const LOAD_TIMEOUT_MS = 35_000;

/**
 * Loads the script for what only the browser can do. After a failure the next call tries again.
 * @returns {Promise<BrowserScript>}
 */
export const loadBrowserScript = () =>
  (loadingBrowserScript ??= Promise.race([import('{{lazy:browser}}' + '?'.repeat(failures % ADDRESSES)), new Promise((_, refuse) => setTimeout(refuse, LOAD_TIMEOUT_MS))]).catch((cause) => {
    loadingBrowserScript = undefined;
    failures++;
    throw cause;
  }));

// ---- The clickjacking guard ---------------------------------------------------------------------------------------------

/** Checks presses, once it is loaded. @type {import('./clickjacking-guard.js').ClickjackingGuard | undefined} */
let guard;

const loadGuard = () => loadBrowserScript().then(({ guardForm }) => (guard ??= guardForm(page, reportError)));

/** A press by pointer that pays counts once the guard has checked it. If the guard does not load, nothing is sent, and the next press tries again. @param {HTMLElement} button */
const holdPress = (button) =>
  loadGuard().then(
    (guard) => guard.holdPress(button),
    (cause) => {
      page.show(page.texts.connection_lost);
      reportError('encryption_unavailable', String(cause));
    },
  );

/** Clicks whose `detail` is 0 come from a key, from assistive technology, or from the guard after its check. @param {MouseEvent} event */
function onClick(event) {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('#pay,[data-pays]'));
  if (!button || !event.detail || guard?.accepts(button)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!guard) holdPress(button);
}

/** The page's script calls `confirm()`. The guard checks it where the frame shows a sum. @param {MessageEvent} event */
function onConfirm(event) {
  const { data } = event;
  // After the check the event is dispatched again, as an untrusted one.
  if (data?.type !== 'confirm' || !event.isTrusted || !document.getElementById('promise')) return;
  event.stopImmediatePropagation();
  loadGuard()
    .then((guard) => guard.refusalOf(event), () => /** @type {const} */ ('script_blocked'))
    .then((code) => {
      if (code) refuse(data.id, { code, message: code });
      else port.dispatchEvent(new MessageEvent('message', { data }));
    });
}

// ---- Texts and appearance -----------------------------------------------------------------------------------------------

/** Within this time the widget has carried out a command, also with fields in frames of their own. */
const EMPTIED_MS = 100;

/** The language and the merchant's texts that are shown. @type {Record<string, string> | undefined} */
let applied;
/** Settles once they are loaded. @type {Promise<void> | undefined} */
let applying;

/**
 * Shows the form in the language and with the texts that the shop's page wants, unless it does already.
 * @param {Record<string, string>} options
 */
function applyLocale({ locale = '', texts: own = '' }) {
  const { texts } = page;
  const before = (applied ??= { locale, own: '' });
  if (before.locale === locale && before.own === own) return applying;
  applied = { locale, own };
  const work = (applying ?? Promise.resolve()).catch(() => {}).then(async () => {
    try {
      const { switchLocale } = await loadBrowserScript();
      await switchLocale(texts, before.locale === locale ? undefined : locale, own, reportError);
      // The widget draws its parts again once it gets the command.
      if (texts.choice_methods) await addTexts('$choices');
    } catch (cause) {
      applied = before;
      throw cause;
    } finally {
      if (applying === work) applying = undefined;
    }
  });
  return (applying = work);
}

/** A command of the shop's page that changes the form. The widget gets it once the texts are loaded. @param {MessageEvent} event */
function onUpdate(event) {
  const { type, id, options } = event.data ?? {};
  page.applyAppearance(options?.appearance);
  // An appearance that waits for empty fields is applied once the widget has emptied them.
  if (type === 'clear') setTimeout(page.applyAppearance, EMPTIED_MS);
  const words = type === 'update' && applyLocale(Object(options));
  if (!words) return;
  event.stopImmediatePropagation();
  /** @type {import('../sdk/messages.js').CommandError} */
  const refusal = { code: 'locale_failed', message: 'the texts of that language did not load' };
  words.then(
    () => port.dispatchEvent(new MessageEvent('message', { data: event.data })),
    () => {
      refuse(id, refusal);
      reportError(refusal.code, refusal.message);
    },
  );
}

// ---- Texts that come later ----------------------------------------------------------------------------------------------

/** @type {typeof payframeLoadTexts} */
async function addTexts(file) {
  const path = page.texts[file];
  const added = await readTexts(path ?? '');
  // The language may have changed meanwhile.
  return path === page.texts[file] ? Object.assign(page.texts, added) : addTexts(file);
}

// ---- Encryption -----------------------------------------------------------------------------------------------------------

/** If the script does not load, nothing is sent, and the next press tries again. @type {typeof payframeEncryptCard} */
const onEncryptCard = (items) =>
  loadBrowserScript().then(
    ({ encryptCard }) => encryptCard(items, page.boot),
    (cause) => {
      reportError('encryption_unavailable', String(cause));
      throw cause;
    },
  );
