import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { filesAtOnce } from '#tests/support/reachable-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Made by a route as it is loaded. */
const MOST = 300;
const MOST_AT_MEDIAN = 135;

test('no route makes many schemas before it knows what it is asked: the others are made when they are used', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['tests/support/schemas-made.ts'], { cwd: ROOT });
  const made = JSON.parse(stdout) as Record<string, number>;
  const routes = globSync('app/api/**/route.ts', { cwd: ROOT }).map((route) => ({
    route,
    schemas: filesAtOnce(route).reduce((sum, file) => sum + (made[file] ?? 0), 0),
  }));
  // They are counted: each has at least those of its own contract and of the limits of a list.
  expect(routes.filter(({ schemas }) => schemas > 50).length).toBeGreaterThan(100);
  expect(routes.filter(({ schemas }) => schemas > MOST)).toEqual([]);
  const counts = routes.map(({ schemas }) => schemas).toSorted((a, b) => a - b);
  expect(counts[Math.floor(counts.length / 2)]).toBeLessThan(MOST_AT_MEDIAN);
});
