import {
  add,
  type Decimal,
  formatDecimal,
  isPositive,
  isZero,
  multiply,
  negate,
  parseDecimal,
  subtract,
  ZERO,
} from '../../amount.ts';

import { ownedIndexes } from '../../engine/directory.ts';
import { oracleOwnerCount } from '../../engine/oracle.ts';
import {
  type AccountRoot,
  CREDENTIAL_ACCEPTED,
  type DirectoryNode,
  type Entry,
  type EntryOf,
  has,
  isIssued,
  isMpt,
  LINE,
  LSF,
  type RippleState,
} from '../../entries.ts';
import { sameJson } from '../../json.ts';
import { accountIndex, directoryPageIndex, issuanceId, mptokenIndex, ownerDirectoryIndex } from '../../keylets.ts';
import { isSuccess, type ResultName } from '../../results.ts';
import { type NetworkRules, reserveDrops } from '../../rules.ts';
import { type ReadView, read } from '../../state.ts';
import type { TransactionFields } from '../../transaction.ts';

/** What holds on a real server after every transaction (its InvariantCheck), and what holds in every ledger. */

export const ALL_DROPS = 100_000_000_000_000_000n;
const PAGE_SIZE = 32;

export type Change = { readonly index: string; readonly before: Entry | undefined; readonly after: Entry | undefined };
export type Applied = {
  readonly fields: TransactionFields;
  readonly result: ResultName;
  readonly changes: readonly Change[];
  readonly burnedDrops: bigint;
  readonly rules: NetworkRules;
  /** The ledger before the transaction, and after it. */
  readonly before: ReadView;
  readonly after: ReadView;
};

/** One that does not hold, in words. */
export class Broken extends Error {}

function must(holds: boolean, what: () => string): void {
  if (!holds) throw new Broken(what());
}

type Pair<T extends Entry> = { readonly index: string; readonly before: T | undefined; readonly after: T | undefined };

function changesOf<T extends Entry['LedgerEntryType']>(changes: readonly Change[], type: T): Pair<EntryOf<T>>[] {
  return changes.flatMap(({ index, before, after }) =>
    (before ?? after)?.LedgerEntryType === type
      ? [{ index, before: before as EntryOf<T> | undefined, after: after as EntryOf<T> | undefined }]
      : [],
  );
}

/** XRP in an entry, in drops. */
function dropsIn(entry: Entry | undefined): bigint {
  if (entry?.LedgerEntryType === 'AccountRoot') return BigInt(entry.Balance);
  if (entry?.LedgerEntryType === 'PayChannel') return BigInt(entry.Amount) - BigInt(entry.Balance);
  if (entry?.LedgerEntryType === 'Escrow' && typeof entry.Amount === 'string') return BigInt(entry.Amount);
  return 0n;
}

function checkXrp({ fields, changes, burnedDrops }: Applied): void {
  must(burnedDrops >= 0n && burnedDrops <= BigInt(String(fields.Fee)), () => `the fee taken is ${burnedDrops}`);
  let made = burnedDrops;
  for (const { before, after } of changes) made += dropsIn(after) - dropsIn(before);
  must(made === 0n, () => `${made} drops were made`);
  for (const { after } of changesOf(changes, 'AccountRoot')) {
    const balance = BigInt(after?.Balance ?? 0);
    must(balance >= 0n && balance <= ALL_DROPS, () => `${after?.Account} has ${balance} drops`);
  }
}

function checkAccounts({ fields, result, changes, after: view }: Applied): void {
  const roots = changesOf(changes, 'AccountRoot');
  const gone = roots.filter(({ after }) => !after);
  const expected = fields.TransactionType === 'AccountDelete' && isSuccess(result) ? 1 : 0;
  must(gone.length === expected, () => `${gone.length} accounts were deleted`);
  for (const { before } of gone) {
    const directory = view.get(ownerDirectoryIndex(before?.Account ?? ''));
    must(directory === undefined, () => `${before?.Account} is gone and left a directory`);
  }
  const fresh = roots.filter(({ before }) => !before);
  must(fresh.length === 0 || (fresh.length === 1 && fields.TransactionType === 'Payment'), () => 'accounts were made');
  for (const { after } of fresh) {
    must(after?.Sequence === view.ledgerIndex && after.Flags === 0, () => `${after?.Account} was made wrong`);
  }
}

