import { Component, inject, signal, viewChild } from '@angular/core';
import { type FieldId, isPayframeError, PaymentField, PaymentForm } from '@payframe/angular';
import { orderStatus, PAYMENT } from './payment';

@Component({
  selector: 'shop-page',
  imports: [PaymentField, PaymentForm],
  template: `
    <section aria-label="Payment">
      @for (field of fields; track field.name) {
        <label [for]="field.name">{{ field.label }}</label>
        <payment-field [id]="field.name" [name]="field.name" for="pay" (change)="field.error.set($event.detail.message)" />
        <p>{{ field.error() }}</p>
      }
      <payment-form id="pay" layout="fields" button="hidden" [gateway]="payment.gateway" [session]="payment.session" />
      <button (click)="pay()">Pay</button>
      <p role="status">{{ status() }}</p>
    </section>
  `,
})
export class Fields {
  readonly payment = inject(PAYMENT);
  readonly status = signal('');
  readonly form = viewChild.required(PaymentForm);
  readonly fields = [
    field('CARD_NUMBER', 'Card number'),
    field('EXPIRATION_DATE', 'Expiry date'),
    field('SECURITY_CODE', 'Security code'),
    field('CARDHOLDER_NAME', 'Name on card'),
  ];

  async pay() {
    try {
      const { final } = await this.form().confirm();
      if (final) this.status.set(await orderStatus(this.payment));
    } catch (error) {
      // What is wrong with the card stands beside its fields.
      if (!isPayframeError(error)) throw error;
    }
  }
}

function field(name: FieldId, label: string) {
  return { name, label, error: signal('') };
}
