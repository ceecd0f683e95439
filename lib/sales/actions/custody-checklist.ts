import { isDeepStrictEqual } from 'node:util';
import { type Custody, custodyFaults, type SignerSet } from '@tranche/rules/custody.ts';
import { and, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, investments, type ProjectRow, projects } from '#drizzle/schema/sale.ts';
import type { FieldError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hasAccountFlag } from '#lib/xrpl/account.ts';
import { isInForce } from '#lib/xrpl/multi-signer.ts';
import { sameCurrency } from '#lib/xrpl/trust-lines.ts';
import type { AccountState } from '#lib/xrpl/types.ts';
import { readWitnessStatus, WitnessFault, witnessEntry } from '#lib/xrpl/witnesses.ts';
import { lateListOfOneKey } from '../accounts/late-list.ts';

/** A witness further behind could not sign what the launch makes due. */
const WITNESS_BEHIND_LEDGERS = 5;

/**
 * What of a sale's custody is not as its terms say; empty when all is, and for one key on accounts of one key. Throws
 * `ledger_unavailable`.
 */
export async function readCustodyFaults(
  ctx: Ctx,
  row: ProjectRow,
  accounts: Record<'deposit' | 'distributor' | 'treasury', AccountState | null>,
  validatedIndex: number,
): Promise<FieldError[]> {
  const faults = await differentCustodies(ctx, row);
  const { custody } = row;
  if (custody === null) return faults;
  faults.push(...custodyFaults(custody).map((message) => ({ field: 'custody', message })));
  for (const [field, account] of [
    ['deposit_address', accounts.deposit],
    ['distributor', accounts.distributor],
  ] as const) {
    if (account === null) continue;
    const messages = [...signerFaults(custody, account)];
    const since = messages.length === 0 ? await lateListOfOneKey(ctx, custody, account) : null;
    if (since !== null) {
      messages.push(
        `came under these signers in ledger ${since}, and its custody counts from ledger ${custody.from_ledger}: set the same signers once more for the deposit account (PUT /api/admin/accounts/${row.depositAddress}/custody), and have the new terms approved`,
      );
    }
    const objects = await ctx.ledger.leavingObjects(account.address);
    if (objects.length > 0)
      messages.push(`has objects that let funds leave without the witnesses: ${objects.join(', ')}`);
    faults.push(...messages.map((message) => ({ field, message })));
  }
  if (accounts.distributor !== null) faults.push(...(await lineFaults(ctx, row.distributor)));
  if (accounts.treasury !== null) faults.push(...(await treasuryFaults(ctx, row.depositAddress, accounts.treasury)));
  const witnesses = await Promise.all(custody.witnesses.map(({ account }) => witnessFault(account, validatedIndex)));
  for (const [index, fault] of witnesses.entries()) {
    if (fault !== null)
      faults.push({ field: 'custody', message: `the witness ${custody.witnesses[index]?.name} ${fault}` });
  }
  return faults;
}

/**
 * Between two lines of one currency code tokens pass through an account without its signature, one for one: whoever issues
 * the worthless one would take the sold ones.
 */
async function lineFaults(ctx: Ctx, distributor: string): Promise<FieldError[]> {
  const held = await ctx.ledger.heldTokens(distributor);
  const faults: FieldError[] = [];
  for (const [index, { currency, issuer }] of held.entries()) {
    const other = held.slice(0, index).find((each) => sameCurrency(each.currency, currency));
    if (other === undefined) continue;
    faults.push({
      field: 'distributor',
      message: `has trust lines of the currency ${currency} to two issuers, ${other.issuer} and ${issuer}, and one token could be swapped for the other without the witnesses: remove one, or use another distributor`,
    });
  }
  return faults;
}

/** Releases carry no tag, and the terms name one treasury for good. */
async function treasuryFaults(ctx: Ctx, deposit: string, treasury: AccountState): Promise<FieldError[]> {
  const faults: string[] = [];
  if (hasAccountFlag(treasury, 'requireDestinationTag')) {
    faults.push('requires a destination tag, and a release has none: no raised XRP could ever be released');
  }
  const isGuarded = hasAccountFlag(treasury, 'depositAuthorization');
  if (isGuarded && !(await ctx.ledger.depositAuthorized(deposit, treasury.address))) {
    faults.push('takes only payments that it has authorised: let it authorise the deposit account (DepositPreauth)');
  }
  return faults.map((message) => ({ field: 'treasury', message }));
}

/** Every sale of both accounts has one custody: witnesses judge whole accounts. */
async function differentCustodies(ctx: Ctx, row: ProjectRow): Promise<FieldError[]> {
  const [account] = await ctx.db
    .select({ custody: depositAccounts.custody })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, row.depositAddress));
  const owing = sql`exists (select from ${payouts} where ${payouts.projectId} = ${projects.id}
      and ${payouts.kind} in ('distribution', 'lock', 'unlock') and ${payouts.status} not in ('validated', 'cancelled'))
    or ${projects.status} <> 'cancelled' and exists (select from ${investments}
      where ${investments.projectId} = ${projects.id} and ${investments.status} = 'confirmed'
      and not ${investments.payoutsPlanned})`;
  const others = await ctx.db
    .select({ custody: projects.custody })
    .from(projects)
    .where(
      and(
        eq(projects.distributor, row.distributor),
        ne(projects.id, row.id),
        or(inArray(projects.status, ['active', 'paused']), owing),
      ),
    );
  const faults: FieldError[] = [];
  if (!isDeepStrictEqual(account?.custody ?? null, row.custody)) {
    faults.push({ field: 'custody', message: 'is another one than that of the deposit account' });
  }
  const setOf = (custody: Custody | null) =>
    custody === null ? null : { ...custody, from_ledger: 0, refund_min_xrp: '' };
  if (others.some(({ custody }) => !isDeepStrictEqual(setOf(custody), setOf(row.custody)))) {
    faults.push({
      field: 'distributor',
      message: 'pays, or still owes, tokens of a sale with another custody: use another distributor',
    });
  }
  return faults;
}

/** Why the set does not alone sign for the account, as the ledger shows it. Pure. */
export function* signerFaults(custody: SignerSet, account: AccountState): Generator<string> {
  if (!isInForce(custody, account.signerList)) yield 'has another signer list on the ledger than the custody says';
  if (!hasAccountFlag(account, 'disableMasterKey')) yield 'can still be signed for with its master key: disable it';
  if (account.regularKey !== null) yield 'has a regular key, which signs alone: remove it';
}

async function witnessFault(key: string, validatedIndex: number): Promise<string | null> {
  const entry = witnessEntry(key);
  if (entry === null) return 'is not named in WITNESSES';
  try {
    const status = await readWitnessStatus(entry);
    if (status.key !== key) return 'answers with another key';
    if (status.halted !== null) return 'is halted by its operator';
    return status.ledger_index < validatedIndex - WITNESS_BEHIND_LEDGERS ? 'is behind the ledger' : null;
  } catch (error) {
    if (error instanceof WitnessFault) return error.message;
    throw error;
  }
}
