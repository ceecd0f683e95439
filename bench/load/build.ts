import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { copyProduct } from '../copy.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NAME = 'bench-load';
export const COPY = path.join(ROOT, '.sandbox', NAME);
export const NEXT = path.join(ROOT, 'node_modules/next/dist/bin/next');

// What counts statements stands in front of the driver (counting.ts): in the bundle nothing could.
const DRIVER_APART =
  "{ transpilePackages: [], serverExternalPackages: [...(product.serverExternalPackages ?? []), 'pg'] }";
const NOTE = 'The product as it was when the load benchmark was last built. Written anew by each build.\n';

/** Builds a copy of the product for production: one build, that any number of instances serve. */
export async function buildCopy(): Promise<void> {
  await copyProduct(NAME, { file: 'COPY.md', source: NOTE, config: DRIVER_APART });
  const build = spawn(process.execPath, [NEXT, 'build'], {
    cwd: COPY,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error(`The build ended with exit code ${code}`);
}
