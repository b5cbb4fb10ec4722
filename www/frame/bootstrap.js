// @ts-check
// Makes a form live, and from then on stands between the widget and the scripts that are loaded when something needs them. The
// build puts it into one file with the widget's glue, so that the page itself holds no more than its first moments need.
// Nothing here reads a field.

import { price } from './money.js';
import { pace } from './pace.js';

/** @typedef {typeof import('{{glue}}')} Widget */

/**
 * What the loader of a form's page knows.
 * @typedef {object} Page
 * @property {import('./port.js').FormBoot} boot of the session
 * @property {Record<string, string>} texts
 * @property {() => '' | 'key' | 'pointer'} pressed by what the buyer pressed on Pay already
 * @property {(text?: string) => void} show a sentence
 * @property {(code: string, text?: string) => void} fail ends the form with a sentence for the buyer and a code for the shop
 * @property {(appearance?: unknown) => void} applyAppearance applies the appearance that the shop's page chose, or anew the one that it chose last
 */

/** @type {Page} */
let page;
/** @type {Widget} */
let widget;
/** To the shop's page. @type {MessagePort} */
let port;

/**
 * Starts the widget in the page of a form, once the shop's page has said how it wants it.
 * @param {Widget} glue this very module
 * @param {WebAssembly.Module | string} wasm or where it is
 * @param {Promise<[MessagePort, Record<string, any>]>} agreed the line to the shop's page, and its options
 * @param {Page} of
 */
export async function bootstrap(glue, wasm, agreed, of) {
  [widget, page] = [glue, of];
  const { boot, texts } = page;
  const told = agreed.then(async ([line, options]) => {
    port = line;
    pace(port);
    // Without the words that it wanted, the form has ours.
    await applyLocale(options)?.catch(() => {});
    return options;
  });
  const [options] = await Promise.all([told, widget.default({ module_or_path: wasm })]);
  globalThis.payframeLoadChoiceTexts = loadChoiceTexts;
  globalThis.payframeEncryptCard = onEncryptCard;
  globalThis.payframeSuggestEmail = onSuggestEmail;
  port.addEventListener('message', onUpdate);
  port.addEventListener('message', onConfirm);
  // Where the fields have frames of their own, their driver listens in.
  const driver = window.payframe?.driver;
  widget.prepare(driver?.tap(port) ?? port, boot, texts, options);
  // Tasks of their own, so that a key pressed meanwhile is answered first. Not where the fields have frames: one that came or went in
  // between would stay unknown to the widget, which has taken the inputs that there were.
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
  if (boot.methods ?? boot.installments ?? boot.saved ?? boot.consent) {
    // Side by side with the part that draws them, which loads them again if they do not come.
    loadChoiceTexts().catch(() => {});
    widget.loadLatePart();
  }
  if (early === 'pointer') holdPress(/** @type {HTMLElement} */ (document.getElementById('pay')));
  else setTimeout(() => loadGuard().catch(() => {}));
  const loadRest = () => {
    widget.loadLatePart();
    loadEncryption().catch(() => {});
  };
  // Not every browser says when it rests.
  if ('requestIdleCallback' in window) requestIdleCallback(loadRest, { timeout: LATE_MS });
  else setTimeout(loadRest, LATE_MS);
}

/** So long a busy page may put off what the first press needs. */
const LATE_MS = 1000;

/** Soon, where the browser paints nothing: in a hidden frame, or out of sight. @type {typeof payframeAfterPaint} */
globalThis.payframeAfterPaint = (act) => {
  // A second time it finds nothing to do.
  setTimeout(act, 100);
  requestAnimationFrame(() => setTimeout(act));
};

/** What the program throws at a panic: the module a trap, the script for browsers without WebAssembly this error. @param {any} cause */
const isPanic = (cause) => (globalThis.WebAssembly && cause instanceof WebAssembly.RuntimeError) || cause?.message === 'abort';

/** @param {unknown} cause */
function crashed(cause) {
  // A payment may have been sent: the form must not invite to pay again.
  if (isPanic(cause)) page.fail('frame_crashed', page.texts.unknown_text?.replace('{merchant}', page.boot.merchant));
}

/** @param {string} code @param {string} message */
const reportError = (code, message) => port.postMessage({ type: 'error', code, message });

// ---- The guard ----------------------------------------------------------------------------------------------------------

/** Who judges presses, once it is there. @type {import('./clickjacking-guard.js').ClickjackingGuard | undefined} */
let guard;
/** @type {Promise<import('./clickjacking-guard.js').ClickjackingGuard> | undefined} */
let loadingGuard;
/** Browsers may remember of an address that it gave nothing. */
let guardRetryMark = '';

const loadGuard = () =>
  (loadingGuard ??= import('{{lazy:clickjacking-guard}}' + guardRetryMark).then(({ ClickjackingGuard }) => (guard = new ClickjackingGuard(page, reportError))).catch((cause) => {
    loadingGuard = undefined;
    guardRetryMark += '?';
    throw cause;
  }));

