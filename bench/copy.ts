import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');

const SOURCES = [
  'app',
  'lib',
  'drizzle',
  'sandbox',
  'docs',
  'README.md',
  'package.json',
  'tsconfig.json',
  'postcss.config.mjs',
  'vercel.json',
  'instrumentation.ts',
  'proxy.ts',
];

/** What a copy has beside the product. */
export interface Added {
  /** A file by its path in the copy: what everything is compared with. */
  file: string;
  source: string;
  /** Of the Next.js configuration, what differs; an expression over `product`, the product's own. The types are checked elsewhere. */
  config?: string;
}

const configOf = ({ config = '{}' }: Added): string => `import type { NextConfig } from 'next';
import configure from './product.config.ts';

export default async function configureCopy(phase: string): Promise<NextConfig> {
  const product = await configure(phase);
  return { ...product, ...${config}, typescript: { ignoreBuildErrors: true } };
}
`;

/**
 * Copies the product to `.sandbox/<name>`, with one file beside its own, and gives the folder: within the project, so that
 * packages resolve as the product's own, and beside what git leaves out.
 */
export async function copyProduct(name: string, added: Added): Promise<string> {
  const copy = path.join(ROOT, '.sandbox', name);
  await rm(copy, { recursive: true, force: true });
  await mkdir(copy, { recursive: true });
  for (const source of SOURCES) await cp(path.join(ROOT, source), path.join(copy, source), { recursive: true });
  await cp(path.join(ROOT, 'next.config.ts'), path.join(copy, 'product.config.ts'));
  await writeFile(path.join(copy, 'next.config.ts'), configOf(added));
  // Files of packages that sources name by their place.
  await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  await mkdir(path.dirname(path.join(copy, added.file)), { recursive: true });
  await writeFile(path.join(copy, added.file), added.source);
  return copy;
}
