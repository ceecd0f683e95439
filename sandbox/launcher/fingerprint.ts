import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** What a build is made of. A path that does not exist is fine: its coming changes the fingerprint. */
const SOURCES = [
  'app',
  'lib',
  'drizzle',
  'public',
  'package.json',
  'package-lock.json',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'vercel.json',
  'instrumentation.ts',
  'middleware.ts',
  'proxy.ts',
];

/** SHA-256 over the names and contents of everything that goes into a build. */
export async function fingerprintOf(root: string): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const source of SOURCES) {
    for (const file of await filesOf(path.join(root, source))) {
      const content = await readFile(file).catch(() => Buffer.alloc(0));
      // Lengths keep two neighbours from passing for one.
      hash.update(`\0${path.relative(root, file)}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

async function filesOf(source: string): Promise<string[]> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return (await readFile(source).catch(() => null)) ? [source] : [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
