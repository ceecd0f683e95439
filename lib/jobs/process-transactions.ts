import { asc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type Compared, compareEntries } from '#lib/sales/accounts/compare-entries.ts';
import type { processTransactionsContract } from '#lib/sales/feed/contracts.ts';
import { loadAccount, lockAndLoad, readFeedPosition } from '#lib/sales/feed/load-state.ts';
import { readCredentials } from '#lib/sales/feed/read-credentials.ts';
import { recordEntries } from '#lib/sales/feed/recognise.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { thenWake } from './heartbeat.ts';
import { type Reread, type Rereadable, rereadRange, rereadTransactions } from './reread-ledger.ts';

type Input = z.output<(typeof processTransactionsContract)['body']>;
export type ProcessedTransactions = z.output<(typeof processTransactionsContract)['responses'][200]>;
type Finding = ProcessedTransactions['transactions'][number];

/** Findings that one answer names; the counts are always whole. */
const MAX_NAMED = 500;
/** Hashes that an audit entry names. */
const MAX_AUDITED = 100;

/**
 * Reads transactions or ledgers again and compares them with the records of every deposit account. What is missing there is
 * written as if the feed brought it now: above the confirmed ledger it is decided in its own place, at or below it is held
 * as a late discovery. What is there is never overwritten. One transaction with its audit; a dry run writes nothing. It
 * works on a halted account too: then nothing is decided before the gap is filled. Throws `ledger_unavailable` naming the
 * ledgers that cannot be read.
 */
export async function processTransactions(ctx: Ctx, input: Input): Promise<ProcessedTransactions> {
  const accounts = await findAccounts(ctx, input.account);
  const reread = await readAgain(ctx, accounts, input);
  if (!input.dry_run) await readCredentialsOf(ctx, reread);
  const reading = ctx.db.transaction(
    async (tx) => {
      const compared = await compareAll(ctx, tx, reread, input.dry_run);
      const all = [...compared.findings, ...unrelated(input, reread, compared.findings)];
      if (!input.dry_run) await audit(ctx, tx, input, all);
      return { findings: all, events: compared.events };
    },
    input.dry_run ? { isolationLevel: 'repeatable read', accessMode: 'read only' } : undefined,
  );
  // What is recorded has to be decided, paid out or refunded.
  const { findings, events } = await (input.dry_run ? reading : thenWake(ctx, reading));
  if (events > 0) await wakeDispatch(ctx);
  const byHash = input.transaction_hashes !== undefined;
  const { throughLedger } = reread;
  return {
    dry_run: input.dry_run,
    from_ledger: input.from_ledger ?? null,
    through_ledger: throughLedger,
    next_from_ledger:
      throughLedger === null || throughLedger >= (input.to_ledger ?? throughLedger) ? null : throughLedger + 1,
    ...countsOf(findings),
    transactions: findings.filter(({ outcome }) => byHash || outcome !== 'known').slice(0, MAX_NAMED),
  };
}

async function findAccounts(ctx: Ctx, address: string | undefined): Promise<Rereadable[]> {
  const accounts = await ctx.db
    .select()
    .from(depositAccounts)
    .where(address === undefined ? undefined : eq(depositAccounts.address, address))
    .orderBy(asc(depositAccounts.address));
  if (accounts.length > 0 || address === undefined) return accounts;
  const message = 'is not a deposit account: GET /api/admin/accounts lists them';
  throw new PlatformError('invalid_request', `account: ${message}`, {
    errors: [{ field: 'account', message }],
  });
}

async function readAgain(ctx: Ctx, accounts: readonly Rereadable[], input: Input): Promise<Reread> {
  const { transaction_hashes: hashes, from_ledger: fromLedger, to_ledger: toLedger } = input;
  if (hashes !== undefined) return rereadTransactions(ctx, accounts, hashes);
  if (fromLedger === undefined || toLedger === undefined) throw new Error('The contract lets no such body through');
  return rereadRange(ctx, accounts, { fromLedger, toLedger });
}