/** What an entry says of itself for as long as it lives. */
const FIXED = [
  'LedgerEntryType',
  'Account',
  'Destination',
  'Owner',
  'Issuer',
  'Subject',
  'Sequence',
  'TakerPaysIssuer',
];

function checkFixedFields({ changes }: Applied): void {
  for (const { index, before, after } of changes) {
    if (!before || !after) continue;
    for (const name of FIXED) {
      if (name === 'Sequence' && before.LedgerEntryType === 'AccountRoot') continue;
      const [was, is] = [before, after].map((entry) => (entry as Record<string, unknown>)[name]);
      must(was === is, () => `${name} of ${before.LedgerEntryType} ${index} went from ${was} to ${is}`);
    }
  }
}

function checkThreads({ changes, after: view }: Applied, hash: string): void {
  for (const { index, after } of changes) {
    if (!after || !('PreviousTxnID' in after)) continue;
    const threaded = after.PreviousTxnID === hash && after.PreviousTxnLgrSeq === view.ledgerIndex;
    must(threaded, () => `${after.LedgerEntryType} ${index} is not threaded to the transaction`);
  }
}

/** Nobody comes to hold money of an issuer that authorizes its holders, without being one of them. */
function checkAuthorization(view: ReadView, before: RippleState | undefined, line: RippleState): void {
  const [was, is] = [before, line].map((each) => (each ? parseDecimal(each.Balance.value) : ZERO));
  if (!was || !is || !isZero(was) || isZero(is)) return;
  const [issuer, bits] = isPositive(is) ? [line.HighLimit.issuer, LINE.high] : [line.LowLimit.issuer, LINE.low];
  const needsAuth = has(read(view, 'AccountRoot', accountIndex(issuer))?.Flags ?? 0, LSF.requireAuth);
  must(!needsAuth || has(line.Flags, bits.auth), () => `somebody came to hold ${line.Balance.currency} of ${issuer}`);
}

/** What an account says of its side of a line changes by its own TrustSet alone. */
const SAID_OF_LINES = [
  'LowLimit',
  'HighLimit',
  'LowQualityIn',
  'LowQualityOut',
  'HighQualityIn',
  'HighQualityOut',
] as const;

function checkLines({ fields, changes, before: view }: Applied): void {
  for (const { before, after: line } of changesOf(changes, 'RippleState')) {
    if (!line) continue;
    const isTold = !before || fields.TransactionType === 'TrustSet';
    for (const name of isTold ? [] : SAID_OF_LINES) {
      must(sameJson(before?.[name], line[name]), () => `${name} of a line changed by ${fields.TransactionType}`);
    }
    checkAuthorization(view, before, line);
    must(line.Balance.currency !== 'XRP', () => 'a trust line holds XRP');
    for (const side of [LINE.low, LINE.high]) {
      const deep = has(line.Flags, side.deepFreeze) && !has(line.Flags, side.freeze);
      must(!deep, () => 'a line is deeply frozen and not frozen');
    }
  }
}

/** A line as its two accounts see it. */
function holdingsOf({ before, after }: Pair<RippleState>) {
  const line = after ?? before;
  if (!line) return [];
  const value = (entry: RippleState | undefined): Decimal => (entry ? parseDecimal(entry.Balance.value) : ZERO);
  const change = subtract(value(after), value(before));
  return [
    {
      owner: line.LowLimit.issuer,
      peer: line.HighLimit.issuer,
      line,
      peerBits: LINE.high,
      change,
      before: value(before),
    },
    {
      owner: line.HighLimit.issuer,
      peer: line.LowLimit.issuer,
      line,
      peerBits: LINE.low,
      change: negate(change),
      before: negate(value(before)),
    },
  ];
}

