import { LRUCache } from 'lru-cache';
import { classicAddressToXAddress } from 'ripple-address-codec';
import { projects } from '#drizzle/schema/sale.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { MAX_DROPS, parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { quoteAmount } from '#lib/sales/investments/quote.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { salePhase } from '#lib/sales/projects/sale-phase.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { figuresIn } from '../safety/figures.ts';
import { tellsToPay } from '../safety/tells-to-pay.ts';

/**
 * The one gate for money. Where to pay is told by `payTargetOf` alone, and `payGate` holds back every text that names a
 * deposit address or tag, or tells somebody to pay, of a sale that the gate is closed for.
 */

/** A wallet of nobody: it is on no allowlist, holds no credential and has bought nothing. */
const STRANGER = 'rrrrrrrrrrrrrrrrrrrrBZbvji';
/** A payment this large reaches every minimum and any price, so it is refused only where each payment is. */
const ANY_AMOUNT = MAX_DROPS;

export interface PayTarget {
  deposit_address: string;
  destination_tag: number;
  /** Both in one, for wallets that take X-addresses. */
  x_address: string;
}

/** Why the gate is closed, by the state of the sale, else the reducer's reason; and when it opens, where that is known. */
export interface Closed {
  target: null;
  reason: string;
  opens_at: string | null;
}

type PaidSale = Pick<typeof projects.$inferSelect, 'id' | 'name' | 'status' | 'depositAddress' | 'destinationTag'>;
const COLUMNS = {
  id: projects.id,
  name: projects.name,
  status: projects.status,
  depositAddress: projects.depositAddress,
  destinationTag: projects.destinationTag,
};

/** The reducer says `not_active` of many states: what the sale itself tells is more exact. */
function closedFor(project: ProjectResource, reason: string, nowMs: number): Closed {
  const { state, next } = salePhase(project, nowMs);
  const isSoldOut =
    project.end_reason === 'sold_out' || project.tiers.every(({ completed_at }) => completed_at !== null);
  const ofState = {
    draft: 'draft',
    upcoming: 'before_start',
    between_tiers: 'between_tiers',
    paused: 'paused',
    ended: isSoldOut ? 'sold_out' : 'after_end',
    cancelled: project.end_reason === 'soft_cap_missed' ? 'soft_cap_missed' : 'cancelled',
    live: reason,
  }[state];
  return { target: null, reason: ofState, opens_at: next === null || next.what === 'ends' ? null : next.at };
}

/**
 * Address and tag of a sale, only while the reducer says that a payment of this wallet would buy something now; of a visitor
 * without a known wallet it takes a stranger's. Throws `project_not_found`.
 */
export async function payTargetOf(
  ctx: Ctx,
  project: ProjectResource,
  wallet?: string,
): Promise<{ target: PayTarget; reason: null; opens_at: null } | Closed> {
  const quote = await quoteAmount(ctx, {
    id: project.id,
    amount_xrp: ANY_AMOUNT,
    wallet_address: wallet ?? STRANGER,
  }).catch((error: unknown) => {
    // Nobody is told to pay while it is not known whether the wallet is admitted.
    if (error instanceof PlatformError && error.code === 'ledger_unavailable') return null;
    throw error;
  });
  if (quote === null) return closedFor(project, 'not_admitted', ctx.clock.nowMs());
  const isBought = quote.accepted && parseDecimal(quote.total_tokens, XRP_DECIMALS) !== 0n;
  if (quote.halted || !isBought) {
    return closedFor(project, quote.halted ? 'halted' : (quote.reason ?? 'not_active'), ctx.clock.nowMs());
  }
  const { deposit_address, destination_tag } = project;
  const x_address = classicAddressToXAddress(deposit_address, destination_tag, env().XRPL_NETWORK_ID !== 0);
  return { target: { deposit_address, destination_tag, x_address }, reason: null, opens_at: null };
}

interface Scope {
  projectId?: string | undefined;
  wallet?: string | undefined;
}

/** What the gate has read: each sale once, however many texts are held against it. */
class Reads {
  readonly #ctx: Ctx;
  readonly #wallet: string | undefined;
  #sales: Promise<PaidSale[]> | undefined;
  readonly #closed = new Map<string, Promise<Closed | null>>();

  constructor(ctx: Ctx, wallet: string | undefined) {
    this.#ctx = ctx;
    this.#wallet = wallet;
  }

  sales(): Promise<PaidSale[]> {
    this.#sales ??= this.#ctx.db.select(COLUMNS).from(projects).execute();
    return this.#sales;
  }

  /** Why a payment to a sale would buy nothing now; null when it would buy. */
  closed(sale: PaidSale): Promise<Closed | null> {
    const known = this.#closed.get(sale.id) ?? this.#readClosed(sale);
    this.#closed.set(sale.id, known);
    return known;
  }

  async #readClosed({ id, status }: PaidSale): Promise<Closed | null> {
    if (status === 'draft') return { target: null, reason: 'draft', opens_at: null };
    const gate = await payTargetOf(this.#ctx, await getProject(this.#ctx, id), this.#wallet);
    return gate.target === null ? gate : null;
  }
}

export interface ClosedSale {
  /** Empty where no sale is named and none is open. */
  name: string;
  reason: string;
}

