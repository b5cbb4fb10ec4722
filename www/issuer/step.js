// @ts-check
// A 3-step payment before the issuer is asked: the device check runs in a hidden frame, then this page has the gateway ask. Without scripts
// the buyer presses the button.

/** Longer than the device check waits for the issuer. */
const CHECK_LIMIT_MS = 10000;

const check = document.querySelector("iframe");
let isAsked = false;

addEventListener("message", ({ origin, source, data }) => {
  /** @type {import("../frame/own-frames.js").NestedPageMessage["type"] | undefined} */
  const type = data?.type;
  if (origin === location.origin && source === check?.contentWindow && type === "device-check-done") ask();
});
setTimeout(ask, CHECK_LIMIT_MS);
// Only now, so that its message is heard.
if (check?.dataset.check) check.src = check.dataset.check;

function ask() {
  if (isAsked) return;
  isAsked = true;
  document.querySelector("form")?.submit();
}

// On a page from the back-forward cache the issuer may have been asked.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

export {};
