// @ts-check
// When the page hears of what the frame did, and how often it may ask for something. How long a frame takes can depend on what stands
// in its inputs, and a page measures time: so what it is told leaves on the ticks of a clock, whenever it was done, and of its calls no
// more than ten a second are obeyed. No input is read here but for whether it is empty.

/** No buyer notices it, and what takes less can not be told apart. */
const TICK_MS = 50;
/** A timer may come so much later than its tick. Later, the frame was busy, and waits for the next one. */
const LEEWAY_MS = 10;
/** Calls in a second. */
const MOST = 10;
const SECOND_MS = 1000;
const CARD = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE'];

/** What the page is told of a call that is not obeyed. */
const TOO_MANY = { code: 'too_many_calls', message: `the form obeys ${MOST} calls a second` };

/** Whether anything of a card is typed, in whichever frame. */
export const isTyped = () => CARD.some((id) => /** @type {HTMLInputElement | null} */ (payframeFind(id))?.value);

/**
 * Sends on the ticks of a clock, in the order of telling.
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

/** Says of each call whether it may be obeyed. @returns {() => boolean} */
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
 * Paces the line to the page: to be called before anybody else listens to it.
 * @param {MessagePort} port
 */
export function pace(port) {
  /** @param {object} message */
  const send = (message) => MessagePort.prototype.postMessage.call(port, message);
  const inTime = onTicks(send);
  let typed = false;
  // Until something is typed there is nothing to find out, and a form is to come as soon as it can.
  port.postMessage = (/** @type {object} */ message) => ((typed ||= isTyped()) ? inTime(message) : send(message));

  const allowed = allowance();
  let told = false;
  /** How the page wants the form to look, which is one for all: the last that came too soon counts, a moment later. @type {any} */
  let kept;
  const obeyKept = () => {
    const data = kept;
    kept = undefined;
    port.dispatchEvent(new MessageEvent('message', { data }));
  };
  port.addEventListener('message', (event) => {
    // One that was kept comes again, by ourselves.
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
