import { openSession } from '../shop.mjs';
import { Checkout } from './checkout';

// Each buyer has a session of their own.
export const dynamic = 'force-dynamic';

export default async function Page() {
  const { gateway, session, orderId } = await openSession();
  return <Checkout form={{ gateway, session }} orderId={orderId} />;
}
