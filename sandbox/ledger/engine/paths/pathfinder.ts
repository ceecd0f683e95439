import { has, LINE, LSF, type RippleState } from '../../entries.ts';
import type { Json } from '../../json.ts';
import { currencyHex } from '../../keylets.ts';
import type { NetworkRules } from '../../rules.ts';
import { type ReadView, read } from '../../state.ts';
import { booksIn } from '../books.ts';
import { ownedIndexes } from '../directory.ts';
import { addressOf, balanceFrom, findLine, limitOf, otherSide, sideOf } from '../lines.ts';
import { account } from '../view.ts';
import { type FlowOutcome, flow } from './flow.ts';
import { PaymentView } from './paymentView.ts';
import { divideQuantities, nearestDrops, type Quality, qualityOf } from './quality.ts';
import {
  type Asset,
  isXrp,
  minus,
  negated,
  order,
  plus,
  type Quantity,
  sameAsset,
  signOf,
  XRP,
  zeroOf,
} from './quantity.ts';
import type { Book } from './step.ts';
import type { Path, PathElement } from './strand.ts';

/** What ways are looked for: from the source's account over these, one after the other, to the destination. */
type Leg = 'accounts' | 'books' | 'xrpBook' | 'destinationBook' | 'destination';
/** An element of a path being looked for; that of an account knows the currency that is there. */
type Node = { readonly account: string; readonly currency: string; readonly issuer: string; readonly isBook: boolean };

/**
 * The patterns that are tried: those of a server at its usual search levels, and the two that take a currency over XRP to
 * another. What a server finds beyond them leads over several accounts, or through more than two books.
 */
const PATTERNS: Readonly<Record<'fromXrp' | 'toXrp' | 'same' | 'other', readonly (readonly Leg[])[]>> = {
  fromXrp: [
    ['destinationBook', 'destination'],
    ['destinationBook', 'accounts', 'destination'],
  ],
  toXrp: [
    ['xrpBook', 'destination'],
    ['accounts', 'xrpBook', 'destination'],
  ],
  same: [
    ['accounts', 'destination'],
    ['destinationBook', 'destination'],
    ['accounts', 'destinationBook', 'destination'],
    ['destinationBook', 'accounts', 'destination'],
  ],
  other: [
    ['destinationBook', 'accounts', 'destination'],
    ['accounts', 'destinationBook', 'destination'],
    ['accounts', 'destinationBook', 'accounts', 'destination'],
    ['xrpBook', 'destinationBook', 'destination'],
    ['accounts', 'xrpBook', 'destinationBook', 'destination'],
  ],
};

const MOST_COMPLETE = 1000;
const MOST_FROM_SOURCE = 50;
const MOST_FROM_OTHERS = 10;
const WORTH_TRYING = 10_000;
/** As many paths as an answer shows. */
export const MOST_PATHS_SHOWN = 4;
const LARGEST_ISSUED: Quantity = { mantissa: 9_999_999_999_999_999n, exponent: 80 };
const ALL_DROPS = 100_000_000_000_000_000n;

/** More of an asset than anybody can have. */
export const boundless = (asset: Asset): Quantity => (isXrp(asset) ? ALL_DROPS : LARGEST_ISSUED);

/** What is looked for. `amount` undefined: as much as can be delivered. */
export type PathQuery = {
  readonly source: string;
  readonly destination: string;
  readonly deliver: Asset;
  readonly amount: Quantity | undefined;
  readonly most: Quantity | undefined;
  readonly domain: string | undefined;
};

/** A request for paths as it was read. */
export type PathRequest = {
  readonly query: PathQuery;
  /** The amount as it was asked for: minus one for as much as can be delivered. */
  readonly asked: Json;
  readonly spend: readonly Asset[];
  readonly id: Json | undefined;
};

export type FoundPaths = { readonly paths: readonly Path[]; readonly paid: Quantity; readonly delivered: Quantity };

type Line = { readonly line: RippleState; readonly peer: string };
type Rank = {
  readonly path: readonly Node[];
  readonly quality: Quality;
  readonly liquidity: Quantity;
  readonly position: number;
};

/** Ways for a payment in one ledger, found as the server finds them. */
export class Pathfinder {
  private readonly view: ReadView;
  private readonly rules: NetworkRules;
  private readonly query: PathQuery;
  private readonly books: readonly Book[];
  private readonly lines = new Map<string, readonly Line[]>();

  constructor(view: ReadView, rules: NetworkRules, query: PathQuery) {
    this.view = view;
    this.rules = rules;
    this.query = query;
    this.books = booksIn(view, query.domain);
  }

