// @ts-check
// When messages are sent to the page, and how many calls of the page are obeyed. The time that a frame needs can depend on the content
// of its inputs, and a page can measure time. So messages are sent on the ticks of a clock, and no more than ten calls a second
// are obeyed. Of an input, only whether it is empty is read here.

/** Too short to be noticed by a buyer. A page can not distinguish durations that are shorter. */
const TICK_MS = 50;
/** A timer may fire this much later than its tick. If it fires later, the frame was busy, and waits for the next tick. */
const LEEWAY_MS = 10;
/** Calls in a second. */
const MOST = 10;
const SECOND_MS = 1000;
const CARD = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE'];

/** The error for a call that is not obeyed. @satisfies {import('../sdk/messages.js').CommandError} */
const TOO_MANY = /** @type {const} */ ({ code: 'too_many_calls', message: `the form obeys ${MOST} calls a second` });

/** Whether any card data is typed, in any frame. */
export const isTyped = () => CARD.some((id) => /** @type {HTMLInputElement | null} */ (payframeFind(id))?.value);

/**
 * Sends on the ticks of a clock, in order.
 * @template M
 * @param {(message: M) => void} send
 * @returns {(message: M) => void}
 */
export function onTicks(send) {
  /** @type {M[]} */
  const waiting = [];
  const leave = () => waiting.splice(0).forEach((message) => send(message));
  const late = () => performance.now() % TICK_MS;
  /** @param {() => void} act */
  const atNext = (act) => setTimeout(act, TICK_MS - late());
  addEventListener('pagehide', leave);
  return (message) => {
    if (waiting.push(message) === 1) atNext(() => (late() > LEEWAY_MS ? atNext(leave) : leave()));
  };
}

/** Gives a function that says for each call whether it may be obeyed. @returns {() => boolean} */
export function allowance() {
  /** @type {number[]} */
  const times = [];
  return () => {
    const now = performance.now();
    while (times.length && now - (times[0] ?? 0) > SECOND_MS) times.shift();
    return times.length < MOST && times.push(now) > 0;
  };
}

/**
 * Paces the port to the page. To be called before any other script listens to it.
 * @param {MessagePort} port
 */
export function pace(port) {
  /** @param {object} message */
  const send = (message) => MessagePort.prototype.postMessage.call(port, message);
  const inTime = onTicks(send);
  let typed = false;
  // Until something is typed there is nothing to measure, and a form should become live as soon as possible.
  port.postMessage = (/** @type {object} */ message) => ((typed ||= isTyped()) ? inTime(message) : send(message));

  const allowed = allowance();
  let told = false;
  /** The last change of options that came too soon; it is applied a moment later. @type {any} */
  let kept;
  const obeyKept = () => {
    const data = kept;
    kept = undefined;
    port.dispatchEvent(new MessageEvent('message', { data }));
  };
  port.addEventListener('message', (event) => {
    // A kept command is dispatched again, as an untrusted event.
    if (!event.isTrusted || allowed()) return;
    event.stopImmediatePropagation();
    let dropped = event.data;
    if (dropped?.type === 'update') {
      if (!kept) setTimeout(obeyKept, SECOND_MS);
      [kept, dropped] = [dropped, kept];
    }
    if (dropped?.id) port.postMessage({ type: 'reply', id: dropped.id, error: TOO_MANY });
    if (!told) port.postMessage({ type: 'error', ...TOO_MANY });
    told = true;
  });
}
