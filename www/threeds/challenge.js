// @ts-check
// Not needed for the sandbox's challenge page, but with it an answer is sent once.

const form = document.querySelector("form");
let sent = false;

form?.addEventListener("submit", (event) => {
  if (sent) event.preventDefault();
  sent = true;
  form.setAttribute("aria-busy", "true");
});

// Only in a window of its own: in a frame the page must not take the focus, and browsers warn
// if it tries.
const code = document.getElementById("code");
if (window.parent === window) code?.focus();

// On a page from the back-forward cache the buyer may answer again.
addEventListener("pageshow", () => {
  sent = false;
  form?.removeAttribute("aria-busy");
});

export {};
