// @ts-check
// How the shop's pages talk to the shop's own server.

/**
 * Asks the shop's own server.
 * @param {string} path @param {object} [body] sent as JSON by POST
 * @returns {Promise<any>} the answer, or undefined if there is none
 */
export async function ask(path, body) {
  const options = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, options);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Shows below the payment what the shop's server knows about the order: only that is reliable.
 * @param {Element} section
 */
export async function tellOutcome(section) {
  const orderId = section.getAttribute("data-order") ?? "";
  say(section, "waiting", "Asking the shop's server…");
  const order = await ask(`/orders/${orderId}.json`);
  if (order) say(section, order.status, order.message);
  else say(section, "unclear", `The shop's server does not answer. Look at order ${orderId} before you pay again.`);
}

/** @param {Element} section @param {string} status @param {string} message */
export function say(section, status, message) {
  section.setAttribute("data-status", status);
  const line = section.querySelector("[role=status]");
  if (line) line.textContent = message;
}
