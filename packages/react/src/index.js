// @ts-check
'use client';
/**
 * Payframe's form as components for React 18 and 19: options are props, events are callbacks, calls are methods of the ref.
 *
 * A server renders the element as it is. The gateway's script is loaded in an effect, so it changes no attribute before React has taken the
 * element over. A form that the gateway has printed (`html`) is in the server's HTML, and stays where it is.
 */

import { FIELD_ATTRIBUTES, fieldAttributes, followField, followForm, FORM_ATTRIBUTES, formAttributes, formContent, formHandle, startForm } from '@payframe/form/adapter';
import { createElement, forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** @import { PaymentFieldProps, PaymentFormProps } from '../types/index.js' */
/** @import { FormHandle } from '@payframe/form/adapter' */
/** @import { PaymentFieldElement, PaymentFormElement } from '@payframe/form' */

export { isPayframeError, PayframeError } from '@payframe/form';

/** Before the browser's next task, so that no event is missed. React 18 warns of it on a server, where effects do not run. */
const useCommitted = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/** The callback of each event. */
const CALLBACKS = /** @type {const} */ ({
  ready: 'onReady',
  change: 'onChange',
  focus: 'onFocus',
  blur: 'onBlur',
  enter: 'onEnter',
  resize: 'onResize',
  statechange: 'onStateChange',
  result: 'onResult',
  expiring: 'onExpiring',
  error: 'onError',
});

/** Props that are no attributes of the host. @type {Set<string>} */
const FORM_PROPS = new Set([
  'gateway', 'html', 'disabled', 'release', 'integrity', 'fieldsIntegrity', 'renewSession', 'children', 'className', ...FORM_ATTRIBUTES, ...Object.values(CALLBACKS),
]);
/** @type {Set<string>} */
const FIELD_PROPS = new Set(['disabled', 'className', 'onChange', 'onFocus', 'onBlur', ...FIELD_ATTRIBUTES]);

export const PaymentForm = forwardRef(
  /** @param {PaymentFormProps} props @param {import('react').ForwardedRef<FormHandle>} ref */
  function PaymentForm(props, ref) {
    const element = useRef(/** @type {PaymentFormElement | null} */ (null));
    const latest = useLatest(props);
    const { gateway, html, layout, release, integrity, fieldsIntegrity, nonce } = props;
    const printed = useServerHtml(() => formContent(props) || undefined);
    const [tell] = useState(() => (/** @type {keyof typeof CALLBACKS} */ type, /** @type {any} */ detail, /** @type {any} */ event) => {
      const callback = /** @type {((detail: any, event: any) => void) | undefined} */ (latest.current[CALLBACKS[type]]);
      callback?.(detail, event);
    });

    useCommitted(() => followForm(present(element), tell), [tell]);
    useCommitted(() => startForm(latest.current, tell), [gateway, html, layout, release, integrity, fieldsIntegrity, nonce, latest, tell]);
    const renews = Boolean(props.renewSession);
    useCommitted(() => {
      present(element).renewSession = renews ? () => latest.current.renewSession?.() ?? '' : undefined;
    }, [renews, latest]);
    useImperativeHandle(ref, () => formHandle(() => element.current, () => latest.current), [latest]);

    return createElement('payment-form', {
      ...others(props, FORM_PROPS),
      ...formAttributes(props),
      // React 18 gives the attributes of custom elements as they are called.
      class: props.className,
      ref: element,
      ...printed,
      ...(!printed.dangerouslySetInnerHTML && { children: props.children }),
    });
  },
);

export const PaymentField = forwardRef(
  /** @param {PaymentFieldProps} props @param {import('react').ForwardedRef<PaymentFieldElement>} ref */
  function PaymentField(props, ref) {
    const element = useRef(/** @type {PaymentFieldElement | null} */ (null));
    const latest = useLatest(props);
    // An empty text says that React has no part in the children: the field's frame is one.
    const printed = useServerHtml(() => '');
    useCommitted(() => followField(present(element), (type, detail, event) => {
      const { onChange, onFocus, onBlur } = latest.current;
      if (type === 'change') onChange?.(/** @type {any} */ (detail), /** @type {any} */ (event));
      else (type === 'focus' ? onFocus : onBlur)?.(null, /** @type {any} */ (event));
    }), [latest]);
    useImperativeHandle(ref, () => present(element), []);
    return createElement('payment-field', { ...others(props, FIELD_PROPS), ...fieldAttributes(props), class: props.className, ref: element, ...printed });
  },
);

/**
 * The props of an element that a server has rendered, and that the SDK may have changed before React takes it over: React then compares neither attributes
 * nor children. The object stays the same, because React writes the text again if it changes. An element that the browser renders has none.
 * @param {() => string | undefined} content
 */
function useServerHtml(content) {
  const isServers = useSyncExternalStore(subscribe, no, yes);
  const [props] = useState(() => {
    const html = isServers ? content() : undefined;
    return { suppressHydrationWarning: true, ...(html !== undefined && { dangerouslySetInnerHTML: { __html: html } }) };
  });
  return props;
}
const subscribe = () => () => {};
const no = () => false;
const yes = () => true;

/** The props of the last render that is in the page. @template T @param {T} value */
function useLatest(value) {
  const latest = useRef(value);
  useCommitted(() => {
    latest.current = value;
  });
  return latest;
}

/** The element of a component that is in the page. @template T @param {{ current: T | null }} ref */
function present({ current }) {
  if (!current) throw new Error('the component is not in the page');
  return current;
}

/** What is meant for the host: `id`, `style`, `aria-…`, `data-…`. @param {object} props @param {Set<string>} own */
const others = (props, own) => Object.fromEntries(Object.entries(props).filter(([name]) => !own.has(name)).map(([name, value]) => [name, isAria(name) ? value?.toString() : value]));
/** At custom elements React 19 writes an empty text for `true`, which says nothing to a screen reader. @param {string} name */
const isAria = (name) => name.startsWith('aria-');
