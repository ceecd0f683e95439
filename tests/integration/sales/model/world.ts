import { createHash } from 'node:crypto';
import { decodeAction } from '@tranche/rules/action-memo.ts';
import { fullRaiseDrops } from '@tranche/rules/allocate.ts';
import { derivedId } from '@tranche/rules/ids.ts';
import { type Reduced, reduceAll } from '@tranche/rules/reduce.ts';
import type { AllowList, ProjectState, SaleEntry, SaleState } from '@tranche/rules/types.ts';
import type { Drops } from '#lib/base/money.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { CLOSED_AT_MS, DISTRIBUTOR, ISSUER, START_LEDGER, XRP } from '#tests/support/sale.ts';
import type { Terms } from './terms.ts';

export const FIRST_TAG = 1_000;
export const OPENING_DROPS = 1_000n * XRP;
export const REFUND_MIN_DROPS = 1_000n;
const FEE_DROPS = 12n;

export interface WorldProject {
  id: string;
  tag: number;
  treasury: string;
  termsHash: string;
  terms: Terms;
  lists: Map<string, AllowList>;
}

/** An action that the platform has signed and that never got into a ledger. */
interface LostAction {
  hash: string;
  projectId: string;
  lastLedgerSequence: number;
}

type Arriving = FeedEntry extends infer Entry
  ? Entry extends FeedEntry
    ? Omit<Entry, 'hash' | 'ledgerIndex' | 'transactionIndex' | 'closedAtMs'>
    : never
  : never;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The model: one deposit account's ledger and everything that was published about its sales, and nothing of the database. */
export class World {
  readonly account: string;
  readonly projects: WorldProject[] = [];
  readonly lost: LostAction[] = [];
  /** Entries of closed ledgers, in ledger order. */
  readonly feed: FeedEntry[] = [];
  /** Entries of the ledger that is open. */
  readonly open: FeedEntry[] = [];
  readonly #run: number;
  readonly #closedAtMs = [CLOSED_AT_MS];

  /** `run` tells apart what runs beside it in the same database. */
  constructor(run: number) {
    this.#run = run;
    this.account = `rDeposit${run}`;
  }

  get lastClosed(): number {
    return START_LEDGER + this.#closedAtMs.length - 1;
  }

  get nowMs(): number {
    return this.closedAtMs(this.lastClosed);
  }

  closedAtMs(ledgerIndex: number): number {
    const ms = this.#closedAtMs[ledgerIndex - START_LEDGER];
    if (ms === undefined) throw new Error(`Ledger ${ledgerIndex} is not closed`);
    return ms;
  }

  balanceAt(ledgerIndex: number): Drops {
    return this.feed.reduce(
      (sum, entry) => (entry.ledgerIndex <= ledgerIndex ? sum + entry.changeDrops : sum),
      OPENING_DROPS,
    );
  }

  addProject(terms: Terms): WorldProject {
    const index = this.projects.length;
    const project = {
      id: derivedId('proj', String(this.#run), String(index)),
      tag: FIRST_TAG + index,
      treasury: `rTreasury${index}`,
      termsHash: sha256(`terms ${index}`),
      terms,
      lists: new Map<string, AllowList>(),
    };
    this.projects.push(project);
    return project;
  }

  /** Puts a transaction into the open ledger; gives its hash. */
  add(entry: Arriving): string {
    const ledgerIndex = this.lastClosed + 1;
    const transactionIndex = this.open.length;
    const hash = this.hashOf(`${ledgerIndex}/${transactionIndex}`);
    this.open.push({ ...entry, hash, ledgerIndex, transactionIndex, closedAtMs: 0 });
    return hash;
  }

  /** Hash of a transaction of this world. */
  hashOf(name: string): string {
    return sha256(`${this.#run} ${name}`).toUpperCase();
  }

  addAction(memo: unknown, { memoBefore = 'x' }: { memoBefore?: string } = {}): string {
    const memos = [memoBefore, JSON.stringify(memo)];
    return this.add({ kind: 'self', changeDrops: -FEE_DROPS, feeDrops: FEE_DROPS, memos, signers: [] });
  }

  close(atMs: number): void {
    this.#closedAtMs.push(atMs);
    this.feed.push(...this.open.map((entry) => ({ ...entry, closedAtMs: atMs })));
    this.open.length = 0;
  }

  /** What the reducer makes of the feed up to a ledger, at once, from the published terms and lists. */
  reduceThrough(ledgerIndex: number): Reduced {
    return reduceAll(this.#published(), this.#decisive(ledgerIndex));
  }

  #decisive(throughLedger: number): SaleEntry[] {
    const known = new Set(this.projects.map(({ id }) => id));
    return this.feed.flatMap((entry): SaleEntry[] => {
      if (entry.ledgerIndex > throughLedger) return [];
      if (entry.kind === 'payment') {
        const { deliveredDrops, sourceTag: _, ...rest } = entry;
        return [{ ...rest, receivedDrops: deliveredDrops }];
      }
      const action = entry.kind === 'self' ? decodeAction(entry) : null;
      return action === null || !known.has(action.projectId) ? [] : [action];
    });
  }

  #published(): SaleState {
    return {
      projects: new Map(this.projects.map((project) => [project.tag, draftOf(project)])),
      held: new Map(),
      refundMinDrops: REFUND_MIN_DROPS,
    };
  }
}

const draftOf = ({ id, tag, treasury, termsHash, terms, lists }: WorldProject): ProjectState => ({
  id,
  destinationTag: tag,
  status: 'draft',
  decimals: terms.decimals,
  startsAtMs: terms.startsAtMs,
  endsAtMs: terms.endsAtMs,
  softCapDrops: terms.softCapDrops,
  minInvestmentDrops: terms.minInvestmentDrops,
  maxPerWalletDrops: terms.maxPerWalletDrops,
  fullRaiseDrops: fullRaiseDrops(terms.tiers, terms.decimals),
  refundMinDrops: terms.refundMinDrops,
  termsHash,
  custody: null,
  operatingAccounts: [ISSUER, DISTRIBUTOR, treasury],
  raisedDrops: 0n,
  launchedAtMs: null,
  endedAtMs: null,
  endReason: null,
  listHash: null,
  lists,
  wallets: new Map(),
  tiers: terms.tiers.map((tier, index) => ({
    tier: index + 1,
    price: tier.price,
    totalUnits: tier.totalUnits,
    listed: terms.access === 'allowlist' || tier.access === 'allowlist',
    credential: null,
    startsAtMs: tier.startsAtMs,
    soldUnits: 0n,
    valueDrops: 0n,
    openedAtMs: null,
    completedAtMs: null,
  })),
});
