import { useRef, useState } from 'react';
import { isPayframeError, PaymentField, PaymentForm, type FieldId, type FormHandle } from '@payframe/react';
import { orderStatus, type Payment } from './checkout';

const FIELDS: [FieldId, string][] = [
  ['CARD_NUMBER', 'Card number'],
  ['EXPIRATION_DATE', 'Expiry date'],
  ['SECURITY_CODE', 'Security code'],
  ['CARDHOLDER_NAME', 'Name on card'],
];

export function Fields({ gateway, session, orderId }: Payment) {
  const form = useRef<FormHandle>(null);
  const [status, setStatus] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});

  async function pay() {
    try {
      const { final } = await form.current!.confirm();
      if (final) setStatus(await orderStatus(orderId));
    } catch (error) {
      // What is wrong with the card stands beside its fields.
      if (!isPayframeError(error)) throw error;
    }
  }

  return (
    <section aria-label="Payment">
      {FIELDS.map(([name, label]) => (
        <div key={name}>
          <label htmlFor={name}>{label}</label>
          <PaymentField id={name} name={name} for="pay" onChange={({ message }) => setErrors((former) => ({ ...former, [name]: message }))} />
          <p>{errors[name]}</p>
        </div>
      ))}
      <PaymentForm ref={form} id="pay" layout="fields" button="hidden" gateway={gateway} session={session} />
      <button onClick={pay}>Pay</button>
      <p role="status">{status}</p>
    </section>
  );
}
