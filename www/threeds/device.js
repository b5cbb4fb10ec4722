// @ts-check
// The sandbox's device check. It reads nothing: it waits as long as the test card says, and reports.
// The message to the form is a hint; the form asks the gateway.

const { check, delayMs } = document.body.dataset;

if (check === "run") {
  await new Promise((done) => setTimeout(done, Number(delayMs)));
  const answer = await fetch(location.pathname, { method: "POST" });
  if (answer.ok) tell();
}
if (check === "done") tell();

function tell() {
  if (parentIsOurs()) window.parent.postMessage({ type: "device-check-done" }, location.origin);
}

function parentIsOurs() {
  try {
    return window.parent !== window && window.parent.location.origin === location.origin;
  } catch {
    return false; // A page of another origin holds the frame: it is told nothing.
  }
}

export {};
