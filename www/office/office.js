// @ts-check

// A form is sent once: a second press, while the first is under way, is not another one. Without this script the gateway
// still does once what has an idempotency key.

/** Forms that were sent. @type {WeakSet<EventTarget>} */
const sent = new WeakSet();

addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== 'post') return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
});

// A page that comes back from the browser's memory can be sent again.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
