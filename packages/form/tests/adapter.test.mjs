// @ts-check
/** What the packages of frameworks share, as far as it needs no browser. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELD_ATTRIBUTES, FIELD_EVENTS, fieldAttributes, FORM_ATTRIBUTES, FORM_EVENTS, formAttributes, formHandle } from '@payframe/form/adapter';
import { elements } from '../tools/describe.mjs';

test('options become attributes as text, objects as JSON; what is undefined is left out', () => {
  const attributes = formAttributes({ gateway: 'https://gateway.example', session: 's', appearance: { variables: { radius: 4 } }, loadTimeoutMs: 5000, locale: undefined, disabled: true });
  assert.deepEqual(attributes, { gateway: 'https://gateway.example', session: 's', loadTimeoutMs: '5000', appearance: '{"variables":{"radius":4}}', disabled: '' });
  assert.deepEqual(formAttributes({ disabled: false, theme: 'dark' }), { theme: 'dark' });
  assert.deepEqual(fieldAttributes({ name: 'CARD_NUMBER', for: 'pay', errors: 'inside', disabled: true }), { name: 'CARD_NUMBER', for: 'pay', errors: 'inside', disabled: '' });
});

test('every event and every option of the declarations is passed on', () => {
  const [form, field] = elements();
  assert.deepEqual(form?.events.map(({ name }) => name).sort(), [...FORM_EVENTS].sort());
  assert.deepEqual(form?.attributes.map(({ name }) => name).sort(), ['gateway', ...FORM_ATTRIBUTES.filter((name) => name !== 'nonce')].sort());
  assert.deepEqual(field?.events.map(({ name }) => name).sort(), [...FIELD_EVENTS].sort());
  assert.deepEqual(field?.attributes.map(({ name }) => name).sort(), [...FIELD_ATTRIBUTES].sort());
});

test('the handle has every call of the element that a component needs', () => {
  const handle = formHandle(() => undefined, () => ({}));
  // Life and place of the element are the framework's.
  const framework = ['mount', 'unmount', 'destroy'];
  const calls = elements()[0]?.methods.map(({ name }) => name).filter((name) => !framework.includes(name)) ?? [];
  assert.deepEqual(Object.keys(handle).sort(), [...calls, 'element', 'whenReady'].sort());
});

test('calls of a component that is not mounted are refused', async () => {
  const handle = formHandle(() => undefined, () => ({ gateway: 'https://gateway.example' }));
  assert.equal(handle.element, null);
  await assert.rejects(handle.confirm(), { code: 'unmounted' });
  await assert.rejects(handle.whenReady(), { code: 'unmounted' });
});
