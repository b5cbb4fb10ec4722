// @ts-check
// Asks whether the issuer, which asks the buyer apart from the browser, has sent the result. The page's address leads on once it has.

/** The pause grows from question to question, up to the longest. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

wait(FIRST_PAUSE_MS);

/** @param {number} pauseMs */
function wait(pauseMs) {
  setTimeout(async () => {
    if (await leadsOn()) location.replace(location.href);
    else wait(Math.min(pauseMs + 500, LONGEST_PAUSE_MS));
  }, pauseMs);
}

/** Whether this address leads to another page now. Without an answer it is asked again. */
async function leadsOn() {
  try {
    const { type } = await fetch(location.href, { redirect: "manual" });
    return type === "opaqueredirect";
  } catch {
    return false;
  }
}

export {};
