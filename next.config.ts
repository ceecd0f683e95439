import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { NextConfig } from 'next';
import { PHASE_PRODUCTION_BUILD } from 'next/constants.js';
// Before anything else: `next build` and `next start` begin here.
import './lib/base/require-node.cjs';
import { COMMON_HEADERS, NO_PAGE_POLICY, SITE_HEADERS, STRICT_TRANSPORT, WORKER_POLICY } from './lib/api/headers.ts';

const listed = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([key, value]) => ({ key, value }));

/** What is no page: the interface, and files that pages load. */
const NO_PAGE = '(?:api|webhooks|_next)(?:/|$)';

/** The OpenAPI document, made before the build looks for the files that its functions need. */
const PREPARED = './.prepared/*';

const config: NextConfig = {
  poweredByHeader: false,
  // `npm run types` and `npm run build` check the types; a newcomer's first start need not wait for it once more.
  typescript: { ignoreBuildErrors: process.env.BUILD_WITHOUT_TYPES === '1' },
  // A header that only pages know must not redirect the interface; no page of ours is kept where one could pass for another.
  experimental: { validateRSCRequestHeaders: false },
  // The proxy tells apart what pages refresh themselves with.
  skipProxyUrlNormalize: true,
  // No page shows a picture that would have to be made smaller: its address takes nothing from anybody.
  images: { unoptimized: true },
  // In the bundle, where it is one file in place of thirty, and no route waits for an import that Node makes by itself.
  transpilePackages: ['pg'],
  compiler: {
    runAfterProductionCompile: async ({ distDir }) => void (await runNode('lib/base/parse-modules-once.ts', distDir)),
  },
  // Loaded by Node at run time, each only in the routes that use it: a bundle would make every cold start pay for them. bufferutil
  // is a native part of ws, which xrpl.js brings into the bundle.
  serverExternalPackages: [
    'bufferutil',
    'pino',
    'undici',
    '@vercel/postgres',
    '@opentelemetry/exporter-metrics-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
  ],
  // The built-in assistant and the pages of the guides read these at run time: no import leads to them.
  outputFileTracingIncludes: {
    '/api/ai-agent/*': ['./docs/*.md', './docs/faq/*.md', './README.md'],
    '/api/openapi.json': [PREPARED],
    // The guides beside every page of the reference too.
    '/{docs,reference}{,/**}': [
      PREPARED,
      './docs/**/*.{md,svg}',
      './{ARCHITECTURE,CHANGELOG,CONTRIBUTING}.md',
      './{lib/client,lib/client-python,lib/verifier,sandbox/ledger}/README.md',
    ],
  },
  // Both documented path forms are one resource (docs/webhooks.md).
  rewrites: async () => [
    { source: '/webhooks', destination: '/api/webhooks' },
    { source: '/webhooks/:path*', destination: '/api/webhooks/:path*' },
  ],
  headers: async () => [
    { source: '/:path*', headers: listed(COMMON_HEADERS) },
    {
      source: '/:path*',
      has: [{ type: 'header', key: 'x-forwarded-proto', value: 'https' }],
      headers: listed(STRICT_TRANSPORT),
    },
    { source: `/((?=${NO_PAGE}).*)`, headers: listed(NO_PAGE_POLICY) },
    // The file that a worker begins with; the later of two policies counts.
    { source: '/_next/static/chunks/(turbopack-worker-.*)', headers: listed(WORKER_POLICY) },
    { source: '/((?!(?:api|webhooks)(?:/|$)).*)', headers: listed(SITE_HEADERS) },
  ],
};

const runNode = (...args: string[]) => promisify(execFile)(process.execPath, args);

/** Folds the contracts into what the build will serve. */
export default async function configure(phase: string): Promise<NextConfig> {
  if (phase === PHASE_PRODUCTION_BUILD) await runNode('lib/api/prepare-openapi.ts');
  return config;
}
