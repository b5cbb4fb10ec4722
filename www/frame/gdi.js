// @ts-check
// The loader of the hidden frame that runs the device check of version 2 and tells the page the result.

import { ask } from './ask-gateway.js';
import { openParentChannel } from './parent-channel.js';

/** @type {import('./port.js').FieldBoot} */
const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '');
/** The gateway ends the check with the tenth request, one each second (contract 5.5). */
const LAST_QUESTION = 10;
/** How many answers in a row may be lost. */
const MAX_LOST_ANSWERS = 10;

const post = openParentChannel(boot);
/** @param {import('../sdk/build-messages.js').BuildErrorCode} errorCode @param {string} errorMessage */
const fail = (errorCode, errorMessage) => post({ event: 'BUILD_ERROR', id: 'GDI', errorCode, errorMessage });

/** A second, or less where the check's page says that it is done. */
const pause = () =>
  new Promise((resume) => {
    const timer = setTimeout(end, 1000);
    addEventListener('message', onMessage);
    /** @param {MessageEvent} event */
    function onMessage({ origin, data }) {
      /** @type {import('./own-frames.js').NestedPageMessage['type'] | undefined} */
      const type = data?.type;
      if (origin === location.origin && type === 'device-check-done') end();
    }
    function end() {
      clearTimeout(timer);
      removeEventListener('message', onMessage);
      resume(undefined);
    }
  });

async function check() {
  let lost = 0;
  for (let question = 1; lost < MAX_LOST_ANSWERS; ) {
    const answer = await ask(boot.session, `fe/build/gdi_and_finalize?attemptNumber=${Math.min(question, LAST_QUESTION)}`);
    if (answer?.expired) return fail('HF0003', 'The session has expired.');
    if (!answer) lost += 1;
    else {
      lost = 0;
      question += 1;
      const { state, url } = answer.body;
      if (state !== 'GDI_VERIFICATION') return finish(answer.body);
      if (url && !document.querySelector('iframe')) document.body.append(Object.assign(document.createElement('iframe'), { src: url, tabIndex: -1 }));
    }
    await pause();
  }
  fail('HF0002', 'The service is briefly unavailable.');
}

/**
 * The members of an operation that a browser may know.
 * @param {import('./port.js').OperationSummary} operation @returns {import('../sdk/build-messages.js').BuildOperation}
 */
const summary = ({ orderId, operationId, operationType, operationResult, operationTime }) => ({ orderId, operationId, operationType, operationResult, operationTime });

/** @param {import('./port.js').StateObject} now of the session */
function finish({ state, url, operation }) {
  if (operation?.operationResult === 'THREEDS_FAILED') fail('HF0009', 'The device check failed.');
  /** @type {import('../sdk/build-messages.js').DeviceCheckEnd} */
  const now = { state, ...(url && { url }), ...(operation && { operation: summary(operation) }) };
  post({ event: 'BUILD_FLOW_STATE_CHANGE', ...now, data: now });
}

post({ event: 'READY', id: 'GDI' });
check();