/** Money that an issuer froze passes to nobody but the issuer. */
function checkFrozen({ changes, before }: Applied): void {
  const moves = new Map<string, ReturnType<typeof holdingsOf>>();
  for (const pair of changesOf(changes, 'RippleState')) {
    for (const holding of holdingsOf(pair)) {
      if (isZero(holding.change)) continue;
      const key = `${holding.line.Balance.currency}/${holding.peer}`;
      moves.set(key, [...(moves.get(key) ?? []), holding]);
    }
  }
  for (const [asset, holdings] of moves) {
    const isPaid = holdings.some(({ change }) => isPositive(change));
    const pays = holdings.some(({ change }) => isPositive(negate(change)));
    if (!isPaid || !pays) continue;
    const issuer = asset.slice(asset.indexOf('/') + 1);
    const isFrozenWhole = has(read(before, 'AccountRoot', accountIndex(issuer))?.Flags ?? 0, LSF.globalFreeze);
    for (const { owner, peer, peerBits, line, change } of holdings) {
      const isSender = !isPositive(change);
      const frozen = has(line.Flags, peerBits.deepFreeze) || (isSender && has(line.Flags, peerBits.freeze));
      must(!frozen && !isFrozenWhole, () => `frozen ${asset} of ${owner} passed through ${peer}`);
    }
  }
}

function checkEscrows({ changes }: Applied): void {
  for (const { after } of changesOf(changes, 'Escrow')) {
    if (!after) continue;
    const { Amount: amount } = after;
    const size = isIssued(amount) ? parseDecimal(amount.value).mantissa : BigInt(isMpt(amount) ? amount.value : amount);
    must(size > 0n, () => 'an escrow holds nothing');
  }
}

function checkOffers({ changes }: Applied): void {
  for (const { after: offer } of changesOf(changes, 'Offer')) {
    if (!offer) continue;
    const amounts = [offer.TakerPays, offer.TakerGets];
    const isEmpty = amounts.some((amount) =>
      typeof amount === 'string' ? BigInt(amount) <= 0n : !isPositive(parseDecimal(amount.value)),
    );
    must(!isEmpty, () => 'an offer of nothing, or for nothing, stands');
    must(
      amounts.some((amount) => typeof amount !== 'string'),
      () => 'an offer of XRP for XRP stands',
    );
  }
}

function checkTokens({ fields, result, changes }: Applied): void {
  const type = fields.TransactionType;
  const issuances = changesOf(changes, 'MPTokenIssuance');
  const made = issuances.filter(({ before }) => !before).length;
  const ended = issuances.filter(({ after }) => !after).length;
  must(made === (type === 'MPTokenIssuanceCreate' && isSuccess(result) ? 1 : 0), () => `${made} issuances were made`);
  must(ended === (type === 'MPTokenIssuanceDestroy' && isSuccess(result) ? 1 : 0), () => `${ended} were destroyed`);
  const outstanding = new Map<string, bigint>();
  const shift = (id: string, by: bigint): void => {
    outstanding.set(id, (outstanding.get(id) ?? 0n) + by);
  };
  for (const { before, after } of issuances) {
    const issuance = after ?? before;
    if (!issuance) continue;
    shift(issuanceId(issuance.Sequence, issuance.Issuer), BigInt(after?.OutstandingAmount ?? 0));
    shift(issuanceId(issuance.Sequence, issuance.Issuer), -BigInt(before?.OutstandingAmount ?? 0));
    const out = BigInt(after?.OutstandingAmount ?? 0);
    must(out >= 0n, () => 'less than nothing of a token is outstanding');
    must(out <= BigInt(after?.MaximumAmount ?? 2n ** 63n - 1n), () => 'more of a token is outstanding than may be');
    must(BigInt(after?.LockedAmount ?? 0) <= out, () => 'more of a token is locked than outstanding');
  }
  for (const { before, after } of changesOf(changes, 'MPToken')) {
    const sum = (token: typeof after): bigint => BigInt(token?.MPTAmount ?? 0) + BigInt(token?.LockedAmount ?? 0);
    const token = after ?? before;
    must(BigInt(after?.MPTAmount ?? 0) >= 0n, () => 'a holder has less than nothing');
    must(after !== undefined || sum(before) === 0n, () => 'a holding was deleted that was not empty');
    if (token) shift(token.MPTokenIssuanceID, sum(before) - sum(after));
  }
  for (const [id, difference] of outstanding) {
    must(difference === 0n, () => `${difference} of ${id} outstanding and held by nobody`);
  }
}

