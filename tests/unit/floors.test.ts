import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BIOME = path.join(ROOT, 'node_modules/.bin/biome');

/** What the import rules forbid: a file, and what it must not import. */
const FORBIDDEN: [file: string, imported: string][] = [
  ['drizzle/schema/a.ts', '#lib/base/money.ts'],
  ['lib/base/a.ts', '#lib/ctx.ts'],
  ['lib/base/a.ts', '../sale/reduce.ts'],
  ['lib/xrpl/a.ts', '#drizzle/schema/sale.ts'],
  ['lib/xrpl/a.ts', '#lib/events/append.ts'],
  ['lib/events/a.ts', '#lib/sales/reduce.ts'],
  ['lib/sales/a.ts', '#lib/webhooks/delivery/wake.ts'],
  ['lib/sales/a.ts', '../webhooks/wake.ts'],
  ['lib/sales/moves/a.ts', '../../payouts/plan.ts'],
  ['lib/sales/a.ts', '#lib/xrpl/signer.ts'],
  ['lib/sales/a.ts', '#lib/api/route.ts'],
  ['lib/sales/a.ts', '#sandbox/ledger/index.ts'],
  ['lib/payouts/a.ts', '#lib/sales/reduce.ts'],
  ['lib/webhooks/a.ts', '#lib/accounts/api-keys/create-api-key.ts'],
  ['lib/webhooks/a.ts', '#lib/xrpl/signer.ts'],
  ['lib/assistant/a.ts', '#lib/jobs/slice.ts'],
  ['lib/assistant/a.ts', '#lib/sales/investments/quote.ts'],
  ['lib/assistant/tools/a.ts', '#lib/sales/moves/submit-move.ts'],
  ['lib/assistant/tools/a.ts', '#lib/payouts/plan.ts'],
  ['lib/assistant/tools/a.ts', '#lib/api/route.ts'],
  ['lib/assistant/tools/a.ts', '#lib/jobs/platform-id/generate.ts'],
  ['lib/jobs/a.ts', '#lib/api/route.ts'],
  ['lib/jobs/a.ts', '#lib/xrpl/signer.ts'],
  ['app/api/a.ts', '#drizzle/schema/sale.ts'],
  ['app/api/a.ts', 'drizzle-orm'],
  ['sandbox/ledger/a.ts', '#lib/base/money.ts'],
  ['sandbox/qstash/a.ts', '../../lib/platform/money.ts'],
];

const ALLOWED: [file: string, imported: string][] = [
  ['lib/sales/moves/a.ts', '#lib/xrpl/signer.ts'],
  ['lib/payouts/a.ts', '#lib/xrpl/signer.ts'],
  ['lib/webhooks/a.ts', '#lib/rules/types.ts'],
  ['lib/sales/a.ts', '#lib/events/append.ts'],
  ['lib/sales/a.ts', '#drizzle/schema/sale.ts'],
  ['lib/jobs/a.ts', '#lib/sales/confirm.ts'],
  ['lib/assistant/tools/a.ts', '#lib/sales/investments/quote.ts'],
  ['lib/assistant/tools/a.ts', '#lib/jobs/platform-id/show-status.ts'],
  ['lib/api/a.ts', '#lib/accounts/api-keys/authenticate-api-key.ts'],
  ['app/api/a.ts', '#lib/api/route.ts'],
];

let folder: string;
let findings: string;

const place = (kind: string, index: number, file: string): string => file.replace(/a\.ts$/, `${kind}-${index}.ts`);

async function write(file: string, text: string): Promise<void> {
  const full = path.join(folder, file);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, text);
}

beforeAll(async () => {
  // A house of its own under the real rules: one file an import.
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tranche-floors-')));
  for (const name of ['biome.json', 'package.json', '.gitignore'])
    await copyFile(path.join(ROOT, name), path.join(folder, name));
  const imports = (target: string) => `import { thing } from '${target}';\n\nexport const used = thing;\n`;
  for (const [index, [file, target]] of FORBIDDEN.entries())
    await write(place('forbidden', index, file), imports(target));
  for (const [index, [file, target]] of ALLOWED.entries()) await write(place('allowed', index, file), imports(target));
  await write('lib/sales/round-a.ts', "import { b } from './round-b.ts';\n\nexport const a = () => b;\n");
  await write('lib/sales/round-b.ts', "import { a } from './round-a.ts';\n\nexport const b = () => a;\n");
  await write('lib/xrpl/ring-a.ts', "import { b } from '#lib/xrpl/ring-b.ts';\n\nexport const a = () => b;\n");
  await write('lib/xrpl/ring-b.ts', "import { a } from '#lib/xrpl/ring-a.ts';\n\nexport const b = () => a;\n");
  findings = await promisify(execFile)(BIOME, ['lint', '--reporter=github', '--max-diagnostics=none', '.'], {
    cwd: folder,
    maxBuffer: 10_000_000,
  }).then(
    ({ stdout }) => stdout,
    (failure: { stdout: string }) => failure.stdout,
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const found = (file: string, rule: string): boolean => findings.includes(`/${rule},file=${path.join(folder, file)},`);

describe('the import floors', () => {
  it.each(FORBIDDEN.map((pair, index) => [...pair, index] as const))('%s may not import %s', (file, _, index) => {
    expect(found(place('forbidden', index, file), 'noRestrictedImports')).toBe(true);
  });

  it.each(ALLOWED.map((pair, index) => [...pair, index] as const))('%s may import %s', (file, _, index) => {
    expect(found(place('allowed', index, file), 'noRestrictedImports')).toBe(false);
  });

  it('have no circles, neither by relative nor by subpath imports', () => {
    expect(found('lib/sales/round-a.ts', 'noImportCycles')).toBe(true);
    expect(found('lib/xrpl/ring-a.ts', 'noImportCycles')).toBe(true);
  });
});
