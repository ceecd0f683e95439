import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BIOME = path.join(ROOT, 'node_modules/.bin/biome');

/** What design section 2 forbids: a file, and what it must not import. */
const FORBIDDEN: [file: string, imported: string][] = [
  ['drizzle/schema/a.ts', '#lib/platform/money.ts'],
  ['lib/platform/a.ts', '#lib/ctx.ts'],
  ['lib/platform/a.ts', '../sale/reduce.ts'],
  ['lib/ledger/a.ts', '#drizzle/schema/sale.ts'],
  ['lib/ledger/a.ts', '#lib/events/append.ts'],
  ['lib/events/a.ts', '#lib/sale/reduce.ts'],
  ['lib/sale/a.ts', '#lib/webhooks/delivery/wake.ts'],
  ['lib/sale/a.ts', '../webhooks/wake.ts'],
  ['lib/sale/moves/a.ts', '../../payouts/plan.ts'],
  ['lib/sale/a.ts', '#lib/ledger/signer.ts'],
  ['lib/sale/a.ts', '#lib/http/route.ts'],
  ['lib/sale/a.ts', '#sandbox/ledger/index.ts'],
  ['lib/payouts/a.ts', '#lib/sale/reduce.ts'],
  ['lib/webhooks/a.ts', '#lib/access/create-api-key.ts'],
  ['lib/webhooks/a.ts', '#lib/ledger/signer.ts'],
  ['lib/assistant/a.ts', '#lib/jobs/slice.ts'],
  ['lib/assistant/a.ts', '#lib/sale/investments/quote.ts'],
  ['lib/assistant/tools/a.ts', '#lib/sale/moves/submit-move.ts'],
  ['lib/assistant/tools/a.ts', '#lib/payouts/plan.ts'],
  ['lib/assistant/tools/a.ts', '#lib/http/route.ts'],
  ['lib/assistant/tools/a.ts', '#lib/jobs/platform-id/generate.ts'],
  ['lib/jobs/a.ts', '#lib/http/route.ts'],
  ['lib/jobs/a.ts', '#lib/ledger/signer.ts'],
  ['app/api/a.ts', '#drizzle/schema/sale.ts'],
  ['app/api/a.ts', 'drizzle-orm'],
  ['sandbox/ledger/a.ts', '#lib/platform/money.ts'],
  ['sandbox/qstash/a.ts', '../../lib/platform/money.ts'],
];

const ALLOWED: [file: string, imported: string][] = [
  ['lib/sale/moves/a.ts', '#lib/ledger/signer.ts'],
  ['lib/payouts/a.ts', '#lib/ledger/signer.ts'],
  ['lib/webhooks/a.ts', '#lib/sale/rules/types.ts'],
  ['lib/sale/a.ts', '#lib/events/append.ts'],
  ['lib/sale/a.ts', '#drizzle/schema/sale.ts'],
  ['lib/jobs/a.ts', '#lib/sale/confirm.ts'],
  ['lib/assistant/tools/a.ts', '#lib/sale/investments/quote.ts'],
  ['lib/assistant/tools/a.ts', '#lib/jobs/platform-id/show-status.ts'],
  ['lib/http/a.ts', '#lib/access/authenticate-api-key.ts'],
  ['app/api/a.ts', '#lib/http/route.ts'],
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
  await write('lib/sale/round-a.ts', "import { b } from './round-b.ts';\n\nexport const a = () => b;\n");
  await write('lib/sale/round-b.ts', "import { a } from './round-a.ts';\n\nexport const b = () => a;\n");
  await write('lib/ledger/ring-a.ts', "import { b } from '#lib/ledger/ring-b.ts';\n\nexport const a = () => b;\n");
  await write('lib/ledger/ring-b.ts', "import { a } from '#lib/ledger/ring-a.ts';\n\nexport const b = () => a;\n");
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
    expect(found('lib/sale/round-a.ts', 'noImportCycles')).toBe(true);
    expect(found('lib/ledger/ring-a.ts', 'noImportCycles')).toBe(true);
  });
});
