import type { Purpose } from '@tranche/rules/custody.ts';
import { signersOf } from '@tranche/rules/custody.ts';
import { type FeedEntry, toFeedEntry } from '@tranche/rules/feed-entry.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { parseTerms } from '@tranche/verifier/terms.ts';
import { type Decision, decide, type Limits } from '../decide.ts';
import type { View } from '../deposit-book.ts';
import { Derivation } from '../derive.ts';
import { type Candidate, writePurpose } from '../protocol.ts';

/** A ledger without a server, and witnesses who read it: what they sign comes in if ticket, sequence and last ledger allow. */

export const account = (name: string): string => `r${name.repeat(30).slice(0, 30)}`;
export const DEPOSIT = account('D');
export const DISTRIBUTOR = account('S');
export const TREASURY = account('T');
export const ISSUER = account('J');
export const INVESTOR = account('B');
export const PROJECT = `proj_${'A'.repeat(22)}`;
export const TAG = 7;
export const XRP = 1_000_000n;
/** Ledgers that a candidate may live. */
export const LIVE = 10;
export const FROM = 10;
export const FLOAT = 50n * XRP;
export const FEE = '40';
const RIPPLE_EPOCH_SECONDS = 946_684_800;
const SECONDS_A_LEDGER = 10;

export const secondsOf = (ledgerIndex: number): number => ledgerIndex * SECONDS_A_LEDGER;
export const msOf = (ledgerIndex: number): number => (secondsOf(ledgerIndex) + RIPPLE_EPOCH_SECONDS) * 1_000;

const [PLATFORM, W1, W2, W3] = ['P', '1', '2', '3'].map(account) as [string, string, string, string];
export const CUSTODY = {
  quorum: 4,
  platform: { account: PLATFORM, weight: 2 },
  witnesses: [W1, W2, W3].map((key) => ({ account: key, weight: 1, name: key, operator: key })),
  ledgers_to_live: LIVE,
  from_ledger: FROM,
  refund_min_xrp: '0.001000',
};

/** The terms of a sale at 0.10 XRP a token, whose tokens come in two halves at once. */
export function termsOf(over: Record<string, unknown> = {}) {
  const project = String(over.project ?? PROJECT);
  const canonical = JSON.stringify({
    v: 1,
    project,
    token: { kind: 'iou', currency: 'DMO', issuer: ISSUER, decimals: 2 },
    distributor: DISTRIBUTOR,
    deposit_address: DEPOSIT,
    destination_tag: TAG,
    tiers: [{ tier: 1, price_per_token: '0.10', total_tokens: '100000', access: 'open', starts_at: null }],
    starts_at: null,
    ends_at: null,
    soft_cap_xrp: null,
    min_investment_xrp: null,
    max_per_wallet_xrp: null,
    access: 'open',
    distribution: 'immediate',
    vesting: { immediate_bps: 5_000, cliff_days: 0, period_days: 0, periods: 1 },
    treasury: TREASURY,
    refund_min_xrp: '0.001000',
    operating_accounts: [ISSUER],
    custody: CUSTODY,
    ...over,
  });
  return parseTerms(project, { canonical, sha256: sha256Hex(canonical), anchor: null });
}
export type Terms = ReturnType<typeof termsOf>;

export const NO_LIMITS: Limits = {
  maxFeeDrops: 1_000n,
  feesOfDayDrops: { debts: 10n ** 12n, other: 10n ** 12n },
  releasesOfHourDrops: new Map(),
};

/** A transaction that a witness has signed. */
export interface Signed {
  from: string;
  candidate: Candidate;
  transaction: Record<string, unknown>;
}
export interface Paid {
  hash: string;
  ledgerIndex: number;
  transactionIndex: number;
}
interface Own {
  tickets: Set<number>;
  sequence: number;
  balance: bigint;
}

export class Ledger {
  /** The open ledger: those before it are validated. */
  index = FROM + 1;
  /** Approved ones: a reader begins with those that there are. */
  readonly sales: Terms[];
  /** A quorum of these signs. */
  signers = signersOf(CUSTODY);
  readonly entries: { account: string; entry: FeedEntry }[] = [];
  readonly own = new Map<string, Own>();
  /** Every successful payment of its accounts. */
  readonly payments: { from: string; to: string; delivered: unknown; signed: Signed }[] = [];
  readonly #snapshots = new Map<number, Map<string, { sequence: number; balance: bigint }>>();
  #transactions = 0;
  #position = 0;