/** What payments that were missing are expected to buy may depend on credentials. */
async function readCredentialsOf(ctx: Ctx, { entriesOf }: Reread): Promise<void> {
  for (const [account, entries] of entriesOf) {
    const { cursorLedger: throughLedger, requiresCredentials } = await readFeedPosition(ctx.db, account);
    // What the feed has not come to is not recorded here, and may wait for just these.
    const arriving = entries.filter(({ ledgerIndex }) => ledgerIndex <= throughLedger);
    if (requiresCredentials) await readCredentials(ctx, { account, throughLedger, arriving }, async () => true);
  }
}

async function compareAll(
  ctx: Ctx,
  tx: Tx,
  reread: Reread,
  dryRun: boolean,
): Promise<{ findings: Finding[]; events: number }> {
  const findings: Finding[] = [];
  let events = 0;
  // By address: two calls at once lock the accounts in one order.
  for (const [address, entries] of [...reread.entriesOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (entries.length === 0) continue;
    const loaded = dryRun ? await loadAccount(tx, address, { entries }) : await lockAndLoad(tx, address, { entries });
    const compared = await compareEntries(tx, loaded, entries);
    findings.push(...compared.map((each) => findingOf(address, each)));
    const missing = compared.filter(({ outcome }) => outcome === 'missing').map(({ entry }) => entry);
    if (dryRun || missing.length === 0) continue;
    events += (await recordEntries(ctx, tx, loaded, missing, loaded.account.cursorLedger)).events;
  }
  return { findings, events };
}

const findingOf = (account: string, compared: Compared): Finding => ({
  transaction_hash: compared.entry.hash,
  outcome: compared.outcome === 'missing' ? 'recorded' : compared.outcome,
  account,
  kind: compared.kind,
  ledger_index: compared.entry.ledgerIndex,
  transaction_index: compared.entry.transactionIndex,
  change_xrp: formatDrops(compared.changeDrops),
  late_discovery: compared.outcome === 'missing' && compared.late && compared.kind !== 'change',
  differences: compared.differences,
});

/** Transactions asked for that are in no account's feed, or in no validated ledger. */
function unrelated(input: Input, reread: Reread, findings: readonly Finding[]): Finding[] {
  const concerned = new Set(findings.map((finding) => finding.transaction_hash));
  const absent = new Set(reread.absent);
  return [...new Set(input.transaction_hashes)]
    .filter((hash) => !concerned.has(hash))
    .map((hash) => ({
      transaction_hash: hash,
      outcome: absent.has(hash) ? 'not_found' : 'not_ours',
      account: null,
      kind: null,
      ledger_index: null,
      transaction_index: null,
      change_xrp: null,
      late_discovery: false,
      differences: [],
    }));
}

function countsOf(findings: readonly Finding[]) {
  const count = (outcome: Finding['outcome']): number => findings.filter((each) => each.outcome === outcome).length;
  return {
    found: findings.filter((each) => each.account !== null).length,
    known: count('known'),
    recorded: count('recorded'),
    ahead: count('ahead'),
    differs: count('differs'),
    not_ours: count('not_ours'),
    not_found: count('not_found'),
  };
}

async function audit(ctx: Ctx, tx: Tx, input: Input, findings: readonly Finding[]): Promise<void> {
  const hashesOf = (outcome: Finding['outcome']): string[] =>
    findings
      .filter((each) => each.outcome === outcome)
      .slice(0, MAX_AUDITED)
      .map((each) => each.transaction_hash);
  await appendAudit(tx, ctx, {
    action: 'transactions.process',
    subject: input.account ?? 'every deposit account',
    reason: input.reason,
    before: {
      transaction_hashes: input.transaction_hashes ?? null,
      from_ledger: input.from_ledger ?? null,
      to_ledger: input.to_ledger ?? null,
    },
    after: {
      ...countsOf(findings),
      recorded_hashes: hashesOf('recorded'),
      differing_hashes: hashesOf('differs'),
    },
  });
}
