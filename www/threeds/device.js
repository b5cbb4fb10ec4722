// @ts-check
// The sandbox's device check. It reads nothing but whether the browser can ask the device for a confirmation: it waits as long as the test
// card says, and reports.
// The message to the form is a hint; the form asks the gateway.

const { check, delayMs } = document.body.dataset;

if (check === "run") {
  await new Promise((done) => setTimeout(done, Number(delayMs)));
  const answer = await fetch(location.pathname, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ canConfirm: await canConfirm() }),
  });
  if (answer.ok) tell();
}
if (check === "done") tell();

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
