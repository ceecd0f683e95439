import { execFile } from 'node:child_process';
import { access, copyFile, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CRUISER = path.join(ROOT, 'node_modules/.bin/depcruise');

/** One file for each import: `name` stands for a file's own name. */
const FORBIDDEN: [file: string, imported: string][] = [
  ['drizzle/schema/name.ts', '#lib/base/money.ts'],
  ['drizzle/schema/name.ts', 'zod'],
  ['lib/base/name.ts', '#lib/ctx.ts'],
  ['lib/base/name.ts', '../xrpl/address.ts'],
  ['lib/base/name.ts', '@tranche/rules/reduce.ts'],
  ['lib/xrpl/name.ts', '#drizzle/schema/sale.ts'],
  ['lib/xrpl/name.ts', '#lib/events/append.ts'],
  ['lib/xrpl/name.ts', './signer.ts'],
  ['lib/xrpl/name.ts', 'drizzle-orm'],
  ['lib/events/name.ts', '@tranche/rules/reduce.ts'],
  ['lib/xrpl/name.ts', '@tranche/verifier/verify-sale.ts'],
  ['lib/rules/name.ts', '#lib/sales/projects/get-project.ts'],
  ['lib/rules/name.ts', '../base/money.ts'],
  ['lib/rules/name.ts', '../../drizzle/schema/sale.ts'],
  ['lib/rules/name.ts', '@tranche/verifier/verify-sale.ts'],
  ['lib/rules/name.ts', 'node:crypto'],
  ['lib/verifier/name.ts', '../base/db.ts'],
  ['lib/verifier/name.ts', '../rules/reduce.ts'],
  ['lib/verifier/name.ts', 'node:fs'],
  ['lib/verifier/name.ts', 'drizzle-orm'],
  ['lib/verifier/name.ts', '../sales/projects/get-project.ts'],
  ['lib/audit.ts', '#lib/webhooks/subscription.ts'],
  ['lib/sales/name.ts', '#lib/webhooks/delivery/wake.ts'],
  ['lib/sales/name.ts', '../webhooks/delivery/wake.ts'],
  ['lib/sales/name.ts', '@tranche/verifier/verify-sale.ts'],
  ['lib/sales/name.ts', '#lib/rules/reduce.ts'],
  ['lib/sales/name.ts', '../rules/reduce.ts'],
  ['lib/sales/name.ts', '#lib/xrpl/signer.ts'],
  ['lib/sales/name.ts', '#lib/payouts/settle.ts'],
  ['lib/sales/name.ts', '#lib/api/route.ts'],
  ['lib/sales/name.ts', '#lib/ops/doctor/main.ts'],
  ['lib/sales/name.ts', 'xrpl-sandbox/index.ts'],
  ['lib/sales/name.ts', '#bench/load/main.ts'],
  ['lib/sales/name.ts', '../../bench/load/main.ts'],
  ['lib/sales/actions/name.ts', '../../payouts/plan.ts'],
  ['lib/sales/feed/name.ts', '../../../app/api/route.ts'],
  ['lib/sales/feed/name.ts', '../../../lib/api/route.ts'],
  ['lib/payouts/name.ts', '#lib/sales/projects/get-project.ts'],
  ['lib/payouts/name.ts', '@tranche/rules/reduce.ts'],
  ['lib/webhooks/name.ts', '#lib/accounts/api-keys/create-api-key.ts'],
  ['lib/accounts/tenants/name.ts', '#lib/webhooks/registry/stop-orphaned.ts'],
  ['lib/webhooks/name.ts', '#lib/xrpl/signer.ts'],
  ['lib/accounts/api-keys/name.ts', '#lib/accounts/holders/get-stats.ts'],
  ['lib/accounts/administrators/name.ts', '#drizzle/schema/access.ts'],
  ['lib/jobs/name.ts', '#lib/api/route.ts'],
  ['lib/jobs/name.ts', '#lib/xrpl/signer.ts'],
  ['lib/assistant/name.ts', '#lib/jobs/process-payments.ts'],
  ['lib/assistant/name.ts', '#lib/sales/investments/quote.ts'],
  ['lib/assistant/tools/name.ts', '#lib/sales/actions/submit-action.ts'],
  ['lib/assistant/tools/name.ts', '#lib/payouts/plan.ts'],
  ['lib/assistant/tools/name.ts', '#lib/audit.ts'],
  ['lib/assistant/tools/name.ts', '#lib/base/db.ts'],
  ['lib/assistant/tools/name.ts', '#lib/accounts/api-keys/authenticate-api-key.ts'],
  ['lib/assistant/tools/name.ts', '#lib/api/route.ts'],
  ['lib/assistant/tools/name.ts', '#lib/accounts/platform-ids/generate.ts'],
  ['lib/ops/setup/name.ts', '#lib/jobs/process-payments.ts'],
  ['lib/cli/name.ts', '#lib/xrpl/signer.ts'],
  ['lib/cli/name.ts', '#lib/payouts/plan.ts'],
  ['lib/ops/doctor/name.ts', '#lib/api/route.ts'],
  ['lib/ops/doctor/name.ts', '#lib/xrpl/signer.ts'],
  ['lib/ops/status/name.ts', '#lib/ops/doctor/main.ts'],
  ['lib/api/name.ts', '#lib/payouts/plan.ts'],
  ['lib/api/name.ts', '#drizzle/schema/sale.ts'],
  ['lib/newcomer/name.ts', '#lib/base/money.ts'],
  ['app/api/name.ts', '#drizzle/schema/sale.ts'],
  ['app/api/name.ts', 'drizzle-orm'],
  ['app/api/name.ts', '#lib/base/db.ts'],
  ['app/api/name.ts', '#lib/xrpl/signer.ts'],
  ['app/api/name.ts', '#lib/ops/doctor/main.ts'],
  ['app/api/name.ts', '../../lib/api/route.ts'],
  ['app/api/name.ts', '#tests/support/name.ts'],
  ['proxy.ts', '#lib/jobs/process-payments.ts'],
  ['sandbox/ledger/name.ts', '../../lib/base/money.ts'],
  ['sandbox/ledger/name.ts', '@tranche/rules/amounts.ts'],
  ['sandbox/ledger/name.ts', '../redis/index.ts'],
  ['sandbox/qstash/name.ts', '../../lib/base/money.ts'],
  ['sandbox/redis/name.ts', 'drizzle-orm'],
  ['sandbox/launcher/name.ts', '#lib/jobs/process-payments.ts'],
];

const ALLOWED: [file: string, imported: string][] = [
  ['drizzle/schema/name.ts', 'drizzle-orm'],
  ['lib/base/name.ts', '#drizzle/schema/jobs.ts'],
  ['lib/base/name.ts', './db.ts'],
  ['lib/xrpl/name.ts', '#lib/base/money.ts'],
  ['lib/events/name.ts', '#lib/base/db.ts'],
  ['lib/base/name.ts', '@tranche/rules/amounts.ts'],
  ['lib/xrpl/name.ts', '@tranche/verifier/read-feed.ts'],
  ['lib/verifier/name.ts', '@tranche/rules/reduce.ts'],
  ['lib/sales/name.ts', '#lib/events/append.ts'],
  ['lib/sales/name.ts', '#drizzle/schema/sale.ts'],
  ['lib/sales/name.ts', '@tranche/rules/reduce.ts'],
  ['lib/sales/feed/name.ts', '../actions/submit-move.ts'],
  ['lib/sales/feed/name.ts', '#lib/payouts/create-payouts.ts'],
  ['lib/sales/actions/name.ts', '#lib/xrpl/signer.ts'],
  ['lib/sales/verification/name.ts', '@tranche/verifier/verify-sale.ts'],
  ['lib/payouts/name.ts', '#lib/xrpl/signer.ts'],
  ['lib/webhooks/name.ts', '@tranche/rules/types.ts'],
  ['lib/webhooks/name.ts', '#lib/accounts/tenants/tenant.ts'],
  ['lib/accounts/api-keys/name.ts', '#lib/accounts/tenants/tenant.ts'],
  ['lib/accounts/api-keys/name.ts', '#lib/webhooks/registry/stop-orphaned.ts'],
  ['lib/webhooks/name.ts', 'node:fs'],
  ['lib/jobs/name.ts', '#lib/sales/feed/confirm.ts'],
  ['lib/assistant/tools/name.ts', '#lib/sales/investments/quote.ts'],
  ['lib/assistant/tools/name.ts', '#lib/accounts/platform-ids/show-status.ts'],
  ['lib/ops/setup/name.ts', '#lib/jobs/crons.ts'],
  ['lib/cli/name.ts', '#lib/ops/doctor/examine.ts'],
  ['lib/api/name.ts', '#lib/accounts/api-keys/authenticate-api-key.ts'],
  ['lib/api/name.ts', '#lib/sales/contracts.ts'],
  ['app/api/name.ts', '#lib/api/route.ts'],
  ['app/api/name.ts', '#lib/sales/projects/get-project.ts'],
  ['sandbox/qstash/name.ts', '#sandbox/http-server.ts'],
  ['sandbox/launcher/name.ts', 'xrpl-sandbox/index.ts'],
  ['tests/unit/name.ts', '#lib/xrpl/signer.ts'],
  ['bench/name.ts', 'xrpl-sandbox/index.ts'],
];

/** Circles of values and of types, by relative paths and by names of package.json. */
const CIRCLES: [files: string, one: string, other: string][] = [
  [
    'lib/sales/round-a.ts and round-b.ts',
    "import { b } from './round-b.ts';\nexport const a = () => b;\n",
    "import { a } from './round-a.ts';\nexport const b = () => a;\n",
  ],
  [
    'lib/xrpl/types-a.ts and types-b.ts',
    "import type { B } from '#lib/xrpl/types-b.ts';\nexport type A = { b: B };\n",
    "import { type A } from '#lib/xrpl/types-a.ts';\nexport type B = A | null;\n",
  ],
  [
    'app/panel.tsx and row.tsx',
    "import { Row } from './row.tsx';\nexport const Panel = () => <Row />;\nexport type Shown = 1;\n",
    "import type { Shown } from './panel.tsx';\nexport const Row = (_: { shown?: Shown }) => <p />;\n",
  ],
];

const filesOf = (files: string): [string, string] => {
  const [one = '', other = ''] = files.split(' and ');
  return [one, path.join(path.dirname(one), other)];
};

let folder: string;
let found: { rule: string; file: string }[];

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

async function write(file: string, text: string): Promise<void> {
  const full = path.join(folder, file);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, text);
}

