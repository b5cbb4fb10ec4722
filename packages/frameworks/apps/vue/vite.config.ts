import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { answerCall } from './static-shop.mjs';

/** The calls of the shop's server, while one develops. */
const shop = {
  name: 'shop',
  configureServer({ middlewares }: { middlewares: { use: (handler: (request: any, response: any, next: () => void) => void) => void } }) {
    middlewares.use(async (request, response, next) => (await answerCall(request, response)) || next());
  },
};

export default defineConfig({ plugins: [vue(), shop], server: { port: Number(process.env.PORT) } });
