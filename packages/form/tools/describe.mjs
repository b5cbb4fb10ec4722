// @ts-check
/**
 * Describes the two elements for editors and tools, from the SDK's declarations: `custom-elements.json` (the community's schema),
 * `html-data.json` (VS Code, setting `html.customData`) and `web-types.json` (JetBrains).
 * A test compares attributes and events with those of the SDK's code.
 */

import { readFileSync } from 'node:fs';

const read = (/** @type {string} */ name) => readFileSync(new URL(`../../../www/sdk/${name}`, import.meta.url), 'utf8');
const SOURCES = ['payframe.d.ts', 'fields.d.ts', 'messages.d.ts'].map(read).join('\n');
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** @typedef {{ kind: 'field' | 'method', name: string, type: string, description: string }} Member `type` of a method: what it gives */
/** @typedef {{ tag: string, className: string, description: string, attributes: Member[], properties: Member[], methods: Member[], events: Member[] }} Description */

/** The body of an interface or of a list of options. @param {string} name */
function bodyOf(name) {
  const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([^]*?)^\\}`, 'm').exec(SOURCES)?.[1];
  if (body === undefined) throw new Error(`there is no interface ${name}`);
  return body;
}

/** The members of an interface, with their words. Overloads and accessors that repeat a member are left out. @param {string} name @returns {Member[]} */
function membersOf(name) {
  const members = /^ {2}(?:\/\*\*([^]*?)\*\/\s+)?(readonly |get )?([A-Za-z]+)\??(\(.*\))?: (.*);$/gm;
  return [...bodyOf(name).matchAll(members)].map(([, words = '', accessor, member = '', given, type = '']) => ({
    kind: given && !accessor ? 'method' : 'field',
    name: member,
    type: type.replace(/ \| undefined$/, ''),
    description: words.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim(),
  }));
}

/** The values of a type, if they are a list of texts. @param {string} type @returns {string[]} */
function valuesOf(type) {
  // An empty text is the missing attribute.
  const wanted = type.replace(/ \| ''$/, '');
  const named = (/^\w+$/.test(wanted) && new RegExp(`^export type ${wanted} =([^;]*);`, 'm').exec(SOURCES)?.[1]) || wanted;
  const values = named.trim().replace(/^\|/, '').split('|').map((value) => value.trim());
  return values.every((value) => /^'.*'$/.test(value)) ? values.map((value) => value.slice(1, -1)) : [];
}

const SKIPPED = ['addEventListener', 'removeEventListener'];
const isMethod = (/** @type {Member} */ { kind }) => kind === 'method';

/** @param {string} tag @param {string} className @param {string} events @param {string} description @param {Member[]} attributes @returns {Description} */
function describe(tag, className, events, description, attributes) {
  const members = membersOf(className).filter(({ name }) => !SKIPPED.includes(name));
  const isAttribute = (/** @type {Member} */ { name }) => attributes.some((each) => each.name === name);
  return {
    tag,
    className,
    description,
    attributes,
    properties: members.filter((member) => !isMethod(member) && !isAttribute(member)),
    methods: members.filter(isMethod),
    events: membersOf(events),
  };
}

/** @returns {Description[]} */
export function elements() {
  const options = [...membersOf('FormOptions'), ...membersOf('FrameOptions')];
  const gateway = membersOf('PaymentFormElement').filter(({ name }) => name === 'gateway');
  const field = membersOf('PaymentFieldElement').filter(({ name }) => ['name', 'for', 'placeholder', 'errors', 'label'].includes(name));
  return [
    describe('payment-form', 'PaymentFormElement', 'PaymentFormEventMap', 'A card-payment form in a frame of the gateway.', [...gateway, ...options]),
    describe('payment-field', 'PaymentFieldElement', 'PaymentFieldEventMap', 'One input of a `<payment-form layout="fields">`, in a frame of the gateway.', field),
  ];
}

/** @param {Description} element */
const declaration = ({ tag, className, description, attributes, properties, methods, events }) => ({
  kind: 'class',
  name: className,
  tagName: tag,
  customElement: true,
  description,
  attributes: attributes.map(({ name, type, description }) => ({ name, type: { text: type }, description, fieldName: name })),
  members: [
    ...[...attributes, ...properties].map(({ name, type, description }) => ({ kind: 'field', name, type: { text: type }, description })),
    ...methods.map(({ name, type, description }) => ({ kind: 'method', name, return: { type: { text: type } }, description })),
  ],
  events: events.map(({ name, type, description }) => ({ name, type: { text: type }, description })),
});

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** The text of each file, by path in the package. @returns {Record<string, string>} */
export function descriptions() {
  const all = elements();
  const modules = all.map((element) => ({
    kind: 'javascript-module',
    path: element.tag === 'payment-form' ? 'payframe.js' : 'fields.js',
    declarations: [declaration(element)],
    exports: [{ kind: 'custom-element-definition', name: element.tag, declaration: { name: element.className } }],
  }));
  const tags = all.map(({ tag, description, attributes }) => ({
    name: tag,
    description,
    attributes: attributes.map(({ name, type, description }) => ({ name, description, values: valuesOf(type).map((value) => ({ name: value })) })),
  }));
  const webTypes = all.map(({ tag, description, attributes, properties, events }) => ({
    name: tag,
    description,
    attributes: attributes.map(({ name, type, description }) => ({ name, description, value: { type: valuesOf(type).length ? valuesOf(type).map((value) => `'${value}'`) : 'string' } })),
    js: {
      properties: [...attributes, ...properties].map(({ name, type, description }) => ({ name, description, value: { type } })),
      events: events.map(({ name, description }) => ({ name, description })),
    },
  }));
  return {
    'custom-elements.json': json({ schemaVersion: '2.1.0', modules }),
    'html-data.json': json({ version: 1.1, tags }),
    'web-types.json': json({ $schema: 'https://json.schemastore.org/web-types', name: '@payframe/form', version, 'description-markup': 'markdown', contributions: { html: { elements: webTypes } } }),
  };
}
