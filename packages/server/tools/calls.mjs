// @ts-check
/**
 * The part of the gateway's OpenAPI document that this package covers. The types are made from it, and the tests compare it
 * with the document of a running gateway.
 */

/** The calls of this package, by the id of the operation in the document. */
const CALLS = [
  'acceptDispute', 'addDisputeFile', 'advanceTestClock', 'cancel', 'cancelPaymentLink', 'cancelSession', 'capture', 'changeSession',
  'confirmPayment', 'createPaymentLink', 'decideTestDispute', 'finalizePayment', 'listActions', 'listDisputes', 'listEvents',
  'listOperations', 'listOrders', 'listPaymentLinks', 'listSettlements', 'openHostedPage', 'openPayment', 'openTestDispute', 'readCardData',
  'readDispute', 'readDisputeFile', 'readOperation', 'readOrder', 'readPaymentLink', 'readSettlement', 'readState', 'readTestClock',
  'refund', 'removeDisputeFile', 'renewPaymentLink', 'submitEvidence', 'tellFulfilment',
];

/** What types do not need: examples, and the headers that the package itself handles. */
const LEFT_OUT = new Set(['example', 'examples', 'headers', 'security', 'tags']);

/**
 * The calls of this package, the notifications, and every schema that they refer to.
 * @param {any} document of the gateway
 */
export function covered(document) {
  const paths = /** @type {Record<string, any>} */ ({});
  for (const [path, verbs] of Object.entries(document.paths)) {
    for (const [verb, call] of Object.entries(/** @type {Record<string, any>} */ (verbs))) {
      if (CALLS.includes(call.operationId)) (paths[path] ??= {})[verb] = reduced(call);
    }
  }
  const found = Object.values(paths).flatMap((verbs) => Object.values(verbs)).map((call) => call.operationId);
  const missing = CALLS.filter((id) => !found.includes(id));
  if (missing.length) throw new Error(`The gateway's document has no calls ${missing.join(', ')}`);
  const names = new Set(['ApiProblems', 'Notification', 'Notice']);
  const schemas = document.components.schemas;
  referred(paths, schemas, names);
  for (const name of names) referred(schemas[name], schemas, names);
  return {
    openapi: document.openapi,
    info: { title: document.info.title, version: '1' },
    paths,
    components: { schemas: Object.fromEntries([...names].sort().map((name) => [name, without(schemas[name])])) },
  };
}

/** A call without refusals and headers. @param {any} call */
function reduced(call) {
  const parameters = call.parameters.filter((/** @type {any} */ parameter) => parameter.in !== 'header');
  const description = String(call.description).split('\n\nRefusals, in the order')[0];
  return without({ ...call, description, parameters, responses: { 200: call.responses[200] } });
}

/** @param {any} value @param {Record<string, any>} schemas @param {Set<string>} names receives what is referred to */
function referred(value, schemas, names) {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (names.has(name)) continue;
    names.add(name);
    referred(schemas[name], schemas, names);
  }
}

/** A copy without what types do not need. @param {any} value @returns {any} */
function without(value) {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => {
    if (name === 'properties') return [name, properties(inner)];
    return [name, name === 'type' ? textOnly(inner) : without(inner)];
  }));
}

/** The gateway also reads amounts that are numbers. This package sends text. @param {string | string[]} type */
function textOnly(type) {
  if (!Array.isArray(type) || !type.includes('string')) return type;
  const rest = type.filter((name) => name !== 'integer');
  return rest.length === 1 ? 'string' : rest;
}

/** The names of a schema's members are data: none of them is left out. @param {Record<string, any>} members */
function properties(members) {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, without(schema)]));
}