  constructor(sales: readonly Terms[]) {
    this.sales = [...sales];
    for (const { terms } of sales) {
      for (const address of [terms.deposit_address, terms.distributor]) {
        this.own.set(address, { tickets: new Set(), sequence: 100, balance: FLOAT });
      }
    }
    this.#snapshot(FROM);
  }

  #snapshot(ledgerIndex: number): void {
    this.#snapshots.set(
      ledgerIndex,
      new Map([...this.own].map(([address, { sequence, balance }]) => [address, { sequence, balance }])),
    );
  }

  stateAt(ledgerIndex: number, address: string) {
    return this.#snapshots.get(ledgerIndex)?.get(address) ?? { sequence: 0, balance: 0n };
  }

  ownOf(address: string): Own {
    const found = this.own.get(address);
    if (found === undefined) throw new Error(`${address} pays for no sale`);
    return found;
  }

  close(ledgers = 1): void {
    for (let count = 0; count < ledgers; count++) {
      this.#snapshot(this.index);
      this.index += 1;
      this.#position = 0;
    }
  }

  /** Writes a transaction into the open ledger. */
  write(address: string, tx: object, { delivered, nodes = [], result = 'tesSUCCESS' }: Written = {}): Paid {
    this.#transactions += 1;
    const hash = this.#transactions.toString(16).toUpperCase().padStart(64, '0');
    const place = { ledgerIndex: this.index, transactionIndex: this.#position++ };
    const raw = {
      hash,
      ledger_index: this.index,
      validated: true,
      meta: {
        TransactionIndex: place.transactionIndex,
        TransactionResult: result,
        AffectedNodes: nodes,
        ...(delivered === undefined ? {} : { delivered_amount: delivered }),
      },
      tx_json: { Fee: FEE, date: secondsOf(this.index), ...tx },
    };
    this.entries.push({ account: address, entry: toFeedEntry(address, raw) });
    return { hash, ...place };
  }

  /** Somebody pays a deposit account. */
  pay(drops: bigint, tag: number | null, { sender = INVESTOR, deposit = DEPOSIT } = {}): Paid {
    this.ownOf(deposit).balance += drops;
    const tx = { TransactionType: 'Payment', Account: sender, Destination: deposit };
    return this.write(deposit, tag === null ? tx : { ...tx, DestinationTag: tag }, { delivered: drops.toString() });
  }

  /** A quorum has signed it. True when the ledger takes it, be it only the fee and the ticket. */
  submit(signed: Signed, fails = false): boolean {
    const { from, transaction, candidate } = signed;
    const own = this.ownOf(from);
    if (candidate.last_ledger_sequence < this.index) return false;
    const { TicketSequence: ticket, Sequence: sequence } = transaction as { TicketSequence?: number; Sequence: number };
    if (ticket === undefined ? sequence !== own.sequence : !own.tickets.delete(ticket)) return false;
    const { TransactionType: type, Amount: amount } = transaction;
    const nodes: unknown[] = [];
    if (ticket === undefined) {
      const count = type === 'TicketCreate' ? (transaction.TicketCount as number) : 0;
      for (let each = sequence + 1; each <= sequence + count; each++) {
        own.tickets.add(each);
        const NewFields = { Account: from, TicketSequence: each };
        nodes.push({ CreatedNode: { LedgerEntryType: 'Ticket', NewFields } });
      }
      own.sequence += 1 + count;
    }
    own.balance -= BigInt(FEE);
    const Signers = this.signers.slice(0, 3).map((Account) => ({ Signer: { Account } }));
    const drops = type === 'Payment' && typeof amount === 'string' ? BigInt(amount) : 0n;
    const isPaid = type === 'Payment' && !fails && drops <= own.balance;
    if (isPaid) {
      own.balance -= drops;
      this.payments.push({ from, to: String(transaction.Destination), delivered: amount, signed });
    }
    const result = type !== 'Payment' || isPaid ? 'tesSUCCESS' : 'tecPATH_DRY';
    this.write(from, { ...transaction, Signers }, { nodes, result, ...(isPaid ? { delivered: amount } : {}) });
    return true;
  }

  /** What people sign with a quorum's keys, which no witness would. */
  force(from: string, transaction: Record<string, unknown>): void {
    const candidate = { last_ledger_sequence: this.index } as Candidate;
    this.submit({
      from,
      transaction: { Account: from, Sequence: this.ownOf(from).sequence, ...transaction },
      candidate,
    });
  }

  /** A witness that has read everything launches its sale. */
  launch(sale: Terms = this.sales[0] as Terms): void {
    const { deposit_address: from } = sale.terms;
    const memo = { v: 1 as const, project: sale.projectId, move: 'launch' as const, terms_hash: sale.hash };
    this.act(from, memo);
  }

  act(from: string, memo: object): void {
    this.close();
    const signed = new Reader(this).sign(from, {
      kind: 'action',
      memo: memo as never,
      sequence: this.ownOf(from).sequence,
    });
    if (signed === null) throw new Error(`Not signed: ${JSON.stringify(memo)}`);
    this.submit(signed);
    this.close();
  }
}

