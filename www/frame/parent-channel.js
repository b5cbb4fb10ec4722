// @ts-check
// The messages between a single frame of the Build protocol and the merchant's page: that the frame is there, the style that
// the merchant wants, and commands of the page's script. To and from one exact origin, without card data.

import { allowance, onTicks } from './pace.js';

/** @typedef {import('../sdk/build-messages.js').BuildCommand} BuildCommand */
/** @typedef {import('../sdk/build-messages.js').FieldFrameMessage | import('../sdk/build-messages.js').BuildEvent} ToPage */
/** By type of command, what the frame does. @typedef {{ [T in BuildCommand['type']]?: (command: Extract<BuildCommand, { type: T }>) => void }} Handlers */

/**
 * Opens the channel: says that the frame is there, now and whenever the page asks, and passes commands on.
 * @param {import('./port.js').FieldBoot} boot
 * @param {Handlers} handlers
 * @returns {(message: ToPage) => void} posts to the page
 */
export function openParentChannel({ merchantOrigin, field: { id, correlationId } }, handlers = {}) {
  /** @param {ToPage} message */
  const post = (message) => parent.postMessage(message, merchantOrigin);
  /** @type {ToPage} */
  const up = { payframe: 1, type: 'field-up', id, session: correlationId };
  // An answer is sent at a time that does not depend on the fields; too many requests are dropped.
  const answer = onTicks(post);
  const allowed = allowance();
  addEventListener('message', ({ data, origin, source }) => {
    if (origin !== merchantOrigin || source !== parent || data?.payframe !== 1 || !allowed()) return;
    // An object of the class `Build` that was created later has missed the earlier messages.
    /** @type {BuildCommand['type']} */
    const type = data.type;
    if (type === 'build-here') answer(up);
    if (Object.hasOwn(handlers, type)) handlers[type]?.(data);
  });
  post(up);
  return post;
}

/** The classes of the frame's own style, `field.css`: on an input some of them would hide or shrink it. */
const OWN_CLASSES = ['bad', 'concealed', 'note', 'pic', 'probe', 'sr-only', 'tick'];

/**
 * Gives the frame the style that the merchant's script asked for: the style sheet, as filtered by the gateway, and the class names, but for those of the frame.
 * @param {string} session @param {HTMLElement} element the input or the button
 * @param {Extract<BuildCommand, { type: 'build-options' }>} wanted
 */
export function applyMerchantStyle(session, element, { cssLink, component, container }) {
  if (typeof cssLink === 'string' && !document.getElementById('sheet')) {
    const href = `/fields/style?${new URLSearchParams({ sessionid: session, href: cssLink })}`;
    document.head.append(Object.assign(document.createElement('link'), { id: 'sheet', rel: 'stylesheet', href }));
  }
  const places = /** @type {const} */ ([[component, element], [container, document.getElementById('box')]]);
  for (const [names, place] of places) {
    if (typeof names === 'string') place?.classList.add(...names.split(/\s+/).filter((name) => name && !OWN_CLASSES.includes(name)));
  }
}
