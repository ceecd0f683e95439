import { randomBytes } from 'node:crypto';
import { type ActionMemo, encodeActionMemo } from '@tranche/rules/action-memo.ts';
import { formatDrops, parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { type Custody, type Place, type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { derivedId } from '@tranche/rules/ids.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { type Asset, payoutPayment, ticketCreate } from '@tranche/rules/transactions.ts';
import { expectedAllocations, expectedPayment } from '@tranche/verifier/expected.ts';
import { loadInputs } from '@tranche/verifier/inputs.ts';
import { type LedgerClient, openLedger } from '@tranche/verifier/ledger-client.ts';
import { changeObligation, tokenObligations } from '@tranche/verifier/obligations.ts';
import { newProgress, stateOf } from '@tranche/verifier/progress.ts';
import type { PublishedPayment, PublishedPayout } from '@tranche/verifier/published.ts';
import { reduceSteps, saleSteps } from '@tranche/verifier/reduce-steps.ts';
import { reportOf, type VerificationReport } from '@tranche/verifier/report.ts';
import { draftOf } from '@tranche/verifier/terms.ts';
import type { LedgerSource, PublishedSource } from '@tranche/verifier/types.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import canonicalize from 'canonicalize';
import { AccountSetAsfFlags, multisign, type SubmittableTransaction, Wallet } from 'xrpl';
import { type LedgerDesk, NETWORK_ID } from '#tests/integration/xrpl/desk.ts';

const nameOfPlace = ({ ledgerIndex, transactionIndex }: Place): string => `${ledgerIndex}/${transactionIndex}`;
const nameOf = (row: PublishedPayout): string => `${row.decided_ledger_index}/${row.decided_transaction_index}`;

const CURRENCY = 'DMO';
const TAG = 77;
const REFUND_MIN = '0.001000';
const PRICE = '0.10';

/** The platform's key and three witnesses': none of them has an account on the ledger. */
export const platformKey = Wallet.generate();
export const witnessKeys = [Wallet.generate(), Wallet.generate(), Wallet.generate()] as const;
const QUORUM = [platformKey, witnessKeys[0], witnessKeys[1]];

/** What can be signed for an account of the sale: every field that desk.send() would fill in may be given. */
type Unsigned = SubmittableTransaction;

/** A sale whose two paying accounts are under custody, on a ledger of its own, and what a platform would publish of it. */
export interface WitnessedSale {
  projectId: string;
  deposit: Wallet;
  issuer: Wallet;
  distributor: Wallet;
  investor: Wallet;
  treasury: Wallet;
  /** Signs with these keys, submits and closes the ledger; gives the hash. */
  sign(transaction: Unsigned, keys?: readonly Wallet[]): Promise<string>;
  act(move: ActionMemo['move'], keys?: readonly Wallet[]): Promise<string>;
  /** Gives the payment's place, by which its purposes are named. */
  invest(drops: string, tag?: number): Promise<Place>;
  /** Creates one ticket of the account for each purpose. */
  tickets(account: Wallet, purposes: readonly Purpose[]): Promise<number[]>;
  /** Pays what is owed for an investment: tokens, or its change; its own purpose's ticket unless another is given. */
  pay(purpose: Purpose, ticket?: number, releaseDrops?: bigint, keys?: readonly Wallet[]): Promise<string>;
  verify(alter?: (ledger: LedgerSource) => LedgerSource): Promise<VerificationReport>;
}

export async function witnessedSale(
  desk: LedgerDesk,
  over: { custody?: Partial<Custody>; shown?: { custody?: Custody | null; custody_through_ledger?: number } } = {},
): Promise<WitnessedSale> {
  const [deposit, issuer, distributor, investor, treasury] = (await desk.accounts(5)) as [
    Wallet,
    Wallet,
    Wallet,
    Wallet,
    Wallet,
  ];
  const line = { currency: CURRENCY, issuer: issuer.address, value: '1000000' };
  const list = {
    SignerQuorum: 4,
    SignerEntries: [platformKey, ...witnessKeys].map(({ address }) => ({
      SignerEntry: { Account: address, SignerWeight: address === platformKey.address ? 2 : 1 },
    })),
  };
  await desk.write([
    issuer,
    { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: AccountSetAsfFlags.asfDefaultRipple },
  ]);
  await desk.write(
    [distributor, { TransactionType: 'TrustSet', Account: distributor.address, LimitAmount: line }],
    [investor, { TransactionType: 'TrustSet', Account: investor.address, LimitAmount: line }],
    [deposit, { TransactionType: 'SignerListSet', Account: deposit.address, ...list }],
    [distributor, { TransactionType: 'SignerListSet', Account: distributor.address, ...list }],
  );
  await desk.write([
    issuer,
    {
      TransactionType: 'Payment',
      Account: issuer.address,
      Destination: distributor.address,
      Amount: { ...line, value: '1000' },
    },
  ]);
  for (const account of [deposit, distributor]) {
    await desk.send(account, {
      TransactionType: 'AccountSet',
      Account: account.address,
      SetFlag: AccountSetAsfFlags.asfDisableMaster,
    });
  }
  const registeredLedger = desk.close();
  const projectId = `proj_${randomBytes(11).toString('hex')}`;
  const shown = {
    name: 'Witnessed',
    token: { kind: 'iou', currency: CURRENCY, issuer: issuer.address, decimals: 0 } as const,
    distributor: distributor.address,
    deposit_address: deposit.address,
    destination_tag: TAG,
    tiers: [{ tier: 1, price_per_token: PRICE, total_tokens: '1000', access: 'open' as const, starts_at: null }],
    starts_at: null,
    ends_at: null,
    soft_cap_xrp: null,
    min_investment_xrp: null,
    max_per_wallet_xrp: null,
    access: 'open' as const,
    distribution: 'immediate' as const,
    vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 30, periods: 0 },
    treasury: treasury.address,
    claim_days: 90,
    refund_min_xrp: REFUND_MIN,
  };
  const custody: Custody = {
    quorum: 4,
    platform: { account: platformKey.address, weight: 2 },
    witnesses: witnessKeys.map(({ address }, index) => ({
      account: address,
      weight: 1,
      name: `Witness ${index + 1}`,
      operator: `Operator ${index + 1}`,
    })),
    ledgers_to_live: 20,
    from_ledger: registeredLedger,
    refund_min_xrp: REFUND_MIN,
    ...over.custody,
  };
  const terms = { v: 1, project: projectId, ...shown, operating_accounts: [issuer.address], custody };
  const canonical = canonicalize(terms) ?? '';
  const paid = new Map<string, { hash: string; ledgerIndex: number }>();
  const releases: (PublishedPayout & { transaction_hash: string })[] = [];
  const ticketsFor = new Map<string, number>();
  let launch: { transaction_hash: string; ledger_index: number } | null = null;

  async function sign(transaction: Unsigned, keys: readonly Wallet[] = QUORUM): Promise<string> {
    const { result } = await desk.client.request({ command: 'account_info', account: transaction.Account });
    const filled = {
      Fee: String(12 * (1 + keys.length)),
      Sequence: result.account_data.Sequence,
      LastLedgerSequence: (await desk.client.getLedgerIndex()) + 10,
      NetworkID: NETWORK_ID,
      ...transaction,
      SigningPubKey: '',
    } as Unsigned;
    const blob = multisign(keys.map((key) => key.sign(filled, true).tx_blob));
    const answer = await desk.client.request({ command: 'submit', tx_blob: blob });
    if (answer.result.engine_result !== 'tesSUCCESS') throw new Error(answer.result.engine_result);
    desk.close();
    return answer.result.tx_json.hash ?? '';
  }
  const limits = async () => ({ feeDrops: 60n, lastLedgerSequence: (await desk.client.getLedgerIndex()) + 10 });

  const source: PublishedSource = {
    depositAccount: async () => ({
      address: deposit.address,
      network_id: NETWORK_ID,
      registered_ledger: registeredLedger,
      confirmed_ledger: await desk.client.getLedgerIndex(),
      refund_min_xrp: REFUND_MIN,
    }),
    project: async () =>
      ({
        id: projectId,
        status: 'active',
        ...shown,
        custody,
        locks: [],
        unsold_until: null,
        vesting_locked: false,
        ...over.shown,
      }) as never,
    projects: async () => [{ id: projectId, status: 'active', ...shown, custody }] as never,
    terms: async () => ({ canonical, sha256: sha256Hex(canonical), anchor: launch }),
    lists: async () => [],
    listText: async function* () {},
    exceptions: async () => [],
    payments: (_, asOf, cursor) => rowsOf('payments', asOf, cursor),
    allocations: (_, asOf, cursor) => rowsOf('allocations', asOf, cursor),
    payouts: (_, asOf, cursor) => rowsOf('payouts', asOf, cursor),
    async *paid(_, asOf, account) {
      const { payouts } = await published(asOf);
      const rows = payouts.filter((row) => row.account === account && row.status === 'validated');
      const order = (a: PublishedPayout, b: PublishedPayout) =>
        (a.ledger_index ?? 0) - (b.ledger_index ?? 0) ||
        (String(a.transaction_hash) < String(b.transaction_hash) ? -1 : 1);
      yield rows.sort(order);
    },
  };
  async function* rowsOf<Name extends 'payments' | 'allocations' | 'payouts'>(
    name: Name,
    asOf: number,
    cursor: string | null,
  ) {
    if (cursor === null) yield (await published(asOf))[name];
  }

  /** What the rules make of the feed: the test is of custody, not of them. */
  async function published(asOf: number) {
    const inputs = await loadInputs(source, projectId);
    const { target } = inputs;
    const feed = await ledger.readFeed({
      account: deposit.address,
      afterLedger: registeredLedger,
      afterHash: null,
      throughLedger: asOf,
      maxEntries: 10_000,
    });
    const draft = {
      projects: new Map([[TAG, draftOf(target)]]),
      held: new Map(),
      refundMinDrops: parseDecimal(REFUND_MIN, XRP_DECIMALS) ?? 0n,
    };
    const progress = newProgress(asOf, 0, { afterLedger: registeredLedger, through: asOf }, draft);
    const { state, decisions } = reduceSteps(draft, saleSteps(inputs, progress, feed.entries), null);
    progress.sale = state;
    const own = decisions.flatMap((each) => (each.type === 'invested' ? [each] : []));
    const payments = own.map((each) => expectedPayment(each, target));
    const rowOf = (payment: PublishedPayment, owed: ReturnType<typeof tokenObligations>[number]): PublishedPayout => {
      const settled = paid.get(`${owed.kind} ${payment.ledger_index}/${payment.transaction_index}`);
      return {
        ...owed,
        investment_id: payment.investment_id,
        payment_hash: payment.transaction_hash,
        decided_ledger_index: payment.ledger_index,
        decided_transaction_index: payment.transaction_index,
        status: settled === undefined ? 'owed' : 'validated',
        transaction_hash: settled?.hash ?? null,
        ledger_index: settled?.ledgerIndex ?? null,
      };
    };
    const final = stateOf(target, progress);
    return {
      payments,
      allocations: own.flatMap((each) =>
        expectedAllocations(each, expectedPayment(each, target), target).map((row) => ({
          ...row,
          confirmed_at: row.decided_at,
        })),
      ),
      payouts: [
        ...payments.flatMap((payment) => {
          const change = changeObligation(payment, target);
          return [...tokenObligations(payment, target, final), ...(change === null ? [] : [change])].map((owed) =>
            rowOf(payment, owed),
          );
        }),
        ...releases.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      ],
    };
  }
  const ledger: LedgerClient = openLedger({ urls: [desk.ledger.wsUrl], networkId: NETWORK_ID });

  return {
    projectId,
    deposit,
    issuer,
    distributor,
    investor,
    treasury,
    sign,
    async act(move, keys) {
      const memo: ActionMemo = {
        v: 1,
        project: projectId,
        move,
        ...(move === 'launch' ? { terms_hash: sha256Hex(canonical) } : {}),
      };
      const hash = await sign(
        { TransactionType: 'AccountSet', Account: deposit.address, Memos: [encodeActionMemo(memo)] },
        keys,
      );
      if (move === 'launch') launch = { transaction_hash: hash, ledger_index: await desk.client.getLedgerIndex() };
      return hash;
    },
    async invest(drops, tag = TAG) {
      const hash = await desk.send(investor, {
        TransactionType: 'Payment',
        Account: investor.address,
        Destination: deposit.address,
        Amount: drops,
        DestinationTag: tag,
      });
      desk.close();
      const { result } = await desk.client.request({ command: 'tx', transaction: hash });
      const { TransactionIndex: transactionIndex } = result.meta as { TransactionIndex: number };
      return { ledgerIndex: result.ledger_index ?? 0, transactionIndex };
    },
    async tickets(account, purposes) {
      const { result } = await desk.client.request({ command: 'account_info', account: account.address });
      const sequence = result.account_data.Sequence;
      await sign(ticketCreate(account.address, purposes.map(purposeId), { ...(await limits()), sequence }));
      const created = purposes.map((_, index) => sequence + 1 + index);
      for (const [index, purpose] of purposes.entries()) ticketsFor.set(purposeId(purpose), created[index] ?? 0);
      return created;
    },
    async pay(purpose, ticket = ticketsFor.get(purposeId(purpose)) ?? 0, releaseDrops = 0n, keys = QUORUM) {
      const { payouts } = await published(await desk.client.getLedgerIndex());
      const row =
        purpose.kind === 'release'
          ? null
          : payouts.find((each) => each.kind === purpose.kind && nameOf(each) === nameOfPlace(purpose.payment));
      const asset: Asset =
        purpose.kind === 'distribution'
          ? { kind: 'iou', currency: CURRENCY, issuer: issuer.address, decimals: 0 }
          : { kind: 'xrp' };
      const amount =
        purpose.kind === 'release'
          ? releaseDrops
          : purpose.kind === 'refund'
            ? (parseDecimal(row?.amount_xrp ?? '', XRP_DECIMALS) ?? 0n)
            : (parseDecimal((row?.tokens ?? '').split('.')[0] ?? '', 0) ?? 0n);
      const payment = payoutPayment(
        {
          account: (purpose.kind === 'distribution' ? distributor : deposit).address,
          destination: purpose.kind === 'release' ? treasury.address : investor.address,
          destinationTag: null,
          amount,
          asset,
        },
        { ...(await limits()), ticket },
      );
      const hash = await sign(payment, keys);
      const ledgerIndex = await desk.client.getLedgerIndex();
      if (purpose.kind !== 'release')
        paid.set(`${purpose.kind} ${nameOfPlace(purpose.payment)}`, { hash, ledgerIndex });
      else {
        releases.push({
          id: derivedId('pay', 'release', projectId, hash),
          kind: 'release',
          part: releases.length + 1,
          investment_id: null,
          payment_hash: null,
          decided_ledger_index: null,
          decided_transaction_index: null,
          account: deposit.address,
          destination: treasury.address,
          destination_tag: null,
          amount_xrp: formatDrops(amount),
          tokens: null,
          due_at: new Date(0).toISOString(),
          status: 'validated',
          transaction_hash: hash,
          ledger_index: ledgerIndex,
        });
      }
      return hash;
    },
    async verify(alter = (each) => each) {
      try {
        const { progress, inputs } = await verifySale({
          source,
          ledger: alter(ledger),
          projectId,
          asOf: null,
          progress: null,
          pageDone: async () => true,
        });
        return reportOf(progress, inputs);
      } finally {
        ledger.close();
      }
    },
  };
}
