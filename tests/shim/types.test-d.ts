/** What merchants may write, and what the types must refuse. Checked by tsc; never run. */

import { loadPayframe, PayframeError } from '../../www/sdk/payframe.js';
import type { FieldId, FormOptions, Outcome, PaymentFormElement, PayframeErrorCode } from '../../www/sdk/payframe.js';
import type { PaymentFieldElement } from '../../www/sdk/fields.js';
import type { FrameMessage, FrameOptions, ShimCommand } from '../../www/sdk/messages.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(_?: T) => {};

// By script.
const form = loadPayframe('https://gateway.example').form({ session: 's', locale: 'it', theme: 'dark', button: 'hidden', layout: 'fields', label: 'Carta', loadTimeoutMs: 5000 });
holds<Same<typeof form, PaymentFormElement>>();
form.mount('#pay').mount(document.body).unmount();
form.reload();

// By tag.
const element = document.createElement('payment-form');
holds<Same<typeof element, PaymentFormElement>>();
element.session = 's';
element.theme = 'light';
const found: PaymentFormElement | null = document.querySelector('payment-form');
found?.remove();

// Events.
form.addEventListener('ready', (event) => holds<Same<typeof event.detail, null>>());
form.addEventListener('change', ({ detail }) => {
  holds<Same<typeof detail.brand, string | null>>();
  holds<Same<(typeof detail.fields)[number]['id'], FieldId>>();
  // @ts-expect-error there is no value of a field
  detail.fields[0]?.value;
});
form.addEventListener('focus', (event) => holds<Same<typeof event.detail.field, FieldId>>());
form.addEventListener('blur', (event) => holds<Same<typeof event.detail.field, FieldId>>());
form.addEventListener('enter', (event) => holds<Same<typeof event.detail.field, FieldId>>());
form.addEventListener('resize', (event) => holds<Same<typeof event.detail.height, number>>());
form.addEventListener('statechange', ({ detail: { state } }) => {
  if (state === 'READY_FOR_PAYMENT') return;
  // @ts-expect-error no such state
  if (state === 'DONE') return;
});
form.addEventListener('result', ({ detail }) => {
  holds<Same<typeof detail.outcome, Outcome>>();
  holds<Same<typeof detail.final, boolean>>();
  holds<Same<typeof detail.operationId, string | undefined>>();
});
form.addEventListener('error', function ({ detail: { code, fatal } }) {
  if (fatal && code === ('load_timeout' satisfies PayframeErrorCode)) this.reload();
});
form.addEventListener('click', (event) => event.clientX);

// Calls.
const controller = new AbortController();
void (async () => {
  const { outcome } = await form.confirm({ signal: controller.signal });
  holds<Same<typeof outcome, Outcome>>();
  await form.focus();
  await form.focus('SECURITY_CODE');
  await form.clear();
  await form.cancel();
  await form.update({ theme: 'auto' });
});
const error = new PayframeError('aborted', 'Withdrawn.', new Error('cause'));
holds<Same<typeof error.name, 'PayframeError'>>();

// What is refused.
// @ts-expect-error the gateway is required
loadPayframe();
// @ts-expect-error no such option
loadPayframe('https://gateway.example').form({ them: 'dark' });
// @ts-expect-error no such theme
form.update({ theme: 'blue' });
// @ts-expect-error no such layout
form.layout = 'rows';
// Another session can take over in place.
form.update({ session: 's' });
form.update({ locale: 'it', texts: { label_email: 'E-mail' } });
form.destroy();
void form.validate().then(([fault]) => fault?.code);
void form.setServerError({ field: 'EXPIRATION_DATE', code: 'expiry_past' });
// @ts-expect-error an error of the server has a code
void form.setServerError({ field: 'EXPIRATION_DATE' });
// @ts-expect-error no such field
form.focus('PIN');
// @ts-expect-error a session is text
form.session = 1;
// @ts-expect-error a signal, not a controller
form.confirm({ signal: controller });

// Page and frame have the same options; an object is sent as text.
type Told = Omit<FrameOptions, 'renew'>;
type Given = Pick<FormOptions, keyof Told>;
holds<Same<Told, { [K in keyof Given]: K extends 'appearance' | 'texts' ? string : Given[K] }>>();
holds<Same<Extract<ShimCommand, { type: 'update' }>['options'], FrameOptions>>();
form.renewSession = async () => 'm3p0';
form.addEventListener('expiring', ({ detail }) => holds<Same<typeof detail.secondsLeft, number>>());
// No message of either direction has a member for a card number or a security code.
type Members<T> = T extends unknown ? keyof T : never;
type Secret = 'pan' | 'number' | 'cardNumber' | 'cvv' | 'cvc' | 'securityCode' | 'value' | 'expiry';
holds<Same<Extract<Members<FrameMessage | ShimCommand>, Secret>, never>>();

// Fields.
const field = document.createElement('payment-field');
holds<Same<typeof field, PaymentFieldElement>>();
Object.assign(field, { name: 'CARD_NUMBER', for: 'pay' });
field.name = 'SECURITY_CODE';
field.addEventListener('change', ({ detail: { empty, complete, error, message } }) => [empty, complete, error?.length, message.length]);
field.addEventListener('focus', (event) => holds<Same<typeof event.detail, null>>());
field.addEventListener('click', (event) => event.clientX);
field.focus();
// @ts-expect-error no such field
field.name = 'PIN';
// @ts-expect-error there is no value
field.value;
// @ts-expect-error only the form sets the error
field.error = 'x';
type FieldMembers = keyof import('../../www/sdk/fields.js').FieldChangeDetail;
holds<Same<Extract<FieldMembers, Secret>, never>>();

// The class of existing integrations.
const build = new Build({
  onBuildSuccess: ({ id }, state) => [id, state],
  onBuildError: ({ id, errorCode, errorMessage }) => [id, errorCode === 'HF0004', errorMessage],
  onConfirmError: ({ validationStatus }) => validationStatus.every(({ valid }) => valid),
  async onBuildFlowStateChange({ fieldSet, url, operation, data }, state) {
    if (state === 'CARD_DATA_COLLECTION') return fieldSet?.fields.map(({ id, src }) => [id, src]);
    return [url, operation?.operationResult, data?.url];
  },
  onAllFieldsLoaded() {},
  onComponentUnavailable: ({ errorCode }) => errorCode === 'HF9003',
  cssLink: 'https://shop.example/card.css',
  defaultComponentCssClassName: 'input',
});
new window.Build();
build.confirmData();
build.confirmData(() => {});
build.clickAction('PAY_WITH_CARD');
// @ts-expect-error an id
build.clickAction();
