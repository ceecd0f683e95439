import fc from 'fast-check';
import { deriveAddress } from 'ripple-keypairs';
import { expect, test } from 'vitest';
import { applyTransaction } from '../engine/apply.ts';
import { ownedIndexes } from '../engine/directory.ts';
import { account } from '../engine/view.ts';
import { CREDENTIAL_ACCEPTED, type Entry, has, LINE, UNTHREADED } from '../entries.ts';
import { accountIndex, credentialIndex, directoryPageIndex, ownerDirectoryIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import type { NetworkRules } from '../rules.ts';
import { type LedgerBase, LedgerOverlay, ValidatedState } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';

const RULES: NetworkRules = {
  networkId: 0,
  baseFeeDrops: 10n,
  reserveBaseDrops: 1_000_000n,
  reserveIncDrops: 200_000n,
};
const KEYS = ['01', '02', '03', '04'].map((byte) => `ED${byte.repeat(32)}`);
const ADDRESSES = KEYS.map((key) => deriveAddress(key));
/** More kinds of credentials than a directory page holds, so that pages come and go. */
const CREDENTIAL_TYPES = Array.from({ length: 45 }, (_, i) => `AB${i.toString(16).padStart(2, '0').toUpperCase()}`);
const START_DROPS = 9_000_000n;

/** A history of ledgers on one another, each ten seconds after the last, with everything that was ever in them. */
class History {
  ledger: LedgerOverlay;
  readonly everSeen = new Set<string>();
  readonly results = new Map<ResultName, number>();
  burnedDrops = 0n;
  private count = 0;

  constructor() {
    this.ledger = new LedgerOverlay(new ValidatedState(), { ledgerIndex: 1, parentCloseTime: 1000 });
    for (const address of ADDRESSES) {
      this.ledger.changes.set(accountIndex(address), {
        LedgerEntryType: 'AccountRoot',
        Account: address,
        Balance: String(START_DROPS),
        Flags: 0,
        OwnerCount: 0,
        Sequence: 1,
        ...UNTHREADED,
      });
    }
  }

  closeLedger(): void {
    for (const index of this.ledger.changes.keys()) this.everSeen.add(index);
    this.burnedDrops += this.ledger.burnedDrops;
    const base: LedgerBase = this.ledger;
    const { ledgerIndex, parentCloseTime } = this.ledger;
    this.ledger = new LedgerOverlay(base, { ledgerIndex: ledgerIndex + 1, parentCloseTime: parentCloseTime + 10 });
  }

  apply(sender: number, fields: Partial<TransactionFields> & { TransactionType: string }): void {
    const address = ADDRESSES[sender] ?? '';
    const complete: TransactionFields = {
      Account: address,
      Fee: '10',
      Sequence: account(this.ledger, address)?.Sequence ?? 0,
      SigningPubKey: KEYS[sender] ?? '',
      ...fields,
    };
    this.count += 1;
    const hash = this.count.toString(16).toUpperCase().padStart(64, '0');
    const options = { open: false, refuseTec: false };
    const { result } = applyTransaction(this.ledger, { blob: '', hash, fields: complete }, RULES, options);
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
    expect(result, JSON.stringify(fields)).not.toBe('tefEXCEPTION');
  }

  entries(): Map<string, Entry> {
    this.closeLedger();
    const entries = new Map<string, Entry>();
    for (const index of this.everSeen) {
      const entry = this.ledger.get(index);
      if (entry) entries.set(index, entry);
    }
    return entries;
  }
}

/** Who has an entry in its directory, on which page by the entry's own word, and whether it keeps a reserve for it. */
function holders(entry: Entry): { owner: string; node: string | undefined; keepsReserve: boolean }[] {
  switch (entry.LedgerEntryType) {
    case 'RippleState':
      return [
        { owner: entry.LowLimit.issuer, node: entry.LowNode, keepsReserve: has(entry.Flags, LINE.low.reserve) },
        { owner: entry.HighLimit.issuer, node: entry.HighNode, keepsReserve: has(entry.Flags, LINE.high.reserve) },
      ];
    case 'Credential': {
      const accepted = has(entry.Flags, CREDENTIAL_ACCEPTED);
      const issuer = { owner: entry.Issuer, node: entry.IssuerNode };
      if (entry.Subject === entry.Issuer) return [{ ...issuer, keepsReserve: true }];
      return [
        { ...issuer, keepsReserve: !accepted },
        { owner: entry.Subject, node: entry.SubjectNode, keepsReserve: accepted },
      ];
    }
    case 'DepositPreauth':
      return [{ owner: entry.Account, node: entry.OwnerNode, keepsReserve: true }];
    case 'PermissionedDomain':
      return [{ owner: entry.Owner, node: entry.OwnerNode, keepsReserve: true }];
    default:
      return [];
  }
}

function checkOwnership(history: History): void {
  const entries = history.entries();
  const counts = new Map(ADDRESSES.map((address) => [address, 0]));
  const listed = new Map(ADDRESSES.map((address) => [address, new Set<string>()]));
  for (const [index, entry] of entries) {
    for (const { owner, node, keepsReserve } of holders(entry)) {
      if (keepsReserve) counts.set(owner, (counts.get(owner) ?? 0) + 1);
      listed.get(owner)?.add(index);
      const page = history.ledger.get(directoryPageIndex(ownerDirectoryIndex(owner), BigInt(`0x${node}`)));
      expect(page?.LedgerEntryType === 'DirectoryNode' && page.Indexes).toContain(index);
    }
    if (entry.LedgerEntryType === 'DirectoryNode' && entry.Indexes.length === 0) expect(entry.IndexNext).toBeDefined();
  }
  let heldDrops = 0n;
  for (const address of ADDRESSES) {
    const root = account(history.ledger, address);
    expect({ address, owns: root?.OwnerCount }).toEqual({ address, owns: counts.get(address) });
    const owned = [...ownedIndexes(history.ledger, address)].map(({ index }) => index).sort();
    expect(owned).toEqual([...(listed.get(address) ?? [])].sort());
    heldDrops += BigInt(root?.Balance ?? 0);
  }
  expect(heldDrops + history.burnedDrops).toBe(START_DROPS * BigInt(ADDRESSES.length));
}

const who = fc.nat({ max: ADDRESSES.length - 1 });
const kind = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: CREDENTIAL_TYPES.length - 1 }));
const currency = fc.constantFrom('USD', 'EUR');
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ type: fc.constant('close' as const) }) },
  {
    weight: 14,
    arbitrary: fc.record({ type: fc.constant('issue' as const), who, to: who, kind, lives: fc.option(fc.nat(60)) }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('accept' as const), who, to: who, kind }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('revoke' as const), who, to: who, by: who, kind }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('authorize' as const),
      who,
      to: who,
      kinds: fc.uniqueArray(kind, { maxLength: 3 }),
      removes: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('domain' as const),
      who,
      to: who,
      kinds: fc.uniqueArray(kind, { minLength: 1, maxLength: 3 }),
      which: fc.option(fc.nat(5)),
      removes: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('trust' as const),
      who,
      to: who,
      currency,
      limit: fc.constantFrom('0', '0', '5', '9999999999999999e60'),
      flags: fc.constantFrom(0, 0, 0x10000, 0x20000, 0x40000, 0x100000, 0x200000, 0x500000, 0xa00000),
      quality: fc.constantFrom(undefined, undefined, 0, 1_000_000_000, 990_000_000),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('pay' as const),
      who,
      to: who,
      currency: fc.constantFrom('XRP', 'XRP', 'USD', 'EUR'),
      by: fc.option(fc.tuple(who, kind)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('flag' as const), who, flag: fc.constantFrom(2, 8, 9, 13) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Fields = Partial<TransactionFields> & { TransactionType: string };

/** The transaction that a step stands for, with the domains that were made so far. */
function transactionOf(
  each: Exclude<Step, { type: 'close' }>,
  ledger: LedgerOverlay,
  domains: readonly string[],
): Fields {
  if (each.type === 'flag') return { TransactionType: 'AccountSet', SetFlag: each.flag };
  const other = ADDRESSES[each.to] ?? '';
  const typeOf = (at: number): string => CREDENTIAL_TYPES[at] ?? '';
  const itemsOf = (kinds: readonly number[]) =>
    kinds.map((at) => ({ Credential: { Issuer: other, CredentialType: typeOf(at) } }));
  switch (each.type) {
    case 'issue': {
      const expiry = each.lives === null ? {} : { Expiration: ledger.parentCloseTime + each.lives };
      return { TransactionType: 'CredentialCreate', Subject: other, CredentialType: typeOf(each.kind), ...expiry };
    }
    case 'accept':
      return { TransactionType: 'CredentialAccept', Issuer: other, CredentialType: typeOf(each.kind) };
    case 'revoke': {
      const parties = { Subject: other, Issuer: ADDRESSES[each.by] ?? '' };
      return { TransactionType: 'CredentialDelete', ...parties, CredentialType: typeOf(each.kind) };
    }
    case 'authorize': {
      const prefix = each.removes ? 'Unauthorize' : 'Authorize';
      const items = itemsOf(each.kinds);
      const whom = items.length === 0 ? { [prefix]: other } : { [`${prefix}Credentials`]: items };
      return { TransactionType: 'DepositPreauth', ...whom };
    }
    case 'domain': {
      const known = each.which === null ? undefined : domains[each.which];
      if (known === undefined) {
        return { TransactionType: 'PermissionedDomainSet', AcceptedCredentials: itemsOf(each.kinds) };
      }
      if (each.removes) return { TransactionType: 'PermissionedDomainDelete', DomainID: known };
      const change = { AcceptedCredentials: itemsOf(each.kinds), DomainID: known };
      return { TransactionType: 'PermissionedDomainSet', ...change };
    }
    case 'trust': {
      const LimitAmount = { currency: each.currency, issuer: other, value: each.limit };
      const qualities = each.quality === undefined ? {} : { QualityIn: each.quality, QualityOut: each.quality };
      return { TransactionType: 'TrustSet', LimitAmount, Flags: each.flags, ...qualities };
    }
    default: {
      const Amount = each.currency === 'XRP' ? '1200000' : { currency: each.currency, issuer: other, value: '2' };
      const payment = { TransactionType: 'Payment', Destination: other, Amount };
      if (!each.by) return payment;
      const [issuer, at] = each.by;
      const named = { Issuer: ADDRESSES[issuer] ?? '', CredentialType: typeOf(at) };
      return { ...payment, CredentialIDs: [credentialIndex(ADDRESSES[each.who] ?? '', named)] };
    }
  }
}

function play(history: History, steps: readonly Step[]): void {
  const domains: string[] = [];
  for (const each of steps) {
    if (each.type === 'close') history.closeLedger();
    else history.apply(each.who, transactionOf(each, history.ledger, domains));
    for (const [index, entry] of history.ledger.changes) {
      if (entry?.LedgerEntryType === 'PermissionedDomain' && !domains.includes(index)) domains.push(index);
    }
  }
}

test('over any history, owner counts and directories agree with what there is, and no XRP appears or is lost', () => {
  const seen = new Map<ResultName, number>();
  let pages = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 400, size: 'max' }), (steps) => {
      const history = new History();
      play(history, steps);
      checkOwnership(history);
      for (const entry of history.entries().values()) {
        if (entry.LedgerEntryType === 'DirectoryNode' && entry.IndexNext) pages += 1;
      }
      for (const [result, count] of history.results) seen.set(result, (seen.get(result) ?? 0) + count);
    }),
    { numRuns: 60 },
  );
  expect(pages).toBeGreaterThan(0);
  for (const result of [
    'tesSUCCESS',
    'tecEXPIRED',
    'tecDUPLICATE',
    'tecINSUFFICIENT_RESERVE',
    'tecNO_ENTRY',
  ] as const) {
    expect(seen.get(result), result).toBeGreaterThan(0);
  }
});
