import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  // Loaded by Node at run time, each only in the routes that use it: a bundle would make every cold start pay for them.
  serverExternalPackages: ['xrpl', 'pg', 'pino', 'undici', '@vercel/postgres', 'ripple-keypairs'],
  // Both documented path forms are one resource (specification 4.3, design section 8).
  rewrites: async () => [
    { source: '/webhooks', destination: '/api/webhooks' },
    { source: '/webhooks/:path*', destination: '/api/webhooks/:path*' },
  ],
};

export default config;
