import { createRequire } from 'node:module';
import { register } from '../../../instrumentation.ts';

/** Runs what Next runs at the start of a process, and writes, as JSON, what that and what it set going has loaded. */
await register();
process.once('beforeExit', () => {
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  const isLoaded = (name: string): boolean => loaded.some((file) => file.includes(`/node_modules/${name}/`));
  process.stdout.write(
    `${JSON.stringify({ ledgerLibrary: isLoaded('xrpl'), keyLibrary: isLoaded('ripple-keypairs') })}\n`,
  );
});
