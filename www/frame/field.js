// @ts-check
// The loader of a frame that shows one field. The first such frame of a session becomes the driver and loads the widget for
// all of them; if the fields belong to a form, the form's frame does. Until the widget is live, the field is a plain input: what is
// typed stays in it.

import { ask } from './ask-gateway.js';
import { BuildPage } from './build-page.js';
import { Driver, siblings } from './driver.js';
import { applyMerchantStyle, openParentChannel } from './parent-channel.js';
import { loadWasm } from './load-wasm.js';
import { readTexts } from './texts.js';

/** @type {import('./port.js').FieldBoot} */
const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '');
const { id, driver: role, placeholder, errors, label, defaultValue } = boot.field;
const field = () => /** @type {HTMLInputElement} */ (document.getElementById(id));

const input = field();
document.documentElement.dataset.errors = errors;
// The form's frame will apply the appearance here.
if (location.search.includes('dressed=1')) document.documentElement.className = 'concealed';
if (!placeholder) input.removeAttribute('placeholder');
if (label) for (const place of document.querySelectorAll('label[for]')) place.textContent = label;
if (defaultValue && !input.value) input.value = defaultValue;

// The page can only focus the frame. With the keyboard the buyer gets into the field anyway.
addEventListener('focus', () => field().focus());

/** The driver of this session, wherever it is. */
const driver = () => window.payframe?.driver ?? siblings(boot.session).find((frame) => frame.payframe.driver)?.payframe.driver ?? window.payframe?.drivenBy;

// With helper inputs beside the field, browsers do not submit the form on Enter, so the key itself is handled.
document.getElementById('entry')?.addEventListener('submit', (event) => event.preventDefault());
addEventListener('keydown', (event) => {
  // The widget has prevented the default: the key belongs to a move of the focus by the form.
  if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented) return;
  event.preventDefault();
  driver()?.enter(id);
});
for (const helper of document.querySelectorAll('[data-for]')) {
  helper.addEventListener('input', () => {
    const filled = /** @type {HTMLInputElement} */ (helper);
    driver()?.hand(filled.dataset.for ?? '', filled.value);
    filled.value = '';
  });
}

if (parent !== window) {
  const own = /** @type {Window & { payframe: import('./driver.js').Member }} */ (/** @type {unknown} */ (window));
  own.payframe = { session: boot.session, id };
  if (role === 'self') {
    own.payframe.inherit = (kept) => becomeDriver(own, kept);
    openParentChannel(boot, {
      'build-here': () => driver()?.announce(id),
      'build-options': (wanted) => applyMerchantStyle(boot.session, field(), wanted),
      'build-confirm': ({ call }) => typeof call === 'string' && driver()?.confirm(call),
    });
  }
  const known = driver();
  if (known) known.join(own);
  else if (role === 'self') becomeDriver(own);
  addEventListener('pagehide', ({ persisted }) => {
    // A driver passes on its data by itself.
    if (persisted || !window.payframe || window.payframe.driver) return;
    driver()?.leave(own);
    window.payframe = undefined;
  });
}

/**
 * Becomes the driver. Present siblings join at once, others when they are added.
 * @param {Window & { payframe: import('./driver.js').Member }} own
 * @param {import('./driver.js').Kept} [kept] the data of the former driver
 */
function becomeDriver(own, kept) {
  const page = new BuildPage(boot);
  const driver = new Driver((id) => page.post({ event: 'READY', id }), kept);
  own.payframe.driver = driver;
  driver.confirm = (call) => page.confirm(call);
  for (const frame of [own, ...siblings(boot.session)]) driver.join(frame);
  // After another driver, in a task of its own: this frame may be removed together with that one.
  if (kept) setTimeout(start);
  else start();

  async function start() {
    try {
      const [{ widget, texts }, now] = await Promise.all([loadWidget(), kept && ask(boot.session, `build/state?sessionId=${encodeURIComponent(boot.session)}`)]);
      // The late part of the widget waits for its texts.
      globalThis.payframeLoadTexts = async (file) => Object.assign(texts, await readTexts(texts[file] ?? ''));
      // If the script does not load, nothing is sent, and the page gets `HF0002`.
      globalThis.payframeEncryptCard = (items) => widget.loadBrowserScript().then(({ encryptCard }) => encryptCard(items, boot));
      // The page's own script closes the payment, or has its server close it.
      widget.prepare(page.widgetPort, { ...boot, state: now?.body ?? boot.state, closing: 'PAGE', cardSummary: 'NONE' }, texts, {});
      widget.draw();
      widget.start(false);
      driver.live(widget);
      widget.loadRest(widget);
      // The page has a layout of its own, and no place for a sentence of ours.
      widget.loadBrowserScript().then(({ guardFields }) => guardFields(() => {}), () => {});
      if (boot.watch) page.post({ payframe: 1, type: 'build-watch', session: boot.session });
    } catch (cause) {
      for (const id of driver.shown) page.post({ payframe: 1, type: 'unavailable', id, errorCode: 'HF9002', errorMessage: `The field could not start: ${cause}` });
    }
  }
}

async function loadWidget() {
  const [widget, module_or_path, texts] = await loadWasm();
  await widget.default({ module_or_path });
  return { widget, texts };
}
