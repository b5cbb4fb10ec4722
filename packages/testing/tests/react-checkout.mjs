// @ts-check
/**
 * A shop's component with `@payframe/react`, in both windows: it pays at the fake, and no script of a gateway is loaded. Part of `fake.test.mjs`, because both
 * libraries take long to load.
 */

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { installFake } from '@payframe/testing/fake';

/** Names that React and the packages look for in the global object of a browser. */
const GLOBALS = ['window', 'document', 'navigator', 'customElements', 'HTMLElement', 'HTMLIFrameElement', 'Element', 'Node', 'Event', 'CustomEvent', 'AbortController'];

/** Carries it out with the window's names in the global object. @param {Window & typeof globalThis} window @param {() => Promise<void>} work */
async function inWindow(window, work) {
  const before = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const name of GLOBALS) Object.defineProperty(globalThis, name, { value: name === 'window' ? window : Reflect.get(window, name), configurable: true, writable: true });
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
  try {
    await work();
  } finally {
    Reflect.deleteProperty(globalThis, 'IS_REACT_ACT_ENVIRONMENT');
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, /** @type {string} */ (name), /** @type {PropertyDescriptor} */ (descriptor));
      else Reflect.deleteProperty(globalThis, /** @type {string} */ (name));
    }
  }
}

/** @param {string} library @param {() => Window & typeof globalThis} open makes a window of it */
export function reactCheckout(library, open) {
  suite(`@payframe/react with the fake in ${library}`, () => {
    test('a checkout pays, shows a refusal, and pays with its own button', async (t) => {
      const logged = t.mock.method(console, 'error', () => {});
      const window = open();
      await inWindow(window, async () => {
        // React looks at the global object when it is imported; a later window of the same process is of another library, and it works with that too.
        const { act, createElement, createRef, StrictMode, useState } = await import('react');
        const { createRoot } = await import('react-dom/client');
        const { PaymentForm } = await import('@payframe/react');
        const fake = installFake();
        /** @type {import('react').RefObject<import('@payframe/react').FormHandle | null>} */
        const handle = createRef();
        /** @type {string[]} */
        const told = [];

        function Checkout() {
          const [status, setStatus] = useState('');
          return createElement('div', null,
            createElement(PaymentForm, {
              ref: handle, gateway: 'https://gateway.example', session: 's1', locale: 'it', button: 'hidden',
              onReady: () => told.push('ready'), onError: ({ code }) => told.push(code),
              onResult: ({ outcome }) => setStatus(outcome),
            }),
            createElement('button', { onClick: () => handle.current?.confirm().catch(({ code }) => setStatus(code)) }, 'Pay'),
            createElement('output', null, status),
          );
        }

        const root = createRoot(window.document.body);
        await act(async () => root.render(createElement(StrictMode, null, createElement(Checkout))));
        const status = () => window.document.querySelector('output')?.textContent;
        const press = () => act(async () => {
          window.document.querySelector('button')?.click();
          await handle.current?.whenReady();
          // The outcome is known once the form collects again or is complete.
          while (/busy/.test(fake.form().dataset.state ?? '')) await null;
        });
        await act(() => fake.form().whenReady);
        assert.deepEqual([told, fake.form().locale], [['ready'], 'it']);
        await press();
        assert.equal(status(), 'invalid_data');
        await act(() => fake.buyer().fill());
        fake.outcome = ['declined', 'approved'];
        await press();
        assert.equal(status(), 'declined');
        await act(() => fake.buyer().enter('SECURITY_CODE'));
        await press();
        assert.equal(status(), 'approved');
        await act(async () => root.unmount());
        assert.deepEqual(told, ['ready']);
      });
      assert.deepEqual(logged.mock.calls.map(({ arguments: [first] }) => first), []);
    });
  });
}
