import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = path.join(import.meta.dirname, 'second-implementation');

it('the second implementation imports nothing but itself and Node', () => {
  const imported = readdirSync(FOLDER).flatMap((file) =>
    [...readFileSync(path.join(FOLDER, file), 'utf8').matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(
      ([, name]) => name,
    ),
  );
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((name) => !name?.startsWith('./') && !name?.startsWith('node:'))).toEqual([]);
});