/** The first of some sales that takes no payment now; null when all do. */
async function firstClosed(reads: Reads, sales: readonly PaidSale[]): Promise<ClosedSale | null> {
  for (const sale of sales) {
    const closed = await reads.closed(sale);
    if (closed !== null) return { name: sale.name, reason: closed.reason };
  }
  return null;
}

/** The first of some sales when none of them takes payments now; null when one does. */
async function allClosed(reads: Reads, sales: readonly PaidSale[]): Promise<ClosedSale | null> {
  let first: ClosedSale | null = null;
  for (const sale of sales) {
    const closed = await reads.closed(sale);
    if (closed === null) return null;
    first ??= { name: sale.name, reason: closed.reason };
  }
  return first;
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Tags this short are numbers like others, unless the text speaks of a tag. */
const LONG_TAG = 5;
const TAG_WORD = /\btags?\b|\bdt=|\bmemo\b|etiqueta|étiquette|zieltag|タグ/i;
const MAY_BE_ADDRESS = /[rXT][1-9A-HJ-NP-Za-km-z]{24}/;

/** What of a text somebody could pay by. */
function meansIn(text: string) {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '');
  // Spaces and marks between its letters part an address for a check, and not for who copies it.
  const letters = plain.replace(/[^0-9A-Za-z]/g, '').toLowerCase();
  const figures = new Set(figuresIn(plain).flatMap(({ forms }) => forms));
  const speaksOfTag = TAG_WORD.test(plain);
  for (const digits of plain.match(/\d(?:[\s.,'’_*-]?\d)*/g) ?? []) figures.add(digits.replace(/\D/g, ''));
  const holdsTag = (tag: number): boolean =>
    (speaksOfTag || String(tag).length >= LONG_TAG) && figures.has(String(tag));
  return { plain, letters, figures, speaksOfTag, holdsTag, isInstruction: tellsToPay(plain) };
}

/** Every text is held against every sale, and each form costs two hashes: they are made once a sale. */
const formsOf = new LRUCache<string, readonly string[]>({ max: 10_000 });

/** The ways to write where a sale is paid, in small letters. */
function addressForms({ depositAddress, destinationTag }: PaidSale): readonly string[] {
  const key = `${depositAddress} ${destinationTag}`;
  const known = formsOf.get(key);
  if (known !== undefined) return known;
  const xAddresses = [false, true].flatMap((isTest) => [
    classicAddressToXAddress(depositAddress, destinationTag, isTest),
    classicAddressToXAddress(depositAddress, false, isTest),
  ]);
  const forms = [depositAddress, ...xAddresses].map((form) => form.toLowerCase());
  formsOf.set(key, forms);
  return forms;
}

const namesAddress = (letters: string, sale: PaidSale): boolean =>
  addressForms(sale).some((form) => letters.includes(form));

const ASCII_WORD = /[0-9a-z]/;
/** Whether a name stands in a text by itself: a short one is in many an address. Both are in small letters. */
function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!ASCII_WORD.test(text[at - 1] ?? '') && !ASCII_WORD.test(text[at + name.length] ?? '')) return true;
  return false;
}

/**
 * The sale that a text would send somebody's money to although a payment would buy nothing there now, or that nobody can be
 * told to pay into; null for a text that may be shown. A call to pay that names no sale is taken for that of the scope, and
 * without one it needs any sale that is open.
 */
async function closedSaleIn(text: string, reads: Reads, projectId: string | undefined): Promise<ClosedSale | null> {
  const means = meansIn(text);
  const mayNameTag = [...means.figures].some((figure) => means.speaksOfTag || figure.length >= LONG_TAG);
  if (!means.isInstruction && !mayNameTag && !MAY_BE_ADDRESS.test(text.replace(/[^0-9A-Za-z]/g, ''))) return null;
  const all = await reads.sales();
  const byTag = all.filter(({ destinationTag }) => means.holdsTag(destinationTag));
  const closedTag = await firstClosed(reads, byTag);
  if (closedTag !== null) return closedTag;
  const byAddress = all.filter((sale) => namesAddress(means.letters, sale));
  // Several sales may share an address: it may be told while one of them sells.
  const addresses = Map.groupBy(byAddress, ({ depositAddress }) => depositAddress);
  for (const sales of addresses.values()) {
    const closed = await allClosed(reads, sales);
    if (closed !== null) return closed;
  }
  if (!means.isInstruction) return null;
  const lower = means.plain.toLowerCase();
  const named = all.filter(({ name }) => standsIn(lower, name.toLowerCase()));
  const given = all.filter(({ id }) => id === projectId);
  // Of several sales with one name, the one that is asked about is meant.
  const isGiven = named.some(({ id }) => id === projectId);
  const meant =
    isGiven || named.length === 0 ? [...given, ...named.filter(({ name }) => name !== given[0]?.name)] : named;
  if (meant.length > 0) return firstClosed(reads, meant);
  const closed = await allClosed(reads, all);
  return all.length > 0 && closed === null ? null : { name: '', reason: 'none_open' };
}

/** Holds the parts of one answer against the gate; `reread` makes it read all sales anew for what comes then. */
export function payGate(ctx: Ctx, { projectId, wallet }: Scope) {
  let reads = new Reads(ctx, wallet);
  return {
    closedSaleIn: (text: string) => closedSaleIn(text, reads, projectId),
    reread() {
      reads = new Reads(ctx, wallet);
    },
  };
}