/** Who may lose what by a transaction that is not theirs. */
function mayLose({ fields, changes }: Applied): Set<string> {
  const losers = new Set([fields.Account, fields.Delegate ?? fields.Account]);
  for (const { before: was } of changes) {
    if (was?.LedgerEntryType === 'Check' || was?.LedgerEntryType === 'Escrow') losers.add(was.Account);
    if (was?.LedgerEntryType === 'Offer') losers.add(was.Account);
  }
  const { Amount: amount } = fields;
  if (fields.TransactionType === 'Clawback' && amount !== undefined && isIssued(amount)) losers.add(amount.issuer);
  for (const { before: line } of changesOf(changes, 'RippleState')) {
    // Whoever values others' money differently may gain or lose by it.
    if (line?.LowQualityIn || line?.LowQualityOut) losers.add(line.LowLimit.issuer);
    if (line?.HighQualityIn || line?.HighQualityOut) losers.add(line.HighLimit.issuer);
  }
  return losers;
}

/** What may be lost to rounding: balances keep 16 digits, and a payment too small for its sender's line changes it by nothing. */
const ROUNDING: Decimal = parseDecimal('1e-14');
const absolute = (value: Decimal): Decimal => (value.mantissa < 0n ? negate(value) : value);

/** The largest balance on the account's lines in a currency, whoever owes it. */
function largestBalance(view: ReadView, owner: string, currency: string): Decimal {
  let largest = ZERO;
  for (const { index } of ownedIndexes(view, owner)) {
    const line = read(view, 'RippleState', index);
    if (line?.Balance.currency !== currency) continue;
    const size = absolute(parseDecimal(line.Balance.value));
    if (isPositive(subtract(size, largest))) largest = size;
  }
  return largest;
}

/** Nobody loses by what others do, except by what it promised: checks, escrows, offers, its issuer's clawback. */
function checkOthers(applied: Applied): void {
  const losers = mayLose(applied);
  for (const { before, after } of changesOf(applied.changes, 'AccountRoot')) {
    const address = before?.Account ?? '';
    if (!before || !after || losers.has(address)) continue;
    must(BigInt(after.Balance) >= BigInt(before.Balance), () => `${address} lost XRP by a transaction of another`);
  }
  const nets = new Map<string, { net: Decimal; size: Decimal }>();
  const note = (owner: string, currency: string, change: Decimal, size: Decimal): void => {
    const key = `${owner}/${currency}`;
    const known = nets.get(key) ?? { net: ZERO, size: ZERO };
    nets.set(key, { net: add(known.net, change), size: add(known.size, absolute(size)) });
  };
  for (const pair of changesOf(applied.changes, 'RippleState')) {
    for (const { owner, line, change, before } of holdingsOf(pair)) {
      note(owner, line.Balance.currency, change, add(absolute(before), absolute(change)));
    }
  }
  for (const { before, after } of changesOf(applied.changes, 'Escrow')) {
    for (const [entry, sign] of [
      [before, -1],
      [after, 1],
    ] as const) {
      if (!entry || !isIssued(entry.Amount)) continue;
      const value = parseDecimal(entry.Amount.value);
      // Money in escrow is still its owner's, and owed by its issuer.
      note(entry.Account, entry.Amount.currency, sign > 0 ? value : negate(value), value);
      note(entry.Amount.issuer, entry.Amount.currency, sign > 0 ? negate(value) : value, value);
    }
  }
  for (const [key, { net, size }] of nets) {
    const [owner = '', currency = ''] = key.split('/');
    if (applied.fields.TransactionType === 'Clawback' || losers.has(owner) || !isPositive(negate(net))) continue;
    const sizes = add(size, largestBalance(applied.before, owner, currency));
    const lost = isPositive(subtract(negate(net), multiply(sizes, ROUNDING)));
    must(!lost, () => `${key} lost ${formatDecimal(net)} by a transaction of another`);
  }
}

