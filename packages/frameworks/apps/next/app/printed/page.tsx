import { openSession } from '../../shop.mjs';
import { Checkout } from '../checkout';

export const dynamic = 'force-dynamic';

export default async function Page() {
  const { html, orderId } = await openSession();
  return <Checkout form={{ html }} orderId={orderId} />;
}