/** A press by pointer that pays counts once it is judged; where nobody comes who can, it is asked for again. @param {HTMLElement} button */
const holdPress = (button) => loadGuard().then((guard) => guard.holdPress(button), () => page.show(page.texts.press_again));

/** Clicks without a count are those by key or by a tool for people who see nothing, and those that were judged. @param {MouseEvent} event */
function onClick(event) {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('#pay,[data-pays]'));
  if (!button || !event.detail || guard?.accepts(button)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!guard) holdPress(button);
}

/** The page's script wants to pay. It has no say in frames that name no sum. @param {MessageEvent} event */
function onConfirm(event) {
  const { data } = event;
  // One that was judged comes again, by ourselves.
  if (data?.type !== 'confirm' || !event.isTrusted || !document.getElementById('promise')) return;
  event.stopImmediatePropagation();
  loadGuard()
    .then((guard) => guard.refusalOf(event), () => 'script_blocked')
    .then((code) => {
      if (code) port.postMessage({ type: 'reply', id: data.id, error: { code, message: code } });
      else port.dispatchEvent(new MessageEvent('message', { data }));
    });
}

// ---- Texts and appearance -----------------------------------------------------------------------------------------------

/** So soon the widget has done as it was told, also by way of the driver of fields in frames of their own. */
const EMPTIED_MS = 100;

/** What the words are of: a language, and texts of the merchant. @type {Record<string, string> | undefined} */
let applied;
/** Until they are there. @type {Promise<void> | undefined} */
let applying;

/**
 * Puts the words into the form that the shop's page asks for, unless they are there already.
 * @param {Record<string, string>} options
 */
function applyLocale({ locale = '', texts: own = '' }) {
  const { boot, texts } = page;
  const before = (applied ??= { locale, own: '' });
  if (before.locale === locale && before.own === own) return applying;
  applied = { locale, own };
  const work = (applying ?? Promise.resolve()).catch(() => {}).then(async () => {
    try {
      const { switchLocale } = await import('{{lazy:locale-switch}}');
      await switchLocale(texts, before.locale === locale ? undefined : locale, own, reportError);
      // Another language writes the sum in another way; a number format is slow to make.
      price(boot, texts, boot.offer ?? boot, before.locale === locale ? boot.amountText : undefined);
      // What is drawn already changes its words too, once the widget hears of it.
      if (texts.choice_methods) await loadChoiceTexts();
    } catch (cause) {
      applied = before;
      throw cause;
    } finally {
      if (applying === work) applying = undefined;
    }
  });
  return (applying = work);
}

/** An order of the shop's page to change the form. The widget hears of it once the words are there. @param {MessageEvent} event */
function onUpdate(event) {
  const { type, id, options } = event.data ?? {};
  page.applyAppearance(options?.appearance);
  // What waits for empty fields is put on once the widget has emptied them.
  if (type === 'clear') setTimeout(page.applyAppearance, EMPTIED_MS);
  const words = type === 'update' && applyLocale(Object(options));
  if (!words) return;
  event.stopImmediatePropagation();
  const refusal = { code: 'locale_failed', message: 'the texts of that language did not load' };
  words.then(
    () => port.dispatchEvent(new MessageEvent('message', { data: event.data })),
    () => {
      port.postMessage({ type: 'reply', id, error: refusal });
      reportError(refusal.code, refusal.message);
    },
  );
}

// ---- Choices and card data ----------------------------------------------------------------------------------------------

/** Adds the texts of choices to the form's, in the language that the page has now. @type {typeof payframeLoadChoiceTexts} */
const loadChoiceTexts = async () => Object.assign(page.texts, (await import(page.texts.$choices ?? '')).default);


// ---- Encryption -----------------------------------------------------------------------------------------------------------

/** Browsers may remember of an address that it gave nothing: then another one of the same script does. */
let retryMark = '';
/** As long as a request may take. */
const LOAD_TIMEOUT_MS = 35_000;

/**
 * Loads what encrypts the card: WebCrypto is the browser's.
 * @returns {Promise<typeof import('./encrypt-card.js')>}
 */
export const loadEncryption = () =>
  Promise.race([import('{{lazy:encrypt-card}}' + retryMark), new Promise((_, refuse) => setTimeout(refuse, LOAD_TIMEOUT_MS))]).catch((cause) => {
    retryMark += '?';
    throw cause;
  });

/** What does not come encrypts nothing, and nothing is sent. Who presses again has it tried again. @type {typeof payframeEncryptCard} */
const onEncryptCard = (items) =>
  loadEncryption().then(
    ({ encryptCard }) => encryptCard(items, page.boot),
    (cause) => {
      reportError('encryption_unavailable', String(cause));
      throw cause;
    },
  );

/** The buyer left the e-mail address. */
const onSuggestEmail = () => void import('{{lazy:email-suggestions}}').then(({ suggestEmail }) => suggestEmail(page.texts), () => {});
