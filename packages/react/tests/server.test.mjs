// @ts-check
/** What a server renders: the element, with the printed frame if there is one, and nothing that only a browser has. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { PaymentField, PaymentForm } from '@payframe/react';

const FRAME = '<template shadowrootmode="open" shadowrootdelegatesfocus><iframe src="https://gateway.example/form/?sessionid=s1"></iframe></template>';
const HTML = `<payment-form gateway="https://gateway.example" session="s1">${FRAME}</payment-form>`;
const none = () => {};

test('props become attributes; callbacks and what the loader needs do not', () => {
  const props = {
    gateway: 'https://gateway.example', session: 's1', appearance: { labels: /** @type {const} */ ('floating') }, loadTimeoutMs: 5000, button: /** @type {const} */ ('hidden'),
    integrity: 'x', release: 'y', fieldsIntegrity: 'z', renewSession: () => '', onReady: none, onChange: none, onResult: none, onError: none, disabled: false,
    className: 'card', id: 'pay', style: { minHeight: 404 }, 'aria-busy': true, children: createElement('p', null, 'Call us.'),
  };
  assert.equal(
    renderToString(createElement(PaymentForm, props)),
    '<payment-form id="pay" style="min-height:404px" aria-busy="true" gateway="https://gateway.example" session="s1" loadTimeoutMs="5000" button="hidden"'
      + ' appearance="{&quot;labels&quot;:&quot;floating&quot;}" class="card"><p>Call us.</p></payment-form>',
  );
});

test('a printed form is printed again, with the options of the page', () => {
  const html = renderToString(createElement(PaymentForm, { html: HTML, locale: 'it', className: 'card' }));
  assert.equal(html, `<payment-form gateway="https://gateway.example" session="s1" locale="it" class="card">${FRAME}</payment-form>`);
});

test('a field, and a form that is locked', () => {
  assert.equal(renderToString(createElement(PaymentField, { name: 'CARD_NUMBER', for: 'pay', onChange: none })), '<payment-field name="CARD_NUMBER" for="pay"></payment-field>');
  assert.match(renderToString(createElement(PaymentForm, { gateway: 'https://g.example', session: 's', disabled: true })), / disabled=""/);
});
