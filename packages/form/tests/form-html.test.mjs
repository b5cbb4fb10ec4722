// @ts-check
/** The form as HTML, which the gateway prints: what the packages of frameworks read of it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formAttributes, formContent } from '@payframe/form/adapter';

const FRAME = '<template shadowrootmode="open" shadowrootdelegatesfocus><iframe src="https://gateway.example/form/?lang=ENG&amp;sessionid=s1" title="Card payment"></iframe></template>';
const html = (attributes = 'gateway="https://gateway.example" session="s1"', content = FRAME) => `<payment-form ${attributes}>${content}</payment-form>`;

test('element and frame are told apart', () => {
  assert.deepEqual(formAttributes({ html: html() }), { gateway: 'https://gateway.example', session: 's1' });
  assert.equal(formContent({ html: `\n${html()}\n` }), FRAME);
});

test('attributes of a newer gateway stay, and options of the page come first', () => {
  const printed = html('gateway="https://gateway.example" session="s1" label="A &amp; &quot;B&quot; &lt;&#39;&gt; &amp;amp; &other;" locale="it" inert');
  const expected = { gateway: 'https://gateway.example', session: 's1', label: 'A & "B" <\'> &amp; &other;', locale: 'fr', inert: '' };
  assert.deepEqual(formAttributes({ html: printed, locale: 'fr' }), expected);
});

test('with fields of their own the printed frame is not used', () => {
  assert.equal(formContent({ html: html(), layout: 'fields' }), '');
  assert.equal(formContent({ gateway: 'https://gateway.example', session: 's1' }), '');
});

test('what is not of the gateway is refused', () => {
  const others = ['<p></p>', html('session="s1"'), html('gateway="https://gateway.example"'), `${html()}<script></script>`, html('gateway="x" session="y" onfocus="run()"')];
  for (const other of others) assert.throws(() => formAttributes({ html: other }), { code: 'bad_option' }, other);
});

test('only a frame of the gateway is printed; without it gateway and session are enough', () => {
  const others = [
    '', '<img>', `${FRAME}<script></script>`, FRAME.replace('<iframe', '<img><iframe'), FRAME.replace('gateway.example', 'other.example'), FRAME.replace('title', 'onload'),
    FRAME.replace('title', 'srcdoc'), FRAME.replace('https://gateway.example/form/?', 'javascript:'), FRAME.replace('/form/?', '.other.example/form/?'), FRAME.replace('Card payment', '<b>'),
  ];
  for (const content of others) {
    assert.equal(formContent({ html: html(undefined, content) }), '', content);
    assert.equal(formAttributes({ html: html(undefined, content) }).session, 's1', content);
  }
});
