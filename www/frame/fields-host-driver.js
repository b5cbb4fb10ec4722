// @ts-check
// Makes the frame of a form the driver of fields in frames of their own. Runs before the loader.

import { Driver, siblings } from './driver.js';

/** How often to look for fields that are still missing: they can not find this frame, which is in a shadow tree. */
const LOOK_MS = 100;

/** @type {import('./port.js').FormBoot} */
const { session, fields } = JSON.parse(document.getElementById('boot')?.textContent ?? '');
const driver = new Driver(() => {});
window.payframe = { session, id: 'form', driver };
driver.enter = (field) => {
  const form = /** @type {HTMLFormElement} */ (document.getElementById('card'));
  if (document.documentElement.dataset.button === 'hidden') driver.port?.postMessage({ type: 'enter', field });
  else form.requestSubmit();
};

function findFields() {
  if (driver.shown.length === fields.length) return;
  for (const frame of siblings(session)) if (driver.frameOf(frame.payframe.id) !== frame) driver.join(frame);
}
findFields();
setInterval(findFields, LOOK_MS);
