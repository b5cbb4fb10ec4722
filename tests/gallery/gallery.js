// @ts-check
/**
 * The gallery's page: every state of the form beside the others, in the theme, look and language that the address or the
 * person chose. Frames are of the same origin here, so the script can do in them what a buyer would.
 */

/** @typedef {import('../../www/sdk/payframe.js').PaymentFormElement} PaymentFormElement */

// On a small screen, a form with the issuer's page would cover all others.
Object.defineProperty(screen, 'width', { value: 1280 });

const LOOKS = {
  standard: '', minimal: 'minimal', 'high-contrast': 'high-contrast', floating: '{"labels":"floating"}', compact: '{"density":"compact"}', spacious: '{"density":"spacious"}',
  branded: '{"variables":{"colorAccent":"#7a1fa2","radius":20,"fontFamily":"Georgia, serif","colorBorder":"#8a6fa0"},"rules":{".Label":{"textTransform":"uppercase","letterSpacing":1}}}',
};
const asked = new URLSearchParams(location.search);
const { entry, ends, choices, details, languages } = await (await fetch('/states.json')).json();
const all = { ...entry, ...ends, ...choices, ...details };
/** @type {Record<string, [string, string[]]>} */
const CHOICES = {
  theme: ['light', ['light', 'dark']],
  look: ['standard', Object.keys(LOOKS)],
  lang: ['en', languages],
  states: ['all', ['all', 'entry', 'ends', 'choices', 'details', ...Object.keys(all)]],
};
const chosen = Object.fromEntries(Object.entries(CHOICES).map(([name, [usual]]) => [name, asked.get(name) ?? usual]));

/** @param {string} tag @param {Record<string, string>} members @param {(Node | string)[]} children */
function make(tag, members, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(members)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

document.documentElement.dataset.theme = chosen.theme;
if (asked.has('bare')) document.querySelector('header')?.remove();
for (const [name, [, values]] of Object.entries(CHOICES)) {
  const select = /** @type {HTMLSelectElement} */ (make('select', { name }, ...values.map((value) => new Option(value, value, false, value === chosen[name]))));
  select.onchange = () => {
    asked.set(name, select.value);
    location.search = `${asked}`;
  };
  document.querySelector('header')?.append(make('label', {}, name, select));
}

const groups = /** @type {Record<string, object>} */ ({ all, entry, ends, choices, details });
/** A group, or names separated by commas. */
const states = groups[chosen.states ?? ''] ?? Object.fromEntries((chosen.states ?? '').split(',').map((name) => [name, all[name]]));
const frame = () => new Promise((resume) => requestAnimationFrame(resume));

/** @param {PaymentFormElement} form */
const inside = (form) => /** @type {Document} */ (form.shadowRoot?.querySelector('iframe')?.contentDocument);

/** One thing that a buyer would do. @param {PaymentFormElement} form @param {[string, string, string?]} act */
function act(form, [verb, id, text = '']) {
  const element = /** @type {HTMLInputElement} */ (inside(form).getElementById(id));
  if (verb === 'press') return element.click();
  if (verb === 'focus') return element.focus();
  if (verb === 'leave') return element.dispatchEvent(new FocusEvent('blur'));
  element.value = text;
  return element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}

/** Waits until the frame has had the height of its content for a while. @param {PaymentFormElement} form */
async function rests(form) {
  for (let still = 0; still < 5; await frame()) {
    const needed = Math.ceil(inside(form).getElementById('main')?.getBoundingClientRect().height ?? -1);
    const dressed = !inside(form).documentElement.classList.contains('concealed');
    // The sum may be written later.
    const priced = inside(form).getElementById('promise')?.textContent;
    const whole = Array.from(inside(form).images).every((image) => image.hidden || image.complete);
    still = dressed && priced && whole && needed === form.offsetHeight ? still + 1 : 0;
  }
}

/** Lays the frame out narrower than any form until its observers have been called, and then as before. @param {PaymentFormElement} form */
async function narrowed(form) {
  const { body } = inside(form);
  form.style.width = '40px';
  for (let seen = 0; seen < 5; await frame()) if (body.offsetWidth < 60) seen++;
  form.style.width = '';
  while (body.offsetWidth < 60) await frame();
}

/** Where each state is shown, in their order. */
const sections = new Map(Object.entries(states).map(([name, state]) => [name, make('section', {}, make('h2', {}, state.title))]));
document.querySelector('main')?.append(...sections.values());

/** @param {string} name @param {any} state */
async function show(name, state) {
  const form = /** @type {PaymentFormElement} */ (make('payment-form', { gateway: location.origin, session: name, theme: chosen.theme ?? '', locale: chosen.lang ?? '', id: name, ...state.attributes }));
  const look = LOOKS[/** @type {keyof typeof LOOKS} */ (chosen.look)];
  if (look) form.setAttribute('appearance', look);
  if (state.follows) form.renewSession = () => `${name}-next`;
  // A state of the form is reported once; it may be reached before any action.
  const reached = new Promise((resolve) => form.addEventListener('statechange', ({ detail }) => detail.state === state.until && resolve(undefined)));
  const started = new Promise((resolve, reject) => {
    form.addEventListener('ready', resolve, { once: true });
    form.addEventListener('error', (event) => {
      event.preventDefault();
      if (state.broken) resolve(undefined);
      else reject(new Error(`${name}: ${event.detail.code}`));
    });
  });
  sections.get(name)?.append(form);
  await customElements.whenDefined('payment-form');
  // The blank fields are shown in its place, once they are drawn.
  if (state.awaited) {
    const drawn = () => form.shadowRoot?.getAnimations({ subtree: true }) ?? [];
    while (!drawn().length) await frame();
    await Promise.all(drawn().map(({ finished }) => finished));
    return;
  }
  await started;
  for (const one of state.acts ?? []) act(form, one);
  if (state.until) await reached;
  while (state.shows && !inside(form).querySelector(state.shows)) await frame();
  for (const one of state.last ?? []) act(form, one);
  while (state.focuses && inside(form).activeElement?.id !== state.focuses) await frame();
  if (state.wasNarrow) await narrowed(form);
  await rests(form);
}

/** @param {(state: any) => boolean} which */
const showAll = (which) => Promise.all(Object.entries(states).filter(([, state]) => which(state)).map(([name, state]) => show(name, state)));
// Only one element of all frames has the focus: a form that is expected to take it is shown before others could.
await showAll(({ focuses }) => focuses);
await showAll(({ focuses, brief }) => !focuses && !brief);
await showAll(({ brief }) => brief);
const allRest = async () => {
  for (const form of document.querySelectorAll('payment-form:not(#awaited)')) await rests(/** @type {PaymentFormElement} */ (form));
};
// Only one element can have the focus, and headings of outcomes take it, some of them late.
await allRest();
const focused = Object.keys(states).find((name) => states[name].isFocused);
if (focused) act(/** @type {PaymentFormElement} */ (document.getElementById(focused)), ['focus', 'CARD_NUMBER']);
else /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
await allRest();
document.documentElement.dataset.shown = 'yes';
