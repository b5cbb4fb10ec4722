import { orderStatus } from '../shop.mjs';

export default defineEventHandler((event) => orderStatus(String(getQuery(event).id)));