/** Types by which an account gets its first two objects without a reserve. */
const FREE_AT_FIRST = new Set(['TrustSet', 'MPTokenAuthorize']);
const FREE_OBJECTS = 2;

function checkReserve({ fields, result, changes, burnedDrops, rules }: Applied): void {
  if (!isSuccess(result)) return;
  const { TransactionType: type } = fields;
  const own = changesOf(changes, 'AccountRoot').find(({ before }) => before?.Account === fields.Account);
  if (!own?.before || !own.after) return;
  const [was, is] = [own.before, own.after];
  const feeDrops = fields.Delegate === undefined ? burnedDrops : 0n;
  const isFree = FREE_AT_FIRST.has(type) && is.OwnerCount <= FREE_OBJECTS;
  if (is.OwnerCount > was.OwnerCount && !isFree && type !== 'Payment' && type !== 'OfferCreate') {
    const missing = reserveDrops(rules, is.OwnerCount) - BigInt(was.Balance);
    must(missing <= 0n, () => `${fields.Account} lacks ${missing} drops for what it owns`);
  }
  const spent = BigInt(was.Balance) - BigInt(is.Balance) - feeDrops;
  if (spent > 0n && type !== 'AccountDelete' && type !== 'OfferCreate') {
    const missing = reserveDrops(rules, is.OwnerCount) - BigInt(is.Balance) - feeDrops;
    must(missing <= 0n, () => `${fields.Account} spent ${missing} drops of its reserve`);
  }
}

function checkFailure({ fields, result, changes }: Applied): void {
  if (isSuccess(result)) return;
  // A tec takes the fee and the sequence or ticket, and clears away credentials that have expired.
  const allowed = new Set(['AccountRoot', 'Ticket', 'DirectoryNode', 'Credential', 'Offer', 'RippleState']);
  for (const { before, after } of changes) {
    const type = (after ?? before)?.LedgerEntryType ?? '';
    must(allowed.has(type), () => `${fields.TransactionType} failed and changed a ${type}`);
  }
}

function checkDomains({ changes }: Applied): void {
  for (const { after } of changesOf(changes, 'PermissionedDomain')) {
    const size = after?.AcceptedCredentials.length ?? 1;
    must(size >= 1 && size <= 10, () => `a domain accepts ${size} credentials`);
  }
}

function checkClawback({ fields, changes }: Applied): void {
  if (fields.TransactionType !== 'Clawback') return;
  const lines = changesOf(changes, 'RippleState');
  const tokens = changesOf(changes, 'MPToken');
  must(lines.length + tokens.length <= 1, () => 'more than one holding was clawed back from');
}

/** Checks what a transaction did. Throws `Broken` for the first thing that does not hold. */
export function checkApplied(applied: Applied, hash: string): void {
  must(applied.result !== 'tefEXCEPTION', () => 'the engine broke');
  checkXrp(applied);
  checkAccounts(applied);
  checkFixedFields(applied);
  checkThreads(applied, hash);
  checkLines(applied);
  checkFrozen(applied);
  checkEscrows(applied);
  checkOffers(applied);
  checkTokens(applied);
  checkOthers(applied);
  checkReserve(applied);
  checkFailure(applied);
  checkDomains(applied);
  checkClawback(applied);
}

/** Checks what all transactions inside a Batch did together, for which the Batch has paid. */
export function checkInner(applied: Applied): void {
  checkXrp(applied);
  checkFixedFields(applied);
  checkEscrows(applied);
  checkOffers(applied);
}

type Place = { readonly owner: string; readonly node: string | undefined; readonly counts: boolean };

