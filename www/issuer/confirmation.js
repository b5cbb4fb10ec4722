// @ts-check
// Asks the buyer's device for a confirmation (W3C Secure Payment Confirmation), and sends what came of it to the gateway. Whoever stops it
// may try again. A browser that can not ask says so at once, and the issuer asks in another way.

/**
 * What the gateway has the browser ask.
 * @typedef {object} Asked
 * @property {string} rpId
 * @property {string[]} credentialIds base64url
 * @property {string} challenge base64url
 * @property {string} [payeeName]
 * @property {string} [payeeOrigin]
 * @property {string} instrumentName
 * @property {string} instrumentIcon
 * @property {string} currency
 * @property {string} value
 * @property {number} timeoutMs
 */

/** @typedef {"CONFIRMED" | "NOT_COMPLETED" | "CANCELLED" | "TIMED_OUT"} Outcome */

const form = document.querySelector("form");
const able = form?.querySelector("[data-able]");
const status = document.querySelector("[role=status]");
let isSent = false;

if (form && able instanceof HTMLElement) {
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
    form.setAttribute("aria-busy", "true");
    say(form.dataset.checking);
  });
  /** @type {Asked} */
  const asked = JSON.parse(String(form.dataset.asked));
  if (await canConfirm()) {
    able.hidden = false;
    const button = able.querySelector("button");
    button?.addEventListener("click", () => void confirm(form, button, asked));
  } else {
    send(form, "NOT_COMPLETED");
  }
}

/** Whether this frame can ask the buyer's device. */
async function canConfirm() {
  try {
    // @ts-ignore: younger than the types.
    return (await window.PaymentRequest?.securePaymentConfirmationAvailability?.()) === "available";
  } catch {
    return false;
  }
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement} button @param {Asked} asked */
async function confirm(form, button, asked) {
  if (button.disabled || isSent) return;
  button.disabled = true;
  say("");
  const since = performance.now();
  try {
    const response = await request(asked).show();
    const assertion = written(response.details);
    await response.complete("success");
    send(form, "CONFIRMED", assertion);
  } catch (problem) {
    const name = problem instanceof DOMException ? problem.name : "";
    if (!STOPPED.has(name)) {
      send(form, "NOT_COMPLETED");
    } else if (performance.now() - since >= asked.timeoutMs) {
      send(form, "TIMED_OUT");
    } else {
      say(form.dataset.again);
      button.disabled = false;
    }
  }
}

/** @param {Asked} asked */
function request(asked) {
  const data = {
    rpId: asked.rpId,
    credentialIds: asked.credentialIds.map(bytes),
    challenge: bytes(asked.challenge),
    instrument: { displayName: asked.instrumentName, icon: asked.instrumentIcon },
    timeout: asked.timeoutMs,
    ...(asked.payeeName === undefined ? {} : { payeeName: asked.payeeName }),
    ...(asked.payeeOrigin === undefined ? {} : { payeeOrigin: asked.payeeOrigin }),
  };
  const { currency, value } = asked;
  return new PaymentRequest([{ supportedMethods: "secure-payment-confirmation", data }], { total: { label: "Total", amount: { currency, value } } });
}

/** What the device signed, as JSON. @param {PublicKeyCredential} credential */
function written({ id, response }) {
  const { clientDataJSON, authenticatorData, signature, userHandle } = /** @type {AuthenticatorAssertionResponse} */ (response);
  return JSON.stringify({
    id,
    response: {
      clientDataJSON: text(clientDataJSON),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
      ...(userHandle ? { userHandle: text(userHandle) } : {}),
    },
  });
}

/** @param {HTMLFormElement} form @param {Outcome} outcome @param {string} [assertion] */
function send(form, outcome, assertion = "") {
  const signed = form.elements.namedItem("assertion");
  if (signed instanceof HTMLInputElement) signed.value = assertion;
  const other = form.elements.namedItem("outcome");
  if (!(other instanceof HTMLButtonElement)) return;
  other.value = outcome;
  form.requestSubmit(other);
}

/** @param {string} base64url */
function bytes(base64url) {
  const letters = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer} value */
function text(value) {
  const letters = btoa(String.fromCharCode(...new Uint8Array(value)));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string | undefined} sentence */
function say(sentence) {
  if (status) status.textContent = sentence ?? "";
}

// The buyer closed the browser's dialogue, or there was no confirmation in it: which of the two, browsers do not tell.
const STOPPED = new Set(["AbortError", "NotAllowedError"]);

// On a page from the back-forward cache the buyer may answer again.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

export {};
