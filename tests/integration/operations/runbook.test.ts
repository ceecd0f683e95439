import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { systemAlert } from '#lib/events/data.ts';
import { CAUSE_NAMES } from '#lib/ops/status/causes.ts';
import { UNKNOWN_INVARIANTS } from '#lib/ops/status/read-figures.ts';
import { KNOWN_JOBS } from '#lib/ops/status/schedule/known-jobs.ts';
import { FINDINGS } from '#lib/payouts/monitor/contracts.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), 'utf8');
const sorted = (names: Iterable<string>): string[] => [...names].sort();

let runbook: string;
beforeAll(async () => {
  runbook = await read('docs/runbook.md');
});

/** The text below a heading of the second level. */
function chapter(heading: string): string {
  const [, text] = new RegExp(`^## ${heading}\\n(.*?)(?=^## |(?![\\s\\S]))`, 'ms').exec(runbook) ?? [];
  if (text === undefined) throw new Error(`The runbook has no chapter ${heading}`);
  return text;
}
/** Names of the entries of a chapter: its headings of the third level. */
const entriesOf = (heading: string): string[] =>
  [...chapter(heading).matchAll(/^### `(.+)`$/gm)].map(([, name]) => name ?? '');
/** Names in the first cells of the rows of tables in a text: one row may hold several that need the same. */
const rowsOf = (text: string): string[] =>
  [...text.matchAll(/^\| (`[^`]+`(?:, `[^`]+`)*) *\|(?!\s*means)/gm)].flatMap(([, cell]) => namesIn(cell ?? ''));
/** Items of the lists in a text that are a name alone. */
const itemsOf = (text: string): string[] =>
  [...text.matchAll(/^- (`[^`]+`)$/gm)].flatMap(([, item]) => namesIn(item ?? ''));
const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');
/** What stands below the heading of an entry; headings that follow each other share one. */
const entry = (name: string): string => {
  const [, text] = new RegExp(`^### \`${name}\`\\n(?:\\n### [^\\n]+\\n)*(.*?)(?=^##)`, 'ms').exec(runbook) ?? [];
  if (text === undefined) throw new Error(`The runbook has no entry ${name}`);
  return text;
};

/** What a log line of level error says, up to where it puts something in. */
async function errorLines(): Promise<Set<string>> {
  const lines = new Set<string>();
  for (const file of globSync('lib/**/*.ts', { cwd: ROOT })) {
    const text = await read(file);
    // What an alert says is logged too: it has an entry of its own.
    for (const [, said] of text.matchAll(/(?:\.error\(|log\[level\]\()\s*\{[^;]*?\},\s*['`]([^'`$:]+)/g)) {
      lines.add((said ?? '').trim());
    }
    for (const [, said] of text.matchAll(/logFailure\([^,]+,\s*\{[^;]*?\},\s*'([^']+)'(?!, 'warn')/g))
      lines.add(said ?? '');
  }
  return lines;
}

describe('the runbook has an entry for', () => {
  test('every cause of a degraded or down status, and for no other', () => {
    expect(sorted(entriesOf('Health causes'))).toEqual(sorted(CAUSE_NAMES));
  });

  test('every invariant that can be violated', () => {
    // How many there were says nothing by itself.
    const invariants = Object.keys(UNKNOWN_INVARIANTS).filter((name) => name !== 'foreign_transactions');
    expect(sorted(rowsOf(chapter('Invariants')))).toEqual(sorted(invariants));
  });

  test('every kind of alert', () => {
    const kinds = systemAlert.unwrap().options.map(({ shape }) => shape.kind.value);
    expect(sorted(entriesOf('Alerts'))).toEqual(sorted(kinds));
  });

  test('every reason of a key alert, and every finding of the account monitor', () => {
    const reasons = systemAlert
      .unwrap()
      .options.flatMap(({ shape }) =>
        shape.kind.value === 'payout_key' && 'reason' in shape.details.shape ? shape.details.shape.reason.options : [],
      );
    expect(sorted(rowsOf(entry('payout_key')))).toEqual(sorted(reasons));
    expect(sorted(rowsOf(entry('account_health')))).toEqual(sorted(FINDINGS));
  });

  test('every event that the platform sends about itself', () => {
    const events = EVENT_TYPES.filter((type) => type.startsWith('system.'));
    expect(sorted(rowsOf(chapter('Events of the system')))).toEqual(sorted(events));
  });

  test('every job that can be late', () => {
    expect(sorted(rowsOf(chapter('Late jobs')))).toEqual(sorted(KNOWN_JOBS.map(({ name }) => name)));
  });

  test('every error line of the log', async () => {
    const lines = chapter('Log messages');
    const [said, known] = [await errorLines(), [...rowsOf(lines), ...itemsOf(lines)]];
    expect(said.size).toBeGreaterThan(15);
    const shortened = known.map((line) => line.split(':')[0] ?? '');
    expect(sorted(shortened)).toEqual(sorted(said));
  });
});

const LABELS = ['Check:', 'Fix:', 'Do not'];
/** A cause that only counts others: a chapter of the runbook has them one by one. */
const LEADS_ON = /^\n\*\*Severity [^*]+\.\*\* See \[[^\]]+\]\(#[\w-]+\)\./;
test('every entry says how severe it is, what it means, what to check, what to do, and what not to do', () => {
  const names = ['Health causes', 'Alerts'].flatMap(entriesOf);
  for (const name of names) {
    const text = entry(name);
    if (LEADS_ON.test(text)) continue;
    expect(text, name).toMatch(/^\n\*\*Severity [^*]+\.\*\* \w/);
    expect(
      LABELS.filter((label) => !text.includes(`- **${label}**`)),
      name,
    ).toEqual([]);
  }
});

describe('what the documents for operators say', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database?.close());

  test.each(['docs/runbook.md', 'docs/operations.md'])('each SQL statement of %s fits the schema', async (file) => {
    const blocks = [...(await read(file)).matchAll(/^ *```sql\n(.*?)^ *```$/gms)].map(([, block]) => block ?? '');
    const statements = blocks.flatMap((block) => block.split(/;\s*(?:\n|$)/)).filter((text) => text.trim() !== '');
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) {
      // What defines something has no plan: it is run, and passes over what is there already.
      const isDefinition = /^\s*(?:ALTER|CREATE) .* IF NOT EXISTS /.test(statement);
      await database.db.execute(sql.raw(isDefinition ? statement : `explain ${statement}`));
    }
  });

  test.each(['runbook', 'operations', 'deploying', 'security'])(
    'each link of docs/%s.md leads somewhere',
    async (name) => {
      const text = await read(`docs/${name}.md`);
      const anchorsOf = (page: string): Set<string> =>
        new Set(
          [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
            (heading ?? '')
              .toLowerCase()
              .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
              .replaceAll(' ', '-'),
          ),
        );
      const links = [...text.matchAll(/\]\(([\w./-]*)(?:#([^)]+))?\)/g)];
      expect(links.length).toBeGreaterThan(0);
      for (const [, file = '', anchor] of links) {
        const page = file === '' ? text : await read(path.join('docs', file));
        if (anchor !== undefined) expect(anchorsOf(page).has(anchor), `${file}#${anchor}`).toBe(true);
      }
    },
  );
});

test('docs/security.md names tests that there are', async () => {
  const text = await read('docs/security.md');
  const named = [...text.matchAll(/`(tests\/[\w./-]+\.test\.ts)`(?:: ([^|\n]+))? \|/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, file = '', name] of named) {
    const source = await read(file);
    if (name !== undefined) expect(source, `${file}: ${name}`).toContain(name.trim());
  }
});
