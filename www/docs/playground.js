// @ts-check
// The playground: a live form of the sandbox that serves this page, and an editor of its look.
//
// It opens sessions with the key of the sandbox's demo merchant, which everybody knows. A real shop's key is never in a page.

import { COLOURS, MEASURES, ownColours, ratios, rgb, tone, written } from './appearance-editor.js';

/** @import { PaymentFormElement } from '../sdk/payframe.js' */
/** @import { Choice } from './appearance-editor.js' */

/** @template {HTMLElement} T @param {string} id @param {new () => T} type @returns {T} */
function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no #${id}`);
  return found;
}

const stage = element('stage', HTMLDivElement);
const editor = element('editor', HTMLFormElement);

/** @type {Choice} */
let choice = untouched();
/** @type {PaymentFormElement | undefined} */
let form;

/** @returns {Choice} */
function untouched() {
  return { ground: pageIsDark() ? 'dark' : 'light', theme: 'auto', labels: 'above', density: 'normal', fontFamily: '', measures: {}, colours: { light: {}, dark: {} } };
}

/** Whether this page is dark at the moment, by its own choice or by that of the system. */
function pageIsDark() {
  return (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
}

/** @param {string} text */
function say(text) {
  element('said', HTMLParagraphElement).textContent = text;
}

/** A session of the demo merchant, for a form in this page. */
async function openSession() {
  const { origin, href } = location;
  const answer = await fetch('/api/orders/build', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-API-KEY': 'sandbox-implicit', 'Correlation-Id': unique() },
    body: JSON.stringify({
      version: '3',
      merchantUrl: origin,
      order: { orderId: `P${unique().replaceAll('-', '').slice(0, 16)}`, amount: '3545', currency: 'EUR' },
      paymentSession: { actionType: 'PAY', amount: '3545', paymentService: 'CARDS', resultUrl: href, cancelUrl: href, notificationUrl: href },
      form: { closing: 'FRAME', attempts: 3 },
    }),
  });
  if (!answer.ok) throw new Error(`the gateway answers ${answer.status}`);
  /** @type {{ sessionId: string }} */
  const { sessionId } = await answer.json();
  return sessionId;
}

/** An id that nobody else has. `randomUUID` is not there in pages that came by plain http from elsewhere than this machine. */
function unique() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return bytes.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');
}

/** Puts a new form into the page. */
async function show() {
  say('A session is opened …');
  try {
    const [session] = await Promise.all([openSession(), import(`${location.origin}/sdk/payframe.js`)]);
    const fresh = /** @type {PaymentFormElement} */ (document.createElement('payment-form'));
    for (const [name, value] of Object.entries({ gateway: location.origin, session, locale: locale() })) fresh.setAttribute(name, value);
    fresh.addEventListener('result', ({ detail }) => say(`The outcome: ${detail.outcome}.`));
    fresh.update({ appearance: written(choice) });
    stage.replaceChildren(fresh);
    form = fresh;
    say('');
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    say(`No form can be opened here: ${why}. Start a sandbox on your machine with "payframe-gateway demo", and open /docs/playground at the address of its gateway.`);
  }
}

function locale() {
  return String(new FormData(editor).get('locale') ?? 'en');
}

/** Shows what follows from the choice: the form, its contrast, the object. */
function draw() {
  stage.dataset.ground = choice.ground;
  void form?.update({ appearance: written(choice) });
  const rows = ratios(choice).map(({ front, back, least, found }) => {
    const row = document.createElement('tr');
    const names = row.insertCell();
    names.textContent = `${front} on ${back}`;
    row.insertCell().textContent = `${least} : 1`;
    const measured = row.insertCell();
    measured.className = found < least ? 'little' : 'enough';
    measured.textContent = `${found.toFixed(1)} : 1 ${found < least ? '– too little' : '– enough'}`;
    return row;
  });
  element('ratios', HTMLTableSectionElement).replaceChildren(...rows);
  element('written', HTMLElement).textContent = `form.update({ appearance: ${JSON.stringify(written(choice), undefined, 2)} });`;
}

/** Shows the values that apply where nothing was chosen. */
function fill() {
  const ground = editor.elements.namedItem('ground');
  if (ground instanceof HTMLSelectElement) ground.value = choice.ground;
  const colours = { ...ownColours(choice), ...choice.colours[tone(choice)] };
  for (const input of editor.querySelectorAll('input')) {
    if (input.type === 'color') input.value = long(colours[input.name] ?? '#000000');
    const measure = MEASURES.find(([name]) => name === input.name);
    if (!measure) continue;
    input.value = String(choice.measures[input.name] ?? measure[4]);
    input.ariaValueText = `${input.value} px`;
    const shown = input.parentElement?.querySelector('small');
    if (shown) shown.textContent = input.ariaValueText;
  }
}

/** `#abc` as `#aabbcc`, which inputs need. @param {string} colour */
function long(colour) {
  const parts = rgb(colour) ?? [0, 0, 0];
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** @param {string} text @param {Record<string, string>} attributes */
function input(text, attributes) {
  const label = document.createElement('label');
  const made = document.createElement('input');
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  const words = document.createElement('span');
  words.textContent = text;
  if (attributes.type === 'range') {
    // Screen readers read it as the slider's value.
    const shown = document.createElement('small');
    shown.ariaHidden = 'true';
    words.append(' ', shown);
  }
  label.append(words, made);
  return label;
}

element('measures', HTMLFieldSetElement).append(...MEASURES.map(([name, text, least, most]) => input(text, { type: 'range', name, min: String(least), max: String(most) })));
element('colours', HTMLFieldSetElement).append(...COLOURS.map(([name, text]) => input(text, { type: 'color', name, value: '#000000' })));

editor.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  const { name, value } = target;
  if (name === 'locale') form?.setAttribute('locale', value);
  else if (target.type === 'color') choice.colours[tone(choice)][name] = value;
  else if (target.type === 'range') choice.measures[name] = Number(value);
  else choice = { ...choice, [name]: value };
  fill();
  draw();
});
editor.addEventListener('reset', () => {
  // The values of the inputs are set back after this event.
  queueMicrotask(() => {
    choice = untouched();
    fill();
    draw();
  });
});
editor.addEventListener('submit', (event) => event.preventDefault());
element('again', HTMLButtonElement).addEventListener('click', show);

fill();
draw();
void show();
