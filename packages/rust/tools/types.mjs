// @ts-check
/**
 * Makes `src/types` from the gateway's OpenAPI document. `node tools/types.mjs` reads `packages/server/types/openapi.json`, the part of the document that
 * packages for merchants' servers cover. `tests/types.test.mjs` fails where the types are not current. It asks no gateway.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** The names of this package, by those of the document. @type {Record<string, string>} */
const ANSWERS = {
  BuildAnswer: 'Session', MerchantStateObject: 'SessionState', ChangedSession: 'ChangedSession', CardData: 'CardData', OrderAnswer: 'Order',
  OrderStatus: 'OrderStatus', Operation: 'Operation', AllowedAction: 'AllowedAction', Taken: 'Taken', PaymentLink: 'PaymentLink',
  PaymentLinkAnswer: 'CreatedLink', PaymentLinkDetails: 'LinkDetails', HostedPageAnswer: 'HostedPage', Notification: 'Notification', Notice: 'Notice',
  TerminalAttack: 'TerminalAttack', AttackState: 'AttackState', RefundApproval: 'RefundApproval', RefundApprovalState: 'RefundApprovalState',
  PageChange: 'PageChange', Dispute: 'Dispute', DisputeKind: 'DisputeKind', DisputeCategory: 'DisputeCategory', DisputeState: 'DisputeState', DisputeFile: 'DisputeFile',
  SubmittedEvidence: 'SubmittedEvidence', DisputeList: 'DisputePage',
  Settlement: 'Settlement', SettlementAnswer: 'SettlementDetails', SettlementLine: 'SettlementLine', SettlementList: 'SettlementPage',
  SettlementPayout: 'SettlementPayout', SettlementSum: 'SettlementSum',
  Fulfilment: 'Fulfilment', FulfilmentState: 'FulfilmentState', Event: 'FeedEvent', EventList: 'EventPage', MoneyStatus: 'MoneyStatus',
  Warning: 'GatewayWarning', TestClock: 'ClockReading',
};
const BODIES = {
  openPayment: 'SessionRequest', changeSession: 'SessionChange', confirmPayment: 'Confirmation', capture: 'CaptureRequest', refund: 'RefundRequest',
  tellFulfilment: 'FulfilmentRequest', createPaymentLink: 'LinkRequest', openHostedPage: 'HostedPageRequest',
  submitEvidence: 'EvidenceRequest', openTestDispute: 'SandboxDisputeRequest', decideTestDispute: 'SandboxDisputeDecision',
};
const QUERIES = {
  listOrders: 'OrderQuery', listOperations: 'OperationQuery', listPaymentLinks: 'LinkQuery', listEvents: 'EventQuery', listDisputes: 'DisputeQuery',
  listSettlements: 'SettlementQuery', readSettlement: 'SettlementLineQuery',
};

/** Objects inside of bodies, by the member that holds them. @type {Record<string, string>} */
const PARTS = {
  order: 'OrderRequest', paymentSession: 'PaymentSession', form: 'FormOptions', customerInfo: 'CustomerInfo', billingAddress: 'Address',
  shippingAddress: 'Address', cardHolderAcctInfo: 'CardHolderAccount', merchantRiskIndicator: 'MerchantRiskIndicator', giftCardAmount: 'GiftCardAmount',
  installments: 'Installment', plan: 'InstallmentPlan', transactionSummary: 'TransactionSummary', summaryList: 'SummaryLine', recurrence: 'Recurrence',
};