const at = (file: string, kind: string, index: number): string => file.replace('name.ts', `${kind}-${index}.ts`);

const PACKAGES: Readonly<Record<string, string>> = {
  '@tranche/rules': 'lib/rules',
  '@tranche/verifier': 'lib/verifier',
  'xrpl-sandbox': 'sandbox/ledger',
};

function pathInPackage(imported: string): string | null {
  const [, name = '', file = ''] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(imported) ?? [];
  const at = PACKAGES[name];
  return at === undefined ? null : path.join(at, file);
}

async function writeImport(file: string, imported: string, form: string): Promise<void> {
  const target = imported.startsWith('.')
    ? path.join(path.dirname(file), imported)
    : imported.startsWith('#')
      ? imported.slice(1)
      : pathInPackage(imported);
  if (target !== null && !(await exists(path.join(folder, target)))) await write(target, 'export const thing = 1;\n');
  await write(file, form.replace('imported', imported));
}

const AS_VALUE = "import { thing } from 'imported';\nexport const used = thing;\n";
const AS_TYPE = "import type { Thing } from 'imported';\nexport type Used = Thing;\n";

beforeAll(async () => {
  // A house of its own under the real rules.
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tranche-floors-')));
  for (const name of ['.dependency-cruiser.mjs', 'package.json'])
    await copyFile(path.join(ROOT, name), path.join(folder, name));
  await mkdir(path.join(folder, 'node_modules/@tranche'), { recursive: true });
  for (const name of await readdir(path.join(ROOT, 'node_modules')))
    if (name !== '@tranche' && !(name in PACKAGES))
      await symlink(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name));
  for (const [name, at] of Object.entries(PACKAGES)) {
    await mkdir(path.join(folder, at), { recursive: true });
    await copyFile(path.join(ROOT, at, 'package.json'), path.join(folder, at, 'package.json'));
    await symlink(path.join(folder, at), path.join(folder, 'node_modules', name));
  }
  for (const [index, [file, imported]] of FORBIDDEN.entries()) {
    await writeImport(at(file, 'forbidden', index), imported, AS_VALUE);
    if (file.includes('name.ts')) await writeImport(at(file, 'forbidden-type', index), imported, AS_TYPE);
  }
  for (const [index, [file, imported]] of ALLOWED.entries())
    await writeImport(at(file, 'allowed', index), imported, AS_VALUE);
  for (const [files, ...texts] of CIRCLES)
    for (const [index, file] of filesOf(files).entries()) await write(file, texts[index] ?? '');
  const folders = ['app', 'bench', 'drizzle', 'lib', 'sandbox', 'tests', 'proxy.ts'];
  const output = await promisify(execFile)(CRUISER, ['--no-cache', '--output-type', 'json', ...folders], {
    cwd: folder,
    maxBuffer: 100_000_000,
  }).then(
    ({ stdout }) => stdout,
    (failure: { stdout: string }) => failure.stdout,
  );
  const { summary } = JSON.parse(output) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  found = summary.violations.map(({ from, rule }) => ({ file: from, rule: rule.name }));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const rulesFor = (file: string) => found.filter((one) => one.file === file).map(({ rule }) => rule);

describe('the import floors', () => {
  it.each(FORBIDDEN.map((pair, index) => [...pair, index] as const))('%s may not import %s', (file, _, index) => {
    expect(rulesFor(at(file, 'forbidden', index))).not.toEqual([]);
    expect(rulesFor(at(file, file.includes('name.ts') ? 'forbidden-type' : '', index))).not.toEqual([]);
  });

  it.each(ALLOWED.map((pair, index) => [...pair, index] as const))('%s may import %s', (file, _, index) => {
    expect(rulesFor(at(file, 'allowed', index))).toEqual([]);
  });

  it.each(CIRCLES)('%s may not import each other', (files) => {
    expect(filesOf(files).flatMap(rulesFor)).toContain('no-circle');
  });

  it('the parts of lib go by their names in package.json, not by climbing', () => {
    const climbing = FORBIDDEN.findIndex(([file, imported]) => file.startsWith('app/') && imported.startsWith('../'));
    expect(rulesFor(at('app/api/name.ts', 'forbidden', climbing))).toEqual(['no-climb']);
  });

  it('no type is imported within an expression, which the cruise does not read', async () => {
    const written = await promisify(execFile)(
      'git',
      ['grep', '-nE', String.raw`typeof import\(|import\([^)]*\)\.([A-Z]|default\b)`, '--', '*.ts', '*.tsx'],
      { cwd: ROOT },
    ).then(
      ({ stdout }) => stdout,
      (failure: { code: number }) => (failure.code === 1 ? '' : Promise.reject(failure)),
    );
    expect(written).toBe('');
  });
});
