import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { copyProduct } from '../copy.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NAME = 'bench-api';
export const COPY = path.join(ROOT, '.sandbox', NAME);
export const NEXT = path.join(ROOT, 'node_modules/next/dist/bin/next');

/** Address of the handler that everything is compared with. */
export const BARE_PATH = '/api/bare';

/** The least that a route can be: made anew for each request, and an object in JSON. */
const BARE_ROUTE = `export const dynamic = 'force-dynamic';
export const GET = (): Response => Response.json({ status: 'operational' });
`;

// A serverless function loads a route when it is first asked for; `next start` would load them all beforehand.
const NO_PRELOAD = '{ experimental: { ...product.experimental, preloadEntriesOnStart: false } }';

/** Builds a copy of the product for production, with the bare route beside its own. */
export async function buildCopy(): Promise<void> {
  await copyProduct(NAME, { file: `app${BARE_PATH}/route.ts`, source: BARE_ROUTE, config: NO_PRELOAD });
  const build = spawn(process.execPath, [NEXT, 'build'], {
    cwd: COPY,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error(`The build ended with exit code ${code}`);
}