  private linesOf(address: string): readonly Line[] {
    let lines = this.lines.get(address);
    if (!lines) {
      lines = [...ownedIndexes(this.view, address)].flatMap(({ index }) => {
        const line = read(this.view, 'RippleState', index);
        return line ? [{ line, peer: addressOf(line, otherSide(sideOf(line, address))) }] : [];
      });
      this.lines.set(address, lines);
    }
    return lines;
  }

  /** Whether something can leave an account over one of its lines. */
  private canLeave({ line }: Line, address: string): boolean {
    const side = sideOf(line, address);
    const balance = balanceFrom(line, side);
    if (signOf(balance) > 0) return true;
    const limit = limitOf(line, otherSide(side));
    if (signOf(limit) === 0 || order(negated(balance), limit) >= 0) return false;
    return !has(account(this.view, address)?.Flags ?? 0, LSF.requireAuth) || has(line.Flags, LINE[side].auth);
  }

  /** Whether an account can take more over one of its lines. */
  private canTake({ line }: Line, address: string): boolean {
    const side = sideOf(line, address);
    return order(balanceFrom(line, side), limitOf(line, side)) < 0;
  }

  private currencies(address: string, fits: (line: Line) => boolean): string[] {
    const found = this.linesOf(address)
      .filter(fits)
      .map(({ line }) => line.Balance.currency);
    return [...new Set(found)].sort((a, b) => (currencyHex(a) < currencyHex(b) ? -1 : 1));
  }

  /** Currencies, besides XRP, that an account has or may owe. */
  sendable(address: string): string[] {
    return this.currencies(address, (line) => this.canLeave(line, address));
  }

  /** Currencies, besides XRP, that an account can be paid in. */
  receivable(address: string): string[] {
    return this.currencies(address, (line) => this.canTake(line, address));
  }

  /** Where a path has to lead: to the issuer of what is delivered, if that is another than the destination. */
  private get target(): string {
    const { deliver, destination } = this.query;
    return isXrp(deliver) ? destination : deliver.issuer;
  }

  private isReachable(spend: Asset): boolean {
    const { source, destination, deliver } = this.query;
    const { target, view } = this;
    if (source === destination && destination === target && spend.currency === deliver.currency) return false;
    if (!account(view, source) || !account(view, target)) return isXrp(deliver) && account(view, source) !== undefined;
    return account(view, destination) !== undefined || isXrp(deliver);
  }

  private complete(spend: Asset): (readonly Node[])[] {
    const { source, deliver } = this.query;
    if (source === this.target && spend.currency === deliver.currency) return [];
    if (isXrp(spend) && isXrp(deliver)) return [];
    const kind = isXrp(spend)
      ? 'fromXrp'
      : isXrp(deliver)
        ? 'toXrp'
        : spend.currency === deliver.currency
          ? 'same'
          : 'other';
    const complete = new Map<string, readonly Node[]>();
    for (const pattern of PATTERNS[kind]) {
      let paths: (readonly Node[])[] = [[]];
      for (const leg of pattern) paths = paths.flatMap((path) => this.extended(path, leg, spend, complete));
      if (complete.size > MOST_COMPLETE) break;
    }
    return [...complete.values()];
  }

  /** A path with one more leg; those that are complete by it are kept. */
  private extended(
    path: readonly Node[],
    leg: Leg,
    spend: Asset,
    complete: Map<string, readonly Node[]>,
  ): (readonly Node[])[] {
    const { source } = this.query;
    const issuer = isXrp(spend) ? '' : spend.issuer === '' ? source : spend.issuer;
    const end = path.at(-1) ?? { account: source, currency: spend.currency, issuer, isBook: false };
    const keep = (whole: readonly Node[]): void => {
      if (whole.length > 0) complete.set(whole.map((node) => JSON.stringify(shown(node))).join(), whole);
    };
    return leg === 'accounts' || leg === 'destination'
      ? this.overLines(path, end, leg === 'destination', keep)
      : this.throughBooks(path, end, leg, spend, keep);
  }

