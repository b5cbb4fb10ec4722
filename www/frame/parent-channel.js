// @ts-check
// What a single frame of the Build protocol and the merchant's page say to each other directly: that the frame is there, how
// the merchant wants it to look, and what the page's script orders. To and from one exact origin, and no card data.

import { allowance, onTicks } from './pace.js';

/** @typedef {Record<string, any>} Message */

/**
 * Opens the channel: says that the frame is there, now and whenever the page asks, and hands orders on.
 * @param {Message} boot
 * @param {Record<string, (message: Message) => void>} handlers by type, what the frame does
 * @returns {(message: object) => void} posts to the page
 */
export function openParentChannel({ merchantOrigin, field: { id, correlationId } }, handlers = {}) {
  /** @param {object} message */
  const post = (message) => parent.postMessage(message, merchantOrigin);
  const up = { payframe: 1, type: 'field-up', id, session: correlationId };
  // An answer comes at a time that says nothing of the fields; what is too often asked is dropped.
  const answer = onTicks(post);
  const allowed = allowance();
  addEventListener('message', ({ data, origin, source }) => {
    if (origin !== merchantOrigin || source !== parent || data?.payframe !== 1 || !allowed()) return;
    // A class that is there only now missed all that was said before.
    if (data.type === 'build-here') answer(up);
    if (Object.hasOwn(handlers, data.type)) handlers[data.type]?.(data);
  });
  post(up);
  return post;
}

/**
 * Gives the frame the style that the merchant's script asked for: their style sheet, by way of the gateway, and their class names.
 * @param {string} session @param {HTMLElement} element the input or the button @param {Message} wanted
 */
export function applyMerchantStyle(session, element, { cssLink, component, container }) {
  if (typeof cssLink === 'string' && !document.getElementById('sheet')) {
    const href = `/fields/style?${new URLSearchParams({ sessionid: session, href: cssLink })}`;
    document.head.append(Object.assign(document.createElement('link'), { id: 'sheet', rel: 'stylesheet', href }));
  }
  const places = /** @type {const} */ ([[component, element], [container, document.getElementById('box')]]);
  for (const [names, place] of places) {
    if (typeof names === 'string') place?.classList.add(...names.split(/\s+/).filter(Boolean));
  }
}
