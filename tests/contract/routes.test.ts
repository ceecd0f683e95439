import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { call, expectProblem } from '#tests/support/http.ts';

const API_FOLDER = path.resolve(import.meta.dirname, '../../app/api');
/** The one route that is nobody's: it answers 404. */
const CATCH_ALL = '/api/[[...unknown]]';

/** Parameter names differ between the two path forms; what they stand for does not. */
const shape = (apiPath: string) => apiPath.replaceAll(/\{\w+\}|\[\w+\]/g, '{}');

const routeFiles = globSync('**/route.ts', { cwd: API_FOLDER }).map((file) =>
  path.posix.join('/api', path.dirname(file)),
);
const contractPaths = CONTRACTS.map((contract) => {
  const apiPath = [contract.path, contract.alias].find((form) => form?.startsWith('/api/'));
  if (apiPath === undefined) throw new Error(`${contract.id} has no path form under /api`);
  return apiPath;
});

test('every route file serves a contract', () => {
  const known = new Set(contractPaths.map(shape));
  expect(routeFiles.filter((file) => file !== CATCH_ALL && !known.has(shape(file)))).toEqual([]);
});

test('every contract has its route file', () => {
  const served = new Set(routeFiles.map(shape));
  expect(contractPaths.filter((apiPath) => !served.has(shape(apiPath)))).toEqual([]);
});

test.each(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])(
  '%s to an address that is nobody’s is a 404 problem',
  async (method) => {
    for (const address of [
      '/api',
      '/api/nothing',
      '/api/system/nothing',
      '/api/webhooks/a/b/c/d',
      '/webhooks/a/b/c/d',
    ]) {
      expectProblem(await call(address, { method }), 404, 'not_found');
    }
  },
);
