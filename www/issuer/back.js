// @ts-check
// The end of an issuer's page in a frame of ours: it tells the page around it.

const { leads } = document.body.dataset;

if (parentIsOurs()) {
  if (leads === "check") window.parent.postMessage(/** @satisfies {import("../frame/own-frames.js").NestedPageMessage} */ ({ type: "method-done" }), location.origin);
  // The page around this one showed the issuer's page. It leads on by itself: this frame may not navigate it, because the form's frame is sandboxed.
  if (leads?.startsWith("/threeds/return/")) window.parent.postMessage(/** @satisfies {import("../frame/own-frames.js").NestedPageMessage} */ ({ type: "challenge-returned" }), location.origin);
}

function parentIsOurs() {
  try {
    return window.parent !== window && window.parent.location.origin === location.origin;
  } catch {
    return false; // A page of another origin holds the frame: it is told nothing.
  }
}

export {};
