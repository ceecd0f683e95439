import { deriveAddress } from 'ripple-keypairs';
import { expect } from 'vitest';
import { enabledAmendments } from '../amendments.ts';
import { applyTransaction } from '../engine/apply.ts';
import { ownedIndexes } from '../engine/directory.ts';
import { account } from '../engine/view.ts';
import { CREDENTIAL_ACCEPTED, type Entry, has, isIssued, LINE, UNTHREADED } from '../entries.ts';
import { accountIndex, directoryPageIndex, ownerDirectoryIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import type { NetworkRules } from '../rules.ts';
import { type LedgerBase, LedgerOverlay, ValidatedState } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';

const RULES: NetworkRules = {
  networkId: 0,
  amendments: enabledAmendments('recorded'),
  baseFeeDrops: 10n,
  reserveBaseDrops: 1_000_000n,
  reserveIncDrops: 200_000n,
};
const KEYS = ['01', '02', '03', '04'].map((byte) => `ED${byte.repeat(32)}`);
export const ADDRESSES = KEYS.map((key) => deriveAddress(key));
const START_DROPS = 9_000_000n;

/** A history of ledgers on one another, each ten seconds after the last, with everything that was ever in them. */
export class History {
  ledger: LedgerOverlay;
  readonly everSeen = new Set<string>();
  readonly results = new Map<ResultName, number>();
  private closedBurnedDrops = 0n;
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
    this.closedBurnedDrops += this.ledger.burnedDrops;
    const base: LedgerBase = this.ledger;
    const { ledgerIndex, parentCloseTime } = this.ledger;
    this.ledger = new LedgerOverlay(base, { ledgerIndex: ledgerIndex + 1, parentCloseTime: parentCloseTime + 10 });
  }

  apply(sender: number, fields: Partial<TransactionFields> & { TransactionType: string }): ResultName {
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
    return result;
  }

  get burnedDrops(): bigint {
    return this.closedBurnedDrops + this.ledger.burnedDrops;
  }

  /** Everything there is now. */
  entries(): Map<string, Entry> {
    for (const index of this.ledger.changes.keys()) this.everSeen.add(index);
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
    case 'MPToken':
    case 'Offer':
      return [{ owner: entry.Account, node: entry.OwnerNode, keepsReserve: true }];
    case 'PermissionedDomain':
      return [{ owner: entry.Owner, node: entry.OwnerNode, keepsReserve: true }];
    case 'MPTokenIssuance':
      return [{ owner: entry.Issuer, node: entry.OwnerNode, keepsReserve: true }];
    case 'Escrow': {
      const { Account: owner, Amount: amount, Destination: destination, DestinationNode, IssuerNode } = entry;
      const listed = [{ owner, node: entry.OwnerNode as string | undefined, keepsReserve: true }];
      if (destination !== owner) listed.push({ owner: destination, node: DestinationNode, keepsReserve: false });
      const issuer = isIssued(amount) ? amount.issuer : destination;
      if (issuer !== destination) listed.push({ owner: issuer, node: IssuerNode, keepsReserve: false });
      return listed;
    }
    default:
      return [];
  }
}

/** That owner counts and directories agree with what there is, and that no XRP appeared or was lost. */
export function checkOwnership(history: History): void {
  const entries = history.entries();
  let heldDrops = 0n;
  const counts = new Map(ADDRESSES.map((address) => [address, 0]));
  const listed = new Map(ADDRESSES.map((address) => [address, new Set<string>()]));
  for (const [index, entry] of entries) {
    for (const { owner, node, keepsReserve } of holders(entry)) {
      if (keepsReserve) counts.set(owner, (counts.get(owner) ?? 0) + 1);
      listed.get(owner)?.add(index);
      const page = history.ledger.get(directoryPageIndex(ownerDirectoryIndex(owner), BigInt(`0x${node}`)));
      expect(page?.LedgerEntryType === 'DirectoryNode' && page.Indexes).toContain(index);
    }
    // Some types leave the first page of an empty directory behind; no other page may be empty.
    if (entry.LedgerEntryType === 'DirectoryNode' && index !== entry.RootIndex) expect(entry.Indexes).not.toEqual([]);
    if (entry.LedgerEntryType === 'Escrow' && typeof entry.Amount === 'string') heldDrops += BigInt(entry.Amount);
  }
  for (const address of ADDRESSES) {
    const root = account(history.ledger, address);
    expect({ address, owns: root?.OwnerCount }).toEqual({ address, owns: counts.get(address) });
    const owned = [...ownedIndexes(history.ledger, address)].map(({ index }) => index).sort();
    expect(owned).toEqual([...(listed.get(address) ?? [])].sort());
    heldDrops += BigInt(root?.Balance ?? 0);
  }
  expect(heldDrops + history.burnedDrops).toBe(START_DROPS * BigInt(ADDRESSES.length));
}
