import { compareExact } from '@tranche/rules/exact-decimal.ts';
import { eq } from 'drizzle-orm';
import type { Transaction } from 'xrpl';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { accountCustody } from '#lib/account-custody.ts';
import { appendAudit } from '#lib/audit.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { withLease } from '#lib/base/lease.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { nextSequence } from '#lib/next-sequence.ts';
import { canSignFor, keyEntryFault } from '#lib/xrpl/keys.ts';
import { transactionFee } from '#lib/xrpl/server-state.ts';
import { signerFor, signOne } from '#lib/xrpl/signer.ts';
import { issuerOfIssuance, type LedgerToken } from '#lib/xrpl/token.ts';
import { readTokenFacts } from '#lib/xrpl/token-facts.ts';
import { holdToken } from '#lib/xrpl/token-transactions.ts';
import { LEDGERS_TO_LIVE } from '#lib/xrpl/transactions.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';
import type { HoldingToken } from './contracts.ts';

const SIGNER_LEASE_SECONDS = 20;
/** A slice of payouts may hold the signer for its whole budget. */
const SIGNER_WAIT_MS = 30_000;

interface HoldingRequest {
  address: string;
  token: HoldingToken;
  dryRun: boolean;
  reason: string;
}

/** What is signed, or, in a dry run, would be: the next call signs with the fee and sequence of its own moment. */
export type OpenedHolding =
  | { dry_run: true; transaction: Transaction }
  | { dry_run: false; transaction: Transaction; transaction_hash: string; last_ledger_sequence: number };

/**
 * Has a distributor set its trust line, or opt in to an MPT, so that the issuer can send it the supply. The audit entry,
 * with the signed transaction's hash, is written before it is submitted. One that is lost on the way is simply asked for
 * again: the ledger then shows the holding already, or takes the second one for the first. Throws `invalid_request` for a
 * limit with too many digits; `not_found` without a key for the account; `conflict` when it is a deposit account, the token's issuer or not on the ledger, cannot pay
 * the reserve, can hold the token already, or the ledger refuses; `ledger_unavailable`.
 */
export async function openHolding(ctx: Ctx, request: HoldingRequest): Promise<OpenedHolding> {
  const { address } = request;
  await assertDistributor(ctx, address);
  if (request.dryRun) {
    const { transaction } = await prepare(ctx, request);
    return { dry_run: true, transaction };
  }
  const lease = {
    name: `signer:${address}`,
    holder: newId('req', ctx.random),
    ttlSeconds: SIGNER_LEASE_SECONDS,
    waitMs: SIGNER_WAIT_MS,
  };
  const opened = await withLease(ctx.db, lease, async (stillMine) => {
    const { transaction, account, lastLedgerSequence } = await prepare(ctx, request);
    const { hash, blob } = await signOne(await signerFor(account, await accountCustody(ctx.db, address)), {
      transaction,
      candidate: null,
    });
    // Signing asks the ledger and may take its time: a process that lost the lease meanwhile must not use the sequence.
    if (!(await stillMine())) throw signerBusy();
    await ctx.db.transaction((tx) =>
      appendAudit(tx, ctx, {
        action: 'account.token_holding',
        subject: address,
        reason: request.reason,
        after: { token: request.token, transaction_hash: hash, last_ledger_sequence: lastLedgerSequence },
      }),
    );
    const { engineResult } = await ctx.ledger.submit(blob);
    ctx.log.info({ transaction_hash: hash, engine_result: engineResult, account: address }, 'token holding submitted');
    if (!ACCEPTED.has(engineResult)) {
      throw conflict(`The ledger server answered ${engineResult}: look at the account on the ledger, then try again.`);
    }
    return {
      dry_run: false as const,
      transaction,
      transaction_hash: hash,
      last_ledger_sequence: lastLedgerSequence,
    };
  });
  if (opened === null) throw signerBusy();
  return opened.done;
}

const ACCEPTED: ReadonlySet<string> = new Set(['tesSUCCESS', 'terQUEUED']);