/** Closed sets of words, by the member that holds one, where the member's own name would not say it. @type {Record<string, string>} */
const CHOICES = {
  'FulfilmentRequest.state': 'FulfilmentState', 'FormOptions.methods': 'FormMethods', 'Installment.type': 'InstallmentType',
  'Recurrence.action': 'RecurrenceAction', 'LinkQuery.status': 'LinkStatus', 'Notification.eventType': 'NotificationType',
  'Notice.eventType': 'NoticeType', 'DisputeQuery.state': 'DisputeState', 'SandboxDisputeRequest.kind': 'DisputeKind',
  'SandboxDisputeRequest.category': 'DisputeCategory', 'SandboxDisputeDecision.result': 'DisputeResult',
};
/** What the document says of the member that holds them, and not of themselves. @type {Record<string, string>} */
const SENTENCES = {
  Address: 'Where the buyer lives, or where the goods go.',
  Installment: 'A part of the amount, and the day on which it is paid.',
  TransactionSummary: 'What is bought, as rows in one language.',
  SummaryLine: 'A row: its label and its value.',
  Channel: 'Where an operation was made.',
  LinkStatus: 'The state of a payment link.',
  OperationType: 'What was done.',
  OrderState: 'Whether the money of an order is captured.',
  FulfilmentState: "The state of an order's goods.",
  DisputeCategory: 'Why a buyer disputes a payment, in plain words.',
  DisputeKind: 'How far a dispute has come at the card network.',
  DisputeResult: "What a test makes the buyer's bank do.",
  DisputeState: 'The state of a dispute.',
};
const EVENT_TYPES = ['PAYMENT', 'PAY_BY_LINK', 'OPERATION'];
const NOTICE_TYPES = ['TERMINAL_ATTACK', 'REFUND_APPROVAL', 'DISPUTE', 'PAGE_CHANGE'];

/** @typedef {any} Schema of the document */
/** @typedef {{ bare: string, text: string }} Shape */

/** The words of all modules. */
class Choices {
  /** @type {Map<string, { words: string[], sentence: string, hasDefault: boolean }>} */
  #known = new Map();

  /** @param {string} name @param {string[]} words @param {string} sentence @param {boolean} hasDefault whether something without a value has the first word */
  add(name, words, sentence, hasDefault) {
    const known = this.#known.get(name);
    if (known && known.words.join() !== words.join()) throw new Error(`${name} has two sets of words: name one of them in CHOICES`);
    this.#known.set(name, { words, sentence: SENTENCES[name] ?? (known?.sentence || sentence), hasDefault: hasDefault || known?.hasDefault === true });
    return name;
  }

  text() {
    return [...this.#known].sort(byName).map(([name, { words, sentence, hasDefault }]) => {
      const derived = `Clone, Debug, ${hasDefault ? 'Default, ' : ''}PartialEq, Eq, Serialize, Deserialize`;
      const rows = words.map((word, index) => `    /// \`${word}\`\n${hasDefault && index === 0 ? '    #[default]\n' : ''}    ${variant(word)},\n`);
      const other = '    /// A word that this version of the package does not know.\n    #[serde(untagged)]\n    Other(String),\n';
      return `/// ${sentence || `One of the words of \`${name}\`.`}\n#[derive(${derived})]\n#[serde(rename_all = "SCREAMING_SNAKE_CASE")]\n#[non_exhaustive]\npub enum ${name} {\n${rows.join('')}${other}}\n`;
    }).join('\n');
  }
}

/** The structures of one module. */
class Structures {
  #names;
  #choices;
  #isRequest;
  /** @type {Map<string, Shape>} */
  #shapes = new Map();
  usesChoices = new Set();
  usesMaps = false;
  /** @type {string[]} */
  referred = [];

  /** @param {Record<string, string>} names @param {Choices} choices @param {boolean} isRequest */
  constructor(names, choices, isRequest) {
    this.#names = names;
    this.#choices = choices;
    this.#isRequest = isRequest;
  }

  /** Declares an object, and answers the name that it has got. @param {string} name @param {Schema} schema @returns {string} */
  add(name, schema) {
    const bare = JSON.stringify(without(schema));
    const known = this.#shapes.get(name);
    if (known && known.bare !== bare) return this.add(`Link${name}`, schema);
    if (!known) {
      this.#shapes.set(name, { bare, text: '' });
      this.#shapes.set(name, { bare, text: this.#declaration(name, schema) });
    }
    return name;
  }

  /** @param {string} name @param {Schema} schema a text out of a closed set */
  addChoice(name, schema) {
    this.#choices.add(name, schema.enum, sentence(schema), false);
  }

