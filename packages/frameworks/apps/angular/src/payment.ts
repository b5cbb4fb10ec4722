import { InjectionToken } from '@angular/core';

export interface Payment {
  gateway: string;
  session: string;
  orderId: string;
}

export const PAYMENT = new InjectionToken<Payment>('the payment that the shop has opened');

/** What the shop's server has heard from the gateway. */
export async function orderStatus({ orderId }: Payment): Promise<string> {
  const answer = await fetch(`/order?id=${orderId}`);
  return (await answer.json()).status;
}
