// @ts-check
/** What a server renders: the element, with the printed frame if there is one, and nothing that only a browser has. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSSRApp, h } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { PaymentField, PaymentForm } from '@payframe/vue';

const FRAME = '<template shadowrootmode="open" shadowrootdelegatesfocus><iframe src="https://gateway.example/form/?sessionid=s1"></iframe></template>';
const HTML = `<payment-form gateway="https://gateway.example" session="s1">${FRAME}</payment-form>`;

/** @param {any} component @param {object} props @param {any} [slots] */
const rendered = (component, props, slots) => renderToString(createSSRApp({ render: () => h(component, props, slots) }));

test('props become attributes; listeners and what the loader needs do not', async () => {
  const props = {
    gateway: 'https://gateway.example', session: 's1', appearance: { labels: 'floating' }, loadTimeoutMs: 5000, button: 'hidden', integrity: 'x', release: 'y', fieldsIntegrity: 'z',
    renewSession: () => '', onReady() {}, onResult() {}, class: 'card', id: 'pay',
  };
  assert.equal(
    await rendered(PaymentForm, props, { default: () => h('p', 'Call us.') }),
    '<payment-form gateway="https://gateway.example" session="s1" loadTimeoutMs="5000" button="hidden" appearance="{&quot;labels&quot;:&quot;floating&quot;}" class="card" id="pay">'
      + '<p>Call us.</p></payment-form>',
  );
});

test('a printed form is printed again, with the options of the page', async () => {
  const html = await rendered(PaymentForm, { html: HTML, locale: 'it' });
  assert.equal(html, `<payment-form gateway="https://gateway.example" session="s1" locale="it">${FRAME}</payment-form>`);
});

test('a field, and a form that is locked', async () => {
  assert.equal(await rendered(PaymentField, { name: 'CARD_NUMBER', for: 'pay' }), '<payment-field name="CARD_NUMBER" for="pay"></payment-field>');
  assert.match(await rendered(PaymentForm, { gateway: 'https://g.example', session: 's', disabled: true }), / disabled/);
});
