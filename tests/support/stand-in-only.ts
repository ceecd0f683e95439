import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What no real server does, as tests ask for it. */
const ASKED: readonly (readonly [RegExp, string])[] = [
  [/\bstartLedger\(/, 'it starts ledgers of its own'],
  [/\b(?:startRig|openDesk)\((?!\))/, 'its ledger has settings of its own'],
  [/['"]sandbox_\w+/, 'it uses a command of the stand-in'],
  [/support\/token-crowd\.ts'/, 'it writes transactions without signatures'],
  [
    /ledger\.(?:faults|writePayments|snapshot|restore|advanceTime|impersonate|dump)\b/,
    'it uses what only the stand-in can do',
  ],
];
/** These know of both kinds of ledger. */
const KNOWING: ReadonlySet<string> = new Set(['sandbox/ledger/tests/support.ts', 'tests/integration/xrpl/desk.ts']);

const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(/from '([^']+\.ts)'/g)].flatMap(([, name = '']) => {
    if (name.startsWith('.')) return [path.join(path.dirname(file), name)];
    return name.startsWith('#tests/') ? [name.slice(1)] : [];
  });

function reasonOf(file: string, seen: Set<string>): string | undefined {
  // A test may write programs, whose imports are of no file here.
  if (
    seen.has(file) ||
    !existsSync(path.join(ROOT, file)) ||
    KNOWING.has(file) ||
    !/^tests\/|^sandbox\/ledger\/tests\//.test(file)
  )
    return undefined;
  seen.add(file);
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const own = ASKED.find(([pattern]) => pattern.test(text))?.[1];
  return (
    own ??
    importsOf(file, text)
      .map((each) => reasonOf(each, seen))
      .find((reason) => reason !== undefined)
  );
}

/** The test files that a real server cannot serve, each with the reason. */
export function standInOnly(): { file: string; reason: string }[] {
  return globSync(['sandbox/ledger/tests/*.test.ts', 'tests/integration/**/*.test.ts'], { cwd: ROOT })
    .toSorted()
    .flatMap((file) => {
      const reason = reasonOf(file, new Set());
      return reason === undefined ? [] : [{ file, reason }];
    });
}