/** In whose directories an entry is listed, on which page by its own word, and whether it counts among what they own. */
function placesOf(entry: Entry): Place[] {
  switch (entry.LedgerEntryType) {
    case 'RippleState':
      return [
        { owner: entry.LowLimit.issuer, node: entry.LowNode, counts: has(entry.Flags, LINE.low.reserve) },
        { owner: entry.HighLimit.issuer, node: entry.HighNode, counts: has(entry.Flags, LINE.high.reserve) },
      ];
    case 'Credential': {
      const accepted = has(entry.Flags, CREDENTIAL_ACCEPTED);
      const issuer = { owner: entry.Issuer, node: entry.IssuerNode };
      if (entry.Subject === entry.Issuer) return [{ ...issuer, counts: true }];
      return [
        { ...issuer, counts: !accepted },
        { owner: entry.Subject, node: entry.SubjectNode, counts: accepted },
      ];
    }
    case 'Check':
    case 'PayChannel':
      return [
        { owner: entry.Account, node: entry.OwnerNode, counts: true },
        { owner: entry.Destination, node: entry.DestinationNode, counts: false },
      ];
    case 'Escrow': {
      const places = [{ owner: entry.Account, node: entry.OwnerNode, counts: true }];
      if (entry.Destination !== entry.Account) {
        places.push({ owner: entry.Destination, node: entry.DestinationNode ?? '', counts: false });
      }
      if (entry.IssuerNode !== undefined && isIssued(entry.Amount)) {
        places.push({ owner: entry.Amount.issuer, node: entry.IssuerNode, counts: false });
      }
      return places;
    }
    case 'Offer':
    case 'Ticket':
    case 'DepositPreauth':
    case 'MPToken':
      return [{ owner: entry.Account, node: entry.OwnerNode, counts: true }];
    case 'Delegate':
      return [
        { owner: entry.Account, node: entry.OwnerNode, counts: true },
        { owner: entry.Authorize, node: entry.DestinationNode, counts: false },
      ];
    case 'SignerList':
    case 'Oracle':
    case 'PermissionedDomain':
      return [{ owner: entry.Owner, node: entry.OwnerNode, counts: true }];
    case 'MPTokenIssuance':
      return [{ owner: entry.Issuer, node: entry.OwnerNode, counts: true }];
    default:
      return [];
  }
}

const pageNumber = (hex: string | undefined): bigint => BigInt(`0x${hex || '0'}`);

function checkPage(entries: ReadonlyMap<string, Entry>, index: string, page: DirectoryNode): void {
  must(page.Indexes.length <= PAGE_SIZE, () => `directory page ${index} is too long`);
  must(entries.get(page.RootIndex)?.LedgerEntryType === 'DirectoryNode', () => `page ${index} has no root`);
  const isRoot = index === page.RootIndex;
  const isOwners = page.Owner !== undefined;
  must(page.Indexes.length > 0 || (isRoot && (isOwners || pageNumber(page.IndexNext) > 0n)), () => `${index} is empty`);
  for (const listed of page.Indexes) {
    const entry = entries.get(listed);
    must(entry !== undefined, () => `directory page ${index} lists ${listed}, which is not there`);
    if (!entry || !isOwners) continue;
    const places = placesOf(entry).filter(({ owner }) => owner === page.Owner);
    const standsHere = places.some(
      ({ owner, node }) => directoryPageIndex(ownerDirectoryIndex(owner), pageNumber(node)) === index,
    );
    must(standsHere, () => `${entry.LedgerEntryType} ${listed} stands on page ${index} and says otherwise`);
  }
  const next = entries.get(directoryPageIndex(page.RootIndex, pageNumber(page.IndexNext)));
  must(next?.LedgerEntryType === 'DirectoryNode', () => `the page behind ${index} is not there`);
}

function checkListed(entries: ReadonlyMap<string, Entry>, index: string, entry: Entry): void {
  for (const { owner, node } of placesOf(entry)) {
    const page = entries.get(directoryPageIndex(ownerDirectoryIndex(owner), pageNumber(node)));
    const listed = page?.LedgerEntryType === 'DirectoryNode' && page.Indexes.includes(index);
    must(listed, () => `${entry.LedgerEntryType} ${index} is not in the directory of ${owner}`);
  }
  if (entry.LedgerEntryType !== 'Offer') return;
  const book = entries.get(directoryPageIndex(entry.BookDirectory, pageNumber(entry.BookNode)));
  const listed = book?.LedgerEntryType === 'DirectoryNode' && book.Indexes.includes(index);
  must(listed, () => `offer ${index} is not in its book`);
}

