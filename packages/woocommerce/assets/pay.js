// @ts-check
/** The page with the form: when the form has its outcome, the buyer goes on to the page that asks the gateway. */

for (const form of document.querySelectorAll('payment-form')) {
  form.addEventListener('result', (event) => {
    const { detail } = /** @type {CustomEvent<{ final: boolean }>} */ (event);
    const next = form.closest('[data-payframe-return]')?.getAttribute('data-payframe-return');
    if (detail.final && next) location.assign(next);
  });
}