  text() {
    return [...this.#shapes].sort(byName).map(([, { text }]) => text).join('\n');
  }

  /** @param {string} name @param {Schema} schema */
  #declaration(name, schema) {
    const derived = this.#isRequest ? 'Clone, Debug, Default, PartialEq, Serialize' : 'Clone, Debug, PartialEq, Serialize, Deserialize';
    const rows = Object.entries(schema.properties).map(([member, inner]) => this.#row(name, member, inner, (schema.required ?? []).includes(member)));
    const open = this.#isRequest ? '' : '#[non_exhaustive]\n';
    const about = SENTENCES[name] ?? (sentence(schema) || `A part of what the gateway answers, \`${name}\`.`);
    return `/// ${about}\n#[derive(${derived})]\n#[serde(rename_all = "camelCase")]\n${open}pub struct ${name} {\n${rows.join('')}}\n`;
  }

  /** @param {string} owner @param {string} member @param {Schema} schema @param {boolean} isRequired */
  #row(owner, member, schema, isRequired) {
    const isOptional = !isRequired || kinds(schema).includes('null');
    const type = this.#type(owner, member, schema, isRequired);
    const field = member === 'type' ? 'kind' : snake(member);
    const serde = [
      ...(camel(field) === member ? [] : [`rename = "${member}"`]),
      ...(isOptional && !this.#isRequest ? ['default'] : []),
      ...(isOptional ? ['skip_serializing_if = "Option::is_none"'] : []),
    ];
    const words = digits(schema);
    const about = [sentence(schema) || `\`${member}\`, as in the OpenAPI document.`, ...(words.length ? [`One of ${words.map((word) => `\`${word}\``).join(', ')}.`] : [])].join(' ');
    return `    /// ${about}\n${serde.length ? attribute(serde) : ''}    pub ${field}: ${isOptional ? `Option<${type}>` : type},\n`;
  }

  /** @param {string} owner @param {string} member @param {Schema} schema @param {boolean} isRequired @returns {string} */
  #type(owner, member, schema, isRequired) {
    if (schema.$ref) {
      const target = String(schema.$ref).split('/').at(-1) ?? '';
      this.referred.push(target);
      const name = this.#names[target] ?? target;
      return name;
    }
    const [kind = ''] = kinds(schema).filter((one) => one !== 'null');
    if (kind === 'array') return `Vec<${this.#type(owner, member, schema.items, isRequired)}>`;
    if (kind === 'object') {
      if (schema.properties) return this.add(PARTS[member] ?? fail(member), schema);
      this.usesMaps = true;
      return 'Map<String, Value>';
    }
    const words = (schema.enum ?? []).filter((/** @type {unknown} */ word) => typeof word === 'string');
    if (kind === 'string' && words.length && !digits(schema).length) {
      const name = CHOICES[`${owner}.${member}`] ?? `${member.charAt(0).toUpperCase()}${member.slice(1)}`;
      this.usesChoices.add(this.#choices.add(name, words, sentence(schema), this.#isRequest && isRequired));
      return name;
    }
    return /** @type {Record<string, string>} */ ({ string: 'String', integer: 'u32', boolean: 'bool' })[kind] ?? fail(`${owner}.${member}`);
  }
}

/** @param {string[]} values as rustfmt writes them */
function attribute(values) {
  const line = `    #[serde(${values.join(', ')})]\n`;
  return line.length <= 101 ? line : `    #[serde(\n${values.map((value, index) => `        ${value}${index + 1 < values.length ? ',' : ''}\n`).join('')}    )]\n`;
}

/** @param {string} what @returns {never} */
function fail(what) {
  throw new Error(`There is no type for ${what}`);
}

/** @param {Schema} schema @returns {string[]} */
const kinds = (schema) => (schema.$ref ? [] : [schema.type].flat());

/** Words that are numbers stay texts: their names would say nothing. @param {Schema} schema @returns {string[]} */
function digits(schema) {
  const words = (schema.enum ?? []).filter((/** @type {unknown} */ word) => typeof word === 'string');
  return words.every((/** @type {string} */ word) => /^\d+$/.test(word)) ? words : [];
}

/** @param {string} name */
const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** @param {string} name */
const camel = (name) => name.replaceAll(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** @param {string} word in capital letters */
function variant(word) {
  const name = word.split('_').map((part) => part.charAt(0) + part.slice(1).toLowerCase()).join('');
  if (snake(name).slice(1).toUpperCase() !== word) throw new Error(`${word} does not come back from ${name}`);
  return name;
}

/** @param {[string, unknown]} one @param {[string, unknown]} other */
const byName = ([one], [other]) => (one < other ? -1 : 1);

/** The first sentence of a description. @param {Schema} schema */
function sentence(schema) {
  const text = String(schema.description ?? '').replaceAll(/\s+/g, ' ').trim();
  const [first = text] = /^.+?[.:](?= [A-Z`]|$)/.exec(text) ?? [];
  // Numbers in brackets are of sections of the contract.
  const bare = first.replace(/[.:]+$/, '').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('\\', '').replace(/ \([0-9., ]+( to [0-9.]+)?\)/g, '');
  return bare.length > 3 ? `${bare}.` : '';
}

/** A schema without its sentences, to compare. @param {any} value @returns {any} */
function without(value) {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  // A member of a request can be called "description" too: then there is a schema behind the name.
  return Object.fromEntries(Object.entries(value).filter(([name, inner]) => name !== 'description' || typeof inner === 'object').map(([name, inner]) => [name, without(inner)]));
}

/** The text of each module, by its name. @param {any} document @returns {Record<string, string>} */
export function modules(document) {
  const choices = new Choices();
  const requests = new Structures({}, choices, true);
  const answers = new Structures(ANSWERS, choices, false);
  const calls = /** @type {Record<string, any>} */ ({});
  for (const [path, verbs] of Object.entries(document.paths)) {
    for (const [verb, call] of Object.entries(/** @type {any} */ (verbs))) calls[call.operationId] = { ...call, where: `${verb.toUpperCase()} ${path}` };
  }
  for (const [called, name] of Object.entries(BODIES)) {
    requests.add(name, { ...calls[called].requestBody.content['application/json'].schema, description: `Body of \`${calls[called].where}\`.` });
  }
  for (const [called, name] of Object.entries(QUERIES)) {
    const rows = calls[called].parameters.filter((/** @type {any} */ row) => row.in === 'query');
    const properties = Object.fromEntries(rows.map((/** @type {any} */ row) => [row.name, { ...row.schema, description: row.description }]));
    requests.add(name, { properties, description: `Query of \`${calls[called].where}\`.` });
  }
  const { schemas } = document.components;
  schemas.Notification.properties.eventType.enum = EVENT_TYPES;
  schemas.Event.properties.eventType.enum = [...EVENT_TYPES, 'ORDER_FULFILMENT', ...NOTICE_TYPES];
  schemas.Notice.properties.eventType.enum = NOTICE_TYPES;
  answers.referred = Object.keys(ANSWERS);
  for (let target = answers.referred.pop(); target; target = answers.referred.pop()) {
    const name = ANSWERS[target] ?? target;
    if (schemas[target].enum) {
      answers.addChoice(name, schemas[target]);
      answers.usesChoices.add(name);
    } else answers.add(name, schemas[target]);
  }
  return {
    'requests.rs': `${head('What calls send', 'Write one with its members and `..Default::default()`: members may be added.')}${imports(requests, 'Serialize')}${requests.text()}`,
    'answers.rs': `${head('What the gateway answers and notifies of', 'Members may be added.')}${imports(answers, '{Deserialize, Serialize}')}${answers.text()}`,
    'choices.rs': `${head('Words out of closed sets', 'Words may be added.')}use serde::{Deserialize, Serialize};\n\n${choices.text()}`,
  };
}

/** @param {string} subject @param {string} more */
const head = (subject, more) => `//! ${subject}. ${more}\n//!\n//! Made by \`tools/types.mjs\`; changes by hand are lost. It is longer than most, because it has one type for each object of the API.\n\n`;

/** @param {Structures} structures @param {string} derived */
function imports(structures, derived) {
  const names = [...structures.usesChoices].sort();
  return `${names.length ? imported(names) : ''}use serde::${derived};\n${structures.usesMaps ? 'use serde_json::{Map, Value};\n' : ''}\n`;
}

/** As rustfmt writes it. @param {string[]} names */
function imported(names) {
  if (names.length === 1) return `use crate::types::choices::${names[0]};\n`;
  const line = `use crate::types::choices::{${names.join(', ')}};\n`;
  if (line.length <= 99) return line;
  const rows = [''];
  for (const name of names) {
    const last = rows.at(-1) ?? '';
    const next = last ? `${last} ${name},` : `    ${name},`;
    if (next.length <= 99) rows[rows.length - 1] = next;
    else rows.push(`    ${name},`);
  }
  return `use crate::types::choices::{\n${rows.join('\n')}\n};\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const document = JSON.parse(readFileSync(`${folder}../server/types/openapi.json`, 'utf8'));
  for (const [name, text] of Object.entries(modules(document))) writeFileSync(`${folder}src/types/${name}`, text);
}
