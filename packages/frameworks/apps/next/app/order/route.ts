import { orderStatus } from '../../shop.mjs';

export async function GET(request: Request) {
  return Response.json(await orderStatus(new URL(request.url).searchParams.get('id') ?? ''));
}
