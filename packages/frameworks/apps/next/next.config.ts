import type { NextConfig } from 'next';

export default {
  // The tests open the page by its number.
  allowedDevOrigins: ['127.0.0.1'],
  turbopack: { root: import.meta.dirname },
} satisfies NextConfig;
