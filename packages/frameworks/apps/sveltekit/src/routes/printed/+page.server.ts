import { openSession } from '../../../shop.mjs';

export const load = () => openSession();