  private overLines(
    path: readonly Node[],
    end: Node,
    lastOnly: boolean,
    keep: (whole: readonly Node[]) => void,
  ): (readonly Node[])[] {
    const { source, destination, deliver } = this.query;
    if (end.currency === XRP.currency) {
      if (isXrp(deliver)) keep(path);
      return [];
    }
    const isEndCurrency = end.currency === deliver.currency;
    const noRippleOut = this.hasNoRipple(path);
    const candidates: { priority: number; peer: string }[] = [];
    for (const each of this.linesOf(end.account)) {
      const { line, peer } = each;
      if (this.target !== destination && peer === destination) continue;
      const isTarget = peer === this.target;
      if ((lastOnly && !isTarget) || line.Balance.currency !== end.currency) continue;
      if (path.some((node) => !node.isBook && node.account === peer && node.currency === end.currency)) continue;
      if (!this.canLeave(each, end.account)) continue;
      if (noRippleOut && has(line.Flags, LINE[sideOf(line, end.account)].noRipple)) continue;
      if (isTarget && isEndCurrency) keep(path);
      else if (isTarget) candidates.push({ priority: WORTH_TRYING, peer });
      else if (peer !== source) {
        const ways = this.waysOut({ currency: end.currency, issuer: peer }, isEndCurrency);
        if (ways > 0) candidates.push({ priority: ways, peer });
      }
    }
    if (lastOnly) return [];
    const most = end.account === source ? MOST_FROM_SOURCE : MOST_FROM_OTHERS;
    return candidates
      .sort((a, b) => b.priority - a.priority)
      .slice(0, most)
      .map(({ peer }) => [...path, { account: peer, currency: end.currency, issuer: peer, isBook: false }]);
  }

  /** Whether the account a path ends with lets nothing pass that comes over the path's last line. */
  private hasNoRipple(path: readonly Node[]): boolean {
    const last = path.at(-1);
    if (!last || last.isBook) return false;
    const from = path.at(-2)?.account ?? this.query.source;
    const line = from === '' ? undefined : findLine(this.view, last.account, from, last.currency);
    return line !== undefined && has(line.Flags, LINE[sideOf(line, last.account)].noRipple);
  }

  /** How many ways lead on from an account; the destination counts for many. */
  private waysOut(asset: Asset, isEndCurrency: boolean): number {
    const root = account(this.view, asset.issuer);
    if (!root || has(root.Flags, LSF.globalFreeze)) return 0;
    let ways = this.books.filter((book) => sameAsset(book.in, asset)).length;
    for (const each of this.linesOf(asset.issuer)) {
      const { line, peer } = each;
      if (line.Balance.currency !== asset.currency || !this.canLeave(each, asset.issuer)) continue;
      const theirs = LINE[sideOf(line, peer)];
      if (isEndCurrency && peer === this.target) ways += WORTH_TRYING;
      else if (!has(line.Flags, theirs.noRipple) && !has(line.Flags, theirs.freeze)) ways += 1;
    }
    return ways;
  }

  private throughBooks(
    path: readonly Node[],
    end: Node,
    leg: Leg,
    spend: Asset,
    keep: (whole: readonly Node[]) => void,
  ): (readonly Node[])[] {
    const { source, destination, deliver } = this.query;
    const into: Asset = { currency: end.currency, issuer: end.issuer };
    const xrp: Node = { account: '', currency: XRP.currency, issuer: '', isBook: true };
    const found: (readonly Node[])[] = [];
    for (const { out } of this.books.filter((book) => sameAsset(book.in, into))) {
      if (leg === 'xrpBook' && !isXrp(out)) continue;
      if (leg === 'destinationBook' && out.currency !== deliver.currency) continue;
      if (path.some((node) => node.isBook && sameAsset(node, out))) continue;
      const isOrigin = out.currency === spend.currency && (isXrp(out) || [spend.issuer, source].includes(out.issuer));
      if (isOrigin) continue;
      if (isXrp(out)) {
        if (isXrp(deliver)) keep([...path, xrp]);
        else found.push([...path, xrp]);
        continue;
      }
      if (path.some((node) => !node.isBook && node.account === out.issuer && node.currency === out.currency)) continue;
      const book: Node = { account: '', ...out, isBook: true };
      const isBetweenBooks = path.at(-1)?.isBook === false && path.at(-2)?.isBook === true;
      const next = isBetweenBooks ? [...path.slice(0, -1), book] : [...path, book];
      const isEndCurrency = out.currency === deliver.currency;
      if (this.target !== destination && out.issuer === destination && isEndCurrency) continue;
      if (out.issuer === this.target && isEndCurrency) keep(next);
      else found.push([...next, { account: out.issuer, currency: out.currency, issuer: out.issuer, isBook: false }]);
    }
    return found;
  }

