import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What a file loads at run time: of `import type` nothing is left. */
const IMPORTED = /^\s*(?:import|export)\s+(?!type\s)[^;']*?from\s+'([^']+)'|import\('([^']+)'\)/gm;
const ONLY_TYPES = /^\s*(?:import|export)\s+\{(?:\s*type\s+\w+(?:\s+as\s+\w+)?\s*,?)+\}/;

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(IMPORTED)].flatMap(([statement, from, lazily]) => {
    const name = from ?? lazily ?? '';
    if (ONLY_TYPES.test(statement)) return [];
    if (name.startsWith('#')) return [path.join(ROOT, name.slice(1))];
    return name.startsWith('.') ? [path.resolve(path.dirname(file), name)] : [];
  });
}

/** Every file of ours that a route may load; paths from the project's root. */
export function reachableFiles(route: string): string[] {
  const found = new Set([path.join(ROOT, route)]);
  for (const file of found) {
    for (const next of importsOf(file)) if (next.endsWith('.ts') && existsSync(next)) found.add(next);
  }
  return [...found].map((file) => path.relative(ROOT, file));
}
