import { globSync } from 'node:fs';
import path from 'node:path';

// Prints how many schemas each file makes while the routes are loaded, as JSON. In a process of its own: nothing may have loaded zod.

const ROOT = path.resolve(import.meta.dirname, '../..');
const made: Record<string, number> = {};

interface Made {
  _zod: { def: { check?: string } };
}

/** The file that is being loaded stands at the bottom of the stack. */
function count(schema: Made): void {
  if (schema._zod.def.check !== undefined) return;
  const files = [...(new Error('made here').stack ?? '').matchAll(/file:\/\/([^:)]+)/g)].map(([, file = '']) => file);
  const file = path.relative(ROOT, files.findLast((each) => each !== import.meta.filename) ?? '');
  made[file] = (made[file] ?? 0) + 1;
}

Error.stackTraceLimit = 100;
// zod calls it with each schema and each check that is made.
Object.assign(globalThis, { __zod_globalConfig: { postProcessor: count } });
for (const route of globSync('app/api/**/route.ts', { cwd: ROOT })) await import(path.join(ROOT, route));
process.stdout.write(JSON.stringify(made), () => process.exit());
