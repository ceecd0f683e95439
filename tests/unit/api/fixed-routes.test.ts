import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { reachableFiles } from '#tests/support/reachable-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The database's tables and its drivers: they cost a cold start more than the rest of such a route. */
const ofTheDatabase = (file: string): boolean => file.startsWith('drizzle/') || file === 'lib/base/db.ts';

const fixedRoutes = globSync('app/api/**/route.ts', { cwd: ROOT })
  .filter((route) => readFileSync(path.join(ROOT, route), 'utf8').includes('resource(fixed('))
  .map((route) => ({ route, files: reachableFiles(route) }));

test('a route whose answer is fixed loads nothing of the database', () => {
  expect(fixedRoutes.map(({ route }) => route)).toContain('app/api/openapi.json/route.ts');
  for (const { route, files } of fixedRoutes) expect([route, files.filter(ofTheDatabase)]).toEqual([route, []]);
});