  private run(
    view: ReadView,
    spend: Asset,
    paths: readonly Path[],
    amount: Quantity,
    options: { partial: boolean; defaultPath: boolean },
  ) {
    const { source, destination, deliver, most, domain } = this.query;
    const payments = new PaymentView(view);
    let outcome: FlowOutcome;
    try {
      outcome = flow(payments, this.rules, {
        source,
        destination,
        deliver,
        spend,
        amount,
        most: most ?? boundless(spend),
        paths,
        ...options,
        ownerPaysFee: false,
        crossing: 'no',
        limitQuality: undefined,
        domain,
      });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      outcome = { result: 'tecINTERNAL', paid: zeroOf(spend), delivered: zeroOf(deliver), removable: new Set() };
    }
    return { ...outcome, payments };
  }

  /** How good a path is, and how much of the amount it can deliver. */
  private ranked(path: readonly Node[], position: number, spend: Asset): Rank | undefined {
    const { amount } = this.query;
    const { deliver } = this.query;
    const least = amount === undefined ? boundless(deliver) : partOf(amount, MOST_PATHS_SHOWN + 2);
    const paths = [path.map(shown)];
    const first = this.run(this.view, spend, paths, least, { partial: amount === undefined, defaultPath: false });
    if (first.result !== 'tesSUCCESS') return undefined;
    let liquidity = first.delivered;
    if (amount !== undefined) {
      const rest = minus(amount, first.delivered);
      const more =
        signOf(rest) > 0
          ? this.run(first.payments, spend, paths, rest, { partial: true, defaultPath: false })
          : undefined;
      if (more?.result === 'tesSUCCESS') liquidity = plus(liquidity, more.delivered);
    }
    return { path, quality: qualityOf(first.paid, first.delivered), liquidity, position };
  }

  private best(ranks: readonly Rank[], spend: Asset, wanted: Quantity): { paths: Path[]; covering: Path | undefined } {
    const issuerIsSender = isXrp(spend) || spend.issuer === this.query.source;
    const whole = this.query.amount ?? boundless(this.query.deliver);
    const paths: Path[] = [];
    let covering: Path | undefined;
    let left = wanted;
    for (const { path, liquidity } of ranks) {
      const room = MOST_PATHS_SHOWN - paths.length;
      if (room <= 0 && covering) break;
      if (!issuerIsSender && (path.length === 1 || path[0]?.account !== spend.issuer)) continue;
      const way = (issuerIsSender ? path : path.slice(1)).map(shown);
      if (room > 1 || (room > 0 && order(liquidity, left) >= 0)) {
        paths.push(way);
        left = minus(left, liquidity);
      } else if (room === 0 && order(liquidity, whole) >= 0) covering ??= way;
    }
    return { paths, covering };
  }

  /** The best paths for a payment in one currency, and what it would cost; undefined when it cannot be paid so. */
  find(spend: Asset): FoundPaths | undefined {
    if (!this.isReachable(spend)) return undefined;
    const { amount, deliver } = this.query;
    const wanted = amount ?? boundless(deliver);
    const byDefault = this.run(this.view, spend, [], wanted, { partial: true, defaultPath: true });
    const left = byDefault.result === 'tesSUCCESS' ? minus(wanted, byDefault.delivered) : wanted;
    const ranks = this.complete(spend)
      .flatMap((path, position) => this.ranked(path, position, spend) ?? [])
      .sort((a, b) => compareRanks(a, b, amount !== undefined));
    const { paths, covering } = this.best(ranks, spend, left);
    const options = { partial: amount === undefined, defaultPath: true };
    let used = paths;
    let paid = this.run(this.view, spend, used, wanted, options);
    const isShort = paid.result === 'terNO_LINE' || paid.result === 'tecPATH_PARTIAL';
    if (amount !== undefined && covering && isShort) {
      used = [...paths, covering];
      paid = this.run(this.view, spend, used, wanted, options);
    }
    return paid.result === 'tesSUCCESS' ? { paths: used, paid: paid.paid, delivered: paid.delivered } : undefined;
  }
}

/** A node as transactions name it: an account by itself, what a book gives by currency and issuer. */
function shown({ account: address, currency, issuer, isBook }: Node): PathElement {
  if (!isBook) return { account: address };
  return issuer === '' ? { currency } : { currency, issuer };
}

function partOf(amount: Quantity, parts: number): Quantity {
  const part = divideQuantities(amount, BigInt(parts));
  return typeof amount === 'bigint' ? nearestDrops(part.mantissa, part.exponent) : part;
}

/** Better prices first, then more liquidity, then fewer steps. */
function compareRanks(a: Rank, b: Rank, byQuality: boolean): number {
  if (byQuality && a.quality !== b.quality) return a.quality < b.quality ? -1 : 1;
  return order(b.liquidity, a.liquidity) || a.path.length - b.path.length || b.position - a.position;
}
