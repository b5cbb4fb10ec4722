// @ts-check
// The loader of a frame that shows the button of a payment method. It needs no widget.

import { ask } from './ask-gateway.js';
import { applyMerchantStyle, openParentChannel } from './parent-channel.js';

/** @type {import('./port.js').FieldBoot} */
const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '');
const { id, label } = boot.field;
const button = /** @type {HTMLButtonElement} */ (document.getElementById('action'));
if (id !== 'PAY_WITH_CARD') document.title = button.textContent = (button.dataset.other ?? '').replace('{method}', label ?? id);
let running = false;
/** The last state that was sent. Only a way to another page is sent again: from the card's fields, the page would create its fields again and lose what the buyer typed. */
let lastState = '';
/** Whether the class `Build` of the page has spoken. */
let pageListens = false;
/** What a press led to before that. @type {import('../sdk/build-messages.js').BuildEvent | undefined} */
let unheard;

if (parent !== window) {
  const ready = () => post({ event: 'READY', id });
  const post = openParentChannel(boot, {
    'build-here': () => {
      pageListens = true;
      ready();
      if (unheard) post(unheard);
      unheard = undefined;
    },
    'build-options': (wanted) => {
      pageListens = true;
      applyMerchantStyle(boot.session, button, wanted);
    },
    'build-click': (click) => click.id === id && press(),
  });
  button.addEventListener('click', press);
  addEventListener('focus', () => button.focus());
  ready();

  async function press() {
    if (running) return;
    running = true;
    button.setAttribute('aria-busy', 'true');
    const answer = await ask(boot.session, `fe/build/action/${encodeURIComponent(id)}`, {});
    running = false;
    button.removeAttribute('aria-busy');
    if (!answer?.body) {
      /** @type {[import('../sdk/build-messages.js').BuildErrorCode, string]} */
      const [errorCode, errorMessage] = answer?.expired ? ['HF0003', 'The session has expired.'] : ['HF0002', 'The service is briefly unavailable.'];
      return post({ event: 'BUILD_ERROR', id, errorCode, errorMessage });
    }
    const { state, url, fieldSet } = answer.body;
    if (state === lastState && !url) return;
    lastState = state;
    /** @type {import('../sdk/build-messages.js').BuildEvent} */
    const change = { event: 'BUILD_FLOW_STATE_CHANGE', state, ...(url ? { url } : { fieldSet }) };
    if (!pageListens) unheard = change;
    post(change);
  }
}