interface Written {
  delivered?: unknown;
  nodes?: unknown[];
  result?: string;
}

type Asked<Each> = Each extends unknown ? Omit<Each, 'fee_drops' | 'last_ledger_sequence'> : never;
/** A candidate without what every one has. */
export type AskedCandidate = Asked<Candidate> & { fee_drops?: string; last_ledger_sequence?: number };

/** One witness: what it has read of a ledger, which is never more than the ledger has validated. */
export class Reader {
  readonly derivation: Derivation;
  readonly #ledger: Ledger;
  #taken = 0;
  at = 0;

  constructor(ledger: Ledger, through = ledger.index - 1, sales: readonly Terms[] = ledger.sales) {
    this.#ledger = ledger;
    this.derivation = new Derivation(sales);
    this.readOn(through);
  }

  readOn(through = this.#ledger.index - 1): this {
    if (through <= this.at) return this;
    this.at = through;
    const { entries } = this.#ledger;
    for (; this.#taken < entries.length; this.#taken++) {
      const { account: address, entry } = entries[this.#taken] as (typeof entries)[number];
      if (entry.ledgerIndex > through) break;
      if (this.derivation.accounts.has(address)) this.derivation.take(address, [entry]);
    }
    for (const own of this.derivation.accounts.values()) {
      const { sequence, balance } = this.#ledger.stateAt(through, own.address);
      own.mustCheck = false;
      own.onLedger = { balanceDrops: balance, ownerCount: 0, sequence };
    }
    this.derivation.settle(this.view);
    return this;
  }

  get view(): View {
    return {
      ledgerIndex: this.at,
      hash: '',
      closedAtMs: msOf(this.at),
      reserveBaseDrops: 0n,
      reserveIncrementDrops: 0n,
    };
  }

  decide(
    from: string,
    asked: AskedCandidate,
    over: Partial<Limits> = {},
    pending: Parameters<typeof decide>[1]['pending'] = [],
  ): Decision {
    const candidate = { fee_drops: FEE, last_ledger_sequence: this.at + LIVE, ...asked } as Candidate;
    return decide(this.derivation, { limits: { ...NO_LIMITS, ...over }, pending }, from, candidate);
  }

  /** Why it does not sign; null when it does. */
  refusal(...asked: Parameters<Reader['decide']>): string | null {
    const decision = this.decide(...asked);
    return 'refused' in decision ? decision.refused.reason : null;
  }

  sign(from: string, asked: AskedCandidate): Signed | null {
    const decision = this.decide(from, asked);
    if ('refused' in decision) return null;
    const candidate = { fee_drops: FEE, last_ledger_sequence: this.at + LIVE, ...asked } as Candidate;
    return { from, candidate, transaction: decision.transaction as Record<string, unknown> };
  }

  payment(from: string, purpose: Purpose, ticket: number): Signed | null {
    return this.sign(from, { kind: 'payment', purpose: writePurpose(purpose), ticket });
  }

  tickets(from: string, purposes: readonly Purpose[], sequence = this.#ledger.ownOf(from).sequence): Signed | null {
    return this.sign(from, { kind: 'ticket_create', purposes: purposes.map(writePurpose), sequence });
  }
}
