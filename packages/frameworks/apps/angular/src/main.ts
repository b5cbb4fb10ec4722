import { provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { Checkout } from './checkout';
import { Fields } from './fields';
import { PAYMENT } from './payment';

const opened = await fetch('/session', { method: 'POST' });
const payment = await opened.json();
await bootstrapApplication(location.pathname === '/fields' ? Fields : Checkout, {
  providers: [provideZonelessChangeDetection(), { provide: PAYMENT, useValue: payment }],
});
