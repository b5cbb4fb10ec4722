import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Checkout } from './checkout';
import { Fields } from './fields';

const Page = location.pathname === '/fields' ? Fields : Checkout;
const opened = await fetch('/session', { method: 'POST' });
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Page {...await opened.json()} />
  </StrictMode>,
);
