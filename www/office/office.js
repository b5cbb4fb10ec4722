// @ts-check

// A form is sent once: a second press while the first is under way is ignored. Without this script, the gateway
// still carries out a form with an idempotency key only once.

/** Forms that were sent. @type {WeakSet<EventTarget>} */
const sent = new WeakSet();

addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== 'post') return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
});

// A page from the back-forward cache can be sent again.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
