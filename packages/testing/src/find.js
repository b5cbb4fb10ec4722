// @ts-check
/**
 * Finds elements of a form by role and accessible name, in a browser that lets the page look into frames of other origins. What is not there yet
 * is an error: whoever asks tries again.
 */

/** @typedef {(name: string) => string} Texts of the form, by name */

/** The id of each input, and the key of its label among the form's texts. */
export const INPUTS = /** @type {const} */ ({
  number: ['CARD_NUMBER', 'label_card_number'],
  expiry: ['EXPIRATION_DATE', 'label_expiry'],
  code: ['SECURITY_CODE', 'label_security_code'],
  name: ['CARDHOLDER_NAME', 'label_holder_name'],
});

/** @param {Element} form @returns {HTMLIFrameElement} */
export function frameOf(form) {
  const frame = form.shadowRoot?.querySelector('iframe');
  if (!frame) throw new Error('The form shows no frame.');
  return frame;
}

/** The document in a frame. @param {HTMLIFrameElement} frame @returns {Document} */
export function documentOf(frame) {
  let document = null;
  try {
    document = frame.contentDocument;
  } catch {
    // Handled below.
  }
  if (!document) throw new Error('The frame of the form can not be read. Set chromeWebSecurity: false in the configuration of Cypress, and use Electron, Chrome or Edge.');
  return document;
}

/** @param {Element} form @param {keyof typeof INPUTS} name @param {Texts} text @returns {HTMLElement} */
export function inputOf(form, name, text) {
  const [id, label] = INPUTS[name];
  if (form.getAttribute('layout') !== 'fields') return named(documentOf(frameOf(form)), 'input', (each) => each === text(label));
  const session = new URL(frameOf(form).src).searchParams.get('sessionid');
  // With separate fields, the labels belong to the page.
  for (const frame of form.ownerDocument.querySelectorAll('iframe')) {
    const address = frame.src ? new URL(frame.src).searchParams : undefined;
    if (address?.get('id') === id && address.get('sessionid') === session) return named(documentOf(frame), 'input', () => true);
  }
  throw new Error(`The page shows no field ${id} of the form.`);
}

/** @param {Document | Element} place @param {RegExp} pattern @returns {HTMLElement} */
export const buttonIn = (place, pattern) => named(place, 'button', (name) => pattern.test(name));

/** @param {Document | Element} place @param {RegExp} pattern */
export const hasButton = (place, pattern) => [...place.querySelectorAll('button')].some((each) => isShown(each) && pattern.test(nameOf(each)));

/** @param {Document} document @param {string} role @returns {HTMLElement} */
export const roleIn = (document, role) => named(document, `[role="${role}"]`, () => true);

/** The document of the bank's page. @param {Element} form @param {Texts} text @returns {Document} */
export function bankOf(form, text) {
  const title = text('challenge_frame');
  for (const frame of documentOf(frameOf(form)).querySelectorAll('iframe')) if (frame.title === title && isShown(frame)) return documentOf(frame);
  throw new Error('The form shows no page of the bank.');
}

/** @param {Document} document @param {string} id @returns {HTMLElement} */
export function testIdIn(document, id) {
  const found = document.querySelector(`[data-testid="${id}"]`);
  if (!found) throw new Error(`The page of the bank has no ${id}.`);
  return /** @type {HTMLElement} */ (found);
}

/** @param {Document | Element} place @param {string} selector @param {(name: string) => boolean} fits @returns {HTMLElement} */
function named(place, selector, fits) {
  const all = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(selector)]).filter(isShown);
  const found = all.find((each) => fits(nameOf(each)));
  if (!found) throw new Error(`The form shows no such ${selector}; there are: ${all.map(nameOf).join(', ') || 'none'}.`);
  return found;
}

/** The accessible name of an input or button, as far as the form uses its sources. @param {HTMLElement} element */
function nameOf(element) {
  const labels = /** @type {HTMLInputElement} */ (element).labels ?? [];
  const name = element.getAttribute('aria-label') ?? (labels.length > 0 ? Array.from(labels, (label) => label.textContent).join(' ') : element.textContent);
  return name?.replace(/\s+/g, ' ').trim() ?? '';
}

/** @param {Element} element */
export const isShown = (element) => !element.closest('[hidden]') && (element.checkVisibility?.() ?? true);