const conflict = (detail: string): PlatformError => new PlatformError('conflict', detail);

const signerBusy = (): PlatformError =>
  new PlatformError('conflict', 'The account is busy paying out. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });

/** The platform signs for it, with keys that are right, and it receives no payments. */
async function assertDistributor(ctx: Ctx, address: string): Promise<void> {
  if (!canSignFor(address)) {
    throw new PlatformError('not_found', 'address: SIGNING_KEYS holds no key for this account.');
  }
  const fault = await keyEntryFault(address);
  if (fault !== null) throw conflict(`address: an entry of SIGNING_KEYS for this account is invalid (${fault}).`);
  const [deposit] = await ctx.db
    .select({ address: depositAccounts.address })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, address));
  if (deposit !== undefined) {
    throw conflict('address: is a deposit account, which receives XRP; a distributor is another account.');
  }
}

interface Prepared {
  transaction: Transaction;
  account: AccountState;
  lastLedgerSequence: number;
}

/** The complete transaction, once the ledger shows that it is wanted and would succeed. */
async function prepare(ctx: Ctx, { address, token }: HoldingRequest): Promise<Prepared> {
  const ledgerToken: LedgerToken =
    token.kind === 'iou'
      ? { kind: 'iou', currency: token.currency, issuer: token.issuer }
      : { kind: 'mpt', issuanceId: token.issuance_id };
  const issuer = token.kind === 'iou' ? token.issuer : issuerOfIssuance(token.issuance_id);
  if (address === issuer) throw conflict('address: is the issuer of the token, which needs no trust line to itself.');
  const [server, account, facts] = await Promise.all([
    ctx.ledger.serverState(),
    ctx.ledger.account(address),
    readTokenFacts(ctx.ledger, address, ledgerToken),
  ]);
  if (account === null) throw conflict('address: does not exist on the ledger. Fund it first.');
  let limit = '';
  let isNewObject = true;
  if (facts.kind === 'mpt') {
    if (facts.issuance === null) throw conflict('token.issuance_id: does not exist on the ledger.');
    if (facts.holding !== null) throw conflict('The account has opted in to this token already.');
  } else {
    if (facts.issuer === null) throw conflict('token.issuer: does not exist on the ledger.');
    if (token.kind === 'iou') limit = plainValue(token.limit_tokens);
    if (facts.line !== null && compareExact(facts.line.limit, limit) >= 0) {
      throw conflict(`The account has a trust line with a limit of ${facts.line.limit} already.`);
    }
    isNewObject = facts.line === null;
  }
  const fee = transactionFee(server);
  const neededDrops = reserveAfter(account, server, isNewObject) + fee;
  if (account.balanceDrops < neededDrops) {
    throw conflict(`address: needs at least ${formatDrops(neededDrops)} XRP for the reserve. Send it more first.`);
  }
  const lastLedgerSequence = server.validatedIndex + LEDGERS_TO_LIVE;
  const transaction: Transaction = {
    ...holdToken(ledgerToken, limit),
    Account: address,
    Fee: fee.toString(),
    Sequence: await nextSequence(ctx, address),
    LastLedgerSequence: lastLedgerSequence,
  };
  return { transaction, account, lastLedgerSequence };
}

/** Reserve of what the account owns then. */
const reserveAfter = (account: AccountState, server: ServerState, isNewObject: boolean): bigint =>
  server.reserveBaseDrops + server.reserveIncrementDrops * BigInt(account.ownerCount + (isNewObject ? 1 : 0));

/** The ledger guarantees so many of an issued currency (docs/ledger-facts.md, 22). */
const MOST_DIGITS = 15;

/** As the ledger takes it: without zeros at the end of a fraction. Throws `invalid_request` for more digits than it keeps. */
function plainValue(text: string): string {
  const digits = text.replace('.', '').replace(/^0+|0+$/g, '').length;
  if (digits > MOST_DIGITS) {
    throw fieldError('token.limit_tokens', `must have at most ${MOST_DIGITS} significant digits`);
  }
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
