import { json } from '@sveltejs/kit';
import { orderStatus } from '../../../shop.mjs';

export const GET = async ({ url }) => json(await orderStatus(url.searchParams.get('id') ?? ''));
