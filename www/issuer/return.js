// @ts-check
// The end of a challenge. Inside of the form's frame it sends a hint, after which the form asks the gateway.
// In a window of its own it goes back to the shop.

const link = document.querySelector("#back a");

if (window.parent === window) {
  if (link instanceof HTMLAnchorElement) location.replace(link.href);
} else {
  // The frame is about to be closed by the form; a link in it would load the shop inside the form.
  link?.parentElement?.remove();
  if (parentIsOurs()) window.parent.postMessage(/** @satisfies {import("../frame/own-frames.js").NestedPageMessage} */ ({ type: "challenge-returned" }), location.origin);
}

function parentIsOurs() {
  try {
    return window.parent.location.origin === location.origin;
  } catch {
    return false; // A page of another origin holds the frame: it is told nothing.
  }
}

export {};
