// @ts-check
// Makes the frame of a form the driver of fields that stand elsewhere in the page. Runs before the loader.

import { Driver, siblings } from './driver.js';

const { session } = JSON.parse(document.getElementById('boot')?.textContent ?? '');
const driver = new Driver(() => {});
window.payframe = { session, id: 'form', driver };
driver.enter = (field) => {
  const form = /** @type {HTMLFormElement} */ (document.getElementById('card'));
  if (document.documentElement.dataset.button === 'hidden') driver.port?.postMessage({ type: 'enter', field });
  else form.requestSubmit();
};
for (const frame of siblings(session)) driver.join(frame);
