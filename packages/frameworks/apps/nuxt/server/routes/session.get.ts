import { openSession } from '../shop.mjs';

export default defineEventHandler(() => openSession());
