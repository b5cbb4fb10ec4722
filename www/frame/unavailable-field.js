// @ts-check
// In place of a field that can not be shown: tells the page why. The frame contains no data of a session.

/** @type {import('./port.js').UnavailableFieldBoot} */
const { id, origin, code: errorCode, message: errorMessage } = JSON.parse(document.getElementById('boot')?.textContent ?? '');
/** Codes of this range are about the frame, not about the field in it. */
const ofFrame = errorCode.startsWith('HF9');

function report() {
  if (!origin || parent === window) return;
  const fault = { id, errorCode, errorMessage };
  /** @type {import('./parent-channel.js').ToPage} */
  const told = ofFrame ? { payframe: 1, type: 'unavailable', ...fault } : { event: 'BUILD_ERROR', ...fault };
  parent.postMessage(told, origin);
}

addEventListener('message', ({ data, source, origin: from }) => {
  /** @type {import('./parent-channel.js').BuildCommand['type'] | undefined} */
  const type = data?.payframe === 1 ? data.type : undefined;
  if (source === parent && from === origin && type === 'build-here') report();
});
report();

export {};
