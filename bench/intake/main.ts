import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * The limits that V8 sets itself where there are 2 GB, which a function has (docs/cost.md). It takes them from the machine's memory: with
 * 24 GB it lets 128 MB of garbage lie in the young generation alone, and so the peak would be the machine's more than the
 * platform's.
 */
const HEAP_OF_A_FUNCTION = ['--max-old-space-size=1024', '--max-semi-space-size=32'];

const measure = fileURLToPath(new URL('measure.ts', import.meta.url));
const child = spawn(process.execPath, [...HEAP_OF_A_FUNCTION, measure, ...process.argv.slice(2)], { stdio: 'inherit' });
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
