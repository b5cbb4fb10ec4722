import { createApp } from 'vue';
import Checkout from './Checkout.vue';
import Fields from './Fields.vue';

const opened = await fetch('/session', { method: 'POST' });
const { gateway, session, orderId } = await opened.json();
createApp(location.pathname === '/fields' ? Fields : Checkout, { gateway, session, orderId }).mount('#root');
