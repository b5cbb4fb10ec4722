import { openSession } from '../../shop.mjs';
import { Tag } from './tag';

export const dynamic = 'force-dynamic';

/** The tag alone, without a component: its script may make the form live before React takes the page over, or after. */
export default async function Page() {
  const { gateway, session, orderId } = await openSession();
  return (
    <>
      <script type="module" async src={`${gateway}/sdk/payframe.js`} crossOrigin="anonymous" />
      <Tag gateway={gateway} session={session} orderId={orderId} />
    </>
  );
}
