// @ts-check
// The device check before a payment: it describes the browser to the gateway, and runs the 3DS method of the card's issuer in a hidden
// frame, if there is one. The message to the form is a hint; the form asks the gateway.

/** Shorter than the form waits, so that a silent issuer does not end the payment. */
const METHOD_LIMIT_MS = 8000;

const { check } = document.body.dataset;

if (check === "run") {
  const form = document.querySelector("form");
  if (form) {
    // At once, so that the gateway knows the browser even if the form stops waiting.
    await send({ isMethodDone: false, isOver: false });
    const isMethodDone = await runMethod(form);
    if (await send({ isMethodDone, isOver: true })) tell();
  } else if (await send({ isMethodDone: false, isOver: true })) {
    tell();
  }
}
if (check === "done") tell();

/**
 * @param {HTMLFormElement} form
 * @returns {Promise<boolean>} whether the issuer's page came back in time
 */
function runMethod(form) {
  return new Promise((resolve) => {
    const late = setTimeout(() => end(false), METHOD_LIMIT_MS);
    addEventListener("message", onMessage);
    form.submit();

    /** @param {MessageEvent} event */
    function onMessage({ origin, data }) {
      /** @type {import("../frame/own-frames.js").NestedPageMessage["type"] | undefined} */
      const type = data?.type;
      if (origin === location.origin && type === "method-done") end(true);
    }
    /** @param {boolean} isDone */
    function end(isDone) {
      clearTimeout(late);
      removeEventListener("message", onMessage);
      resolve(isDone);
    }
  });
}

/**
 * @param {{ isMethodDone: boolean, isOver: boolean }} progress
 * @returns {Promise<boolean>} whether the gateway has it
 */
async function send(progress) {
  const browser = {
    language: navigator.language,
    hasJava: Boolean(navigator.javaEnabled?.()),
    colorDepth: screen.colorDepth,
    screenHeight: screen.height,
    screenWidth: screen.width,
    timeZoneMinutes: new Date().getTimezoneOffset(),
    canConfirm: await canConfirm(),
  };
  try {
    const answer = await fetch(location.pathname, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...browser, ...progress }),
    });
    return answer.ok;
  } catch {
    return false; // The form goes on without the check.
  }
}

/** Whether this frame can ask the buyer's device for a confirmation (Secure Payment Confirmation). */
async function canConfirm() {
  try {
    // @ts-ignore: younger than the types.
    return (await window.PaymentRequest?.securePaymentConfirmationAvailability?.()) === "available";
  } catch {
    return false;
  }
}

function tell() {
  if (parentIsOurs()) window.parent.postMessage(/** @satisfies {import("../frame/own-frames.js").NestedPageMessage} */ ({ type: "device-check-done" }), location.origin);
}

function parentIsOurs() {
  try {
    return window.parent !== window && window.parent.location.origin === location.origin;
  } catch {
    return false; // A page of another origin holds the frame: it is told nothing.
  }
}

export {};
