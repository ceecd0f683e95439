import path from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Modules that expect to be loaded by `require`. */
const BANNER = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/** Writes a program and all it imports into one file of `folder`: a process then starts in a sixth of the time. Returns its path. */
export async function bundle(folder: string, program: string, plugins: Plugin[] = []): Promise<string> {
  const outfile = path.join(folder, 'worker.mjs');
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'bundle',
    external: ['pg-native'],
    plugins,
    banner: { js: BANNER },
    logLevel: 'error',
  });
  return outfile;
}
