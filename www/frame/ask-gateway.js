// @ts-check
// Requests to the gateway of frames in which no widget runs, or not yet.

/**
 * Sends a request for a session to the gateway. Gives `undefined` if there was no answer.
 * @param {string} session @param {string} path below /api @param {object} [body] makes it a POST
 * @returns {Promise<{ body?: any, expired?: boolean } | undefined>}
 */
export async function ask(session, path, body) {
  try {
    const headers = { session, 'correlation-id': crypto.randomUUID(), ...(body && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }) };
    const answer = await fetch(`/api/${path}`, { headers, signal: AbortSignal.timeout(35_000), ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    if (answer.ok) return { body: await answer.json() };
    if (answer.status === 401) return { expired: true };
    const { errors } = await answer.json();
    return errors[0].code === 'PS0061' ? { expired: true } : undefined;
  } catch {
    return undefined;
  }
}
