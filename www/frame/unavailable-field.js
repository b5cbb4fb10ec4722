// @ts-check
// In place of a field that can not be shown: tells the page why. The frame contains no data of a session.

/** @type {import('./port.js').UnavailableFieldBoot} */
const { id, origin, code, message } = JSON.parse(document.getElementById('boot')?.textContent ?? '');
/** Codes of this range are about the frame, not about the field in it. */
const ofFrame = code.startsWith('HF9');

function report() {
  if (!origin || parent === window) return;
  const fault = { id, errorCode: code, errorMessage: message };
  parent.postMessage(ofFrame ? { payframe: 1, type: 'unavailable', ...fault } : { event: 'BUILD_ERROR', ...fault }, origin);
}

addEventListener('message', ({ data, source, origin: from }) => {
  if (source === parent && from === origin && data?.payframe === 1 && data.type === 'build-here') report();
});
report();

export {};
