import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Nothing listens there: a linter that wanted the network would fail. */
const NOWHERE = 'http://127.0.0.1:9';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'openapi-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the OpenAPI document passes the recommended rules of Redocly’s linter without an error or a warning, and without the network', async () => {
  const file = path.join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(foldOpenapi(CONTRACTS, { version: '0', serverUrl: 'https://tranche.example' })));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(ROOT, 'node_modules/.bin/redocly'), 'lint', '--extends=recommended', '--format=json', file],
    {
      cwd: folder,
      maxBuffer: 16 * 1024 * 1024,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        HTTP_PROXY: NOWHERE,
        HTTPS_PROXY: NOWHERE,
      },
    },
  ).catch((failure: { stdout: string }) => failure);
  const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: unknown[] };
  expect(problems).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0, ignored: 0 });
});
