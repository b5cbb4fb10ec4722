// @ts-check
// Comfort on the sandbox's challenge page, which works without it: an answer is sent once.

const form = document.querySelector("form");
let sent = false;

form?.addEventListener("submit", (event) => {
  if (sent) event.preventDefault();
  sent = true;
  form.setAttribute("aria-busy", "true");
});

// In a window of its own the page has the buyer's attention. In a frame it must not take the focus, and browsers complain
// of one that tries.
const code = document.getElementById("code");
if (window.parent === window) code?.focus();

// Back from the browser's memory the page may be answered again.
addEventListener("pageshow", () => {
  sent = false;
  form?.removeAttribute("aria-busy");
});

export {};
