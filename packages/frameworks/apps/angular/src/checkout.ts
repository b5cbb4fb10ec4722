import { Component, inject, signal } from '@angular/core';
import { PaymentForm, type ResultDetail } from '@payframe/angular';
import { orderStatus, PAYMENT } from './payment';

@Component({
  selector: 'shop-page',
  imports: [PaymentForm],
  template: `
    <section aria-label="Payment">
      <payment-form [gateway]="payment.gateway" [session]="payment.session" [appearance]="{ variables: { radius: 4 } }" (result)="onResult($event.detail)">
        <p>The card form can not be shown here. Call us to pay.</p>
      </payment-form>
      <p role="status">{{ status() }}</p>
    </section>
  `,
})
export class Checkout {
  readonly payment = inject(PAYMENT);
  readonly status = signal('');

  async onResult({ final }: ResultDetail) {
    if (final) this.status.set(await orderStatus(this.payment));
  }
}
