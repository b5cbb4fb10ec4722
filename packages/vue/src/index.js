// @ts-check
/**
 * Payframe's form as components for Vue 3: options are props, events are emitted, calls are exposed.
 *
 * A server renders the element as it is. The gateway's script is loaded once the component is mounted, so it changes no attribute before Vue has
 * taken the element over. A form that the gateway has printed (`html`) is in the server's HTML, and stays where it is.
 */

import { FIELD_ATTRIBUTES, FIELD_EVENTS, fieldAttributes, followField, followForm, FORM_EVENTS, FORM_ATTRIBUTES, formAttributes, formContent, formHandle, startForm } from '@payframe/form/adapter';
import { defineComponent, h, onBeforeUnmount, onMounted, shallowRef, watch } from 'vue';

/** @import { ComponentOptions, FieldOptions } from '@payframe/form/adapter' */
/** @import { PaymentFieldElement, PaymentFormElement } from '@payframe/form' */

export { isPayframeError, PayframeError } from '@payframe/form';

/** Any value: the types are in `types/index.d.ts`, and the gateway's script checks what it gets. @param {readonly string[]} names */
const untyped = (names) => Object.fromEntries(names.map((name) => [name, { type: null, required: false, default: undefined }]));
const flag = { type: Boolean, default: false };

/** In the HTML of a server the printed frame is the element's content. A browser reads it as a shadow root, so there the element is empty. */
const isServer = typeof document === 'undefined';

export const PaymentForm = /** @type {any} */ (defineComponent({
  name: 'PaymentForm',
  props: { ...untyped(['gateway', 'html', 'release', 'integrity', 'fieldsIntegrity', 'renewSession', ...FORM_ATTRIBUTES]), disabled: flag },
  emits: [...FORM_EVENTS],
  setup(given, { emit, expose, slots }) {
    const props = /** @type {ComponentOptions} */ (given);
    const element = shallowRef(/** @type {PaymentFormElement | null} */ (null));
    /** @type {import('@payframe/form/adapter').Tell} */
    const tell = (type, detail, event) => emit(type, detail, event);
    const script = () => [props.gateway, props.html, props.layout, props.release, props.integrity, props.fieldsIntegrity, props.nonce];
    let leave = () => {};
    let forget = () => {};

    onMounted(() => {
      if (!element.value) return;
      leave = followForm(element.value, tell);
      watch(() => Boolean(props.renewSession), (renews) => {
        if (element.value) element.value.renewSession = renews ? () => props.renewSession?.() ?? '' : undefined;
      }, { immediate: true });
      watch(script, () => {
        forget();
        forget = startForm(props, tell);
      }, { immediate: true });
    });
    onBeforeUnmount(() => (leave(), forget()));
    expose(formHandle(() => element.value, () => props));

    return () => {
      const printed = isServer ? formContent(props) : '';
      const attributes = { ...formAttributes(props), ref: element };
      if (printed) return h('payment-form', { ...attributes, innerHTML: printed });
      // The printed frame is in the place of a fallback, in the browser too.
      return h('payment-form', attributes, props.html ? undefined : slots.default?.());
    };
  },
}));

export const PaymentField = /** @type {any} */ (defineComponent({
  name: 'PaymentField',
  props: { ...untyped(FIELD_ATTRIBUTES), disabled: flag },
  emits: [...FIELD_EVENTS],
  setup(given, { emit, expose }) {
    const props = /** @type {FieldOptions} */ (/** @type {unknown} */ (given));
    const element = shallowRef(/** @type {PaymentFieldElement | null} */ (null));
    let leave = () => {};
    onMounted(() => {
      if (element.value) leave = followField(element.value, (type, detail, event) => emit(type, detail, event));
    });
    onBeforeUnmount(() => leave());
    expose({
      get element() {
        return element.value;
      },
      focus: () => element.value?.focus(),
    });
    return () => h('payment-field', { ...fieldAttributes(props), ref: element });
  },
}));
