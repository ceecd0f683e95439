import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What a file loads at run time: of `import type` nothing is left. */
const IMPORTED = /^\s*(?:import|export)\s+(?!type\s)[^;']*?from\s+'([^']+)'|import\('([^']+)'\)/gm;
const ONLY_TYPES = /^\s*(?:import|export)\s+\{(?:\s*type\s+\w+(?:\s+as\s+\w+)?\s*,?)+\}/;

function importsOf(file: string, atOnce: boolean): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(IMPORTED)].flatMap(([statement, from, lazily]) => {
    const name = from ?? lazily ?? '';
    if (ONLY_TYPES.test(statement) || (atOnce && from === undefined)) return [];
    if (name.startsWith('#')) return [path.join(ROOT, name.slice(1))];
    if (atOnce && name.startsWith('@tranche/')) return [path.join(ROOT, 'lib', name.slice('@tranche/'.length))];
    return name.startsWith('.') ? [path.resolve(path.dirname(file), name)] : [];
  });
}

function filesFrom(route: string, atOnce: boolean): string[] {
  const found = new Set([path.join(ROOT, route)]);
  for (const file of found) {
    for (const next of importsOf(file, atOnce)) if (next.endsWith('.ts') && existsSync(next)) found.add(next);
  }
  return [...found].map((file) => path.relative(ROOT, file));
}

/** Every file of ours that a route may load; paths from the project's root. */
export const reachableFiles = (route: string): string[] => filesFrom(route, false);

/** Those that it loads whatever it is asked, with those of our packages: what it imports only when it is used is left out. */
export const filesAtOnce = (route: string): string[] => filesFrom(route, true);