function checkLine(line: RippleState): void {
  const isKept = has(line.Flags, LINE.low.reserve | LINE.high.reserve);
  must(isKept || !isZero(parseDecimal(line.Balance.value)), () => 'a line stands that nobody wants');
}

function checkHoldings(entries: ReadonlyMap<string, Entry>): void {
  const held = new Map<string, bigint>();
  const locked = new Map<string, bigint>();
  const inEscrow = new Map<string, bigint>();
  const plus = (to: Map<string, bigint>, id: string, by: string | undefined): void => {
    to.set(id, (to.get(id) ?? 0n) + BigInt(by ?? 0));
  };
  for (const entry of entries.values()) {
    if (entry.LedgerEntryType === 'MPToken') {
      plus(held, entry.MPTokenIssuanceID, entry.MPTAmount);
      plus(locked, entry.MPTokenIssuanceID, entry.LockedAmount);
      plus(locked, mptokenIndex(entry.MPTokenIssuanceID, entry.Account), entry.LockedAmount);
    }
    if (entry.LedgerEntryType === 'Escrow' && isMpt(entry.Amount)) {
      plus(inEscrow, entry.Amount.mpt_issuance_id, entry.Amount.value);
      plus(inEscrow, mptokenIndex(entry.Amount.mpt_issuance_id, entry.Account), entry.Amount.value);
    }
  }
  for (const [key, amount] of inEscrow) {
    must(locked.get(key) === amount, () => `${amount} of ${key} in escrow, ${locked.get(key)} locked`);
  }
  for (const entry of entries.values()) {
    if (entry.LedgerEntryType !== 'MPTokenIssuance') continue;
    const id = issuanceId(entry.Sequence, entry.Issuer);
    const out = BigInt(entry.OutstandingAmount);
    must(out === (held.get(id) ?? 0n) + (locked.get(id) ?? 0n), () => `${out} of ${id} outstanding, held otherwise`);
    const lockedHere = BigInt(entry.LockedAmount ?? 0);
    must(lockedHere === (locked.get(id) ?? 0n), () => `${lockedHere} of ${id} locked, by holders ${locked.get(id)}`);
  }
}

/** Checks a whole ledger, in which so many drops are left. Throws `Broken` for the first thing that does not hold. */
export function checkLedger(entries: ReadonlyMap<string, Entry>, totalDrops: bigint): void {
  let drops = 0n;
  const owned = new Map<string, number>();
  const roots: AccountRoot[] = [];
  for (const [index, entry] of entries) {
    drops += dropsIn(entry);
    checkListed(entries, index, entry);
    const units = entry.LedgerEntryType === 'Oracle' ? oracleOwnerCount(entry) : 1;
    for (const { owner, counts } of placesOf(entry)) if (counts) owned.set(owner, (owned.get(owner) ?? 0) + units);
    if (entry.LedgerEntryType === 'DirectoryNode') checkPage(entries, index, entry);
    if (entry.LedgerEntryType === 'RippleState') checkLine(entry);
    if (entry.LedgerEntryType === 'AccountRoot') roots.push(entry);
  }
  must(drops === totalDrops, () => `${drops} drops are there, ${totalDrops} should be`);
  const tickets = [...entries.values()].filter(({ LedgerEntryType: type }) => type === 'Ticket') as EntryOf<'Ticket'>[];
  for (const root of roots) {
    const count = owned.get(root.Account) ?? 0;
    must(root.OwnerCount === count, () => `${root.Account} counts ${root.OwnerCount} objects and owns ${count}`);
    owned.delete(root.Account);
    const held = tickets.filter(({ Account }) => Account === root.Account).length;
    must((root.TicketCount ?? 0) === held, () => `${root.Account} counts ${root.TicketCount} tickets of ${held}`);
    const locksOut = has(root.Flags, LSF.disableMaster) && root.RegularKey === undefined;
    const signers = [...entries.values()].some(
      (entry) => entry.LedgerEntryType === 'SignerList' && entry.Owner === root.Account,
    );
    must(!locksOut || signers, () => `nobody can sign for ${root.Account}`);
  }
  must(owned.size === 0, () => `${[...owned.keys()].join(', ')} own objects and are not there`);
  checkHoldings(entries);
}
