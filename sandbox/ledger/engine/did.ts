import { type Did, UNTHREADED } from '../entries.ts';
import { didIndex } from '../keylets.ts';
import { reserveDrops } from '../rules.ts';
import { read } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import type { TransactionType } from './types.ts';

/** What a decentralized identifier says; each part has at most so many bytes. */
const PARTS = ['DIDDocument', 'Data', 'URI'] as const;
const MAX_PART_BYTES = 256;

type Part = (typeof PARTS)[number];

/** The parts that a transaction names, empty ones among them: those are taken away. */
const given = (fields: TransactionFields): (readonly [Part, string])[] =>
  PARTS.flatMap((name) => {
    const value = fields[name];
    return value === undefined ? [] : [[name, value] as const];
  });

/** DIDSet: gives the sender an identifier, or changes what its own says. */
export const didSet: TransactionType = {
  flags: 0,
  preflight(fields) {
    const parts = given(fields);
    if (parts.length === 0) return 'temEMPTY_DID';
    if (parts.length === PARTS.length && parts.every(([, value]) => value === '')) return 'temEMPTY_DID';
    return parts.some(([, value]) => value.length > 2 * MAX_PART_BYTES) ? 'temMALFORMED' : 'tesSUCCESS';
  },
  apply({ view, fields, rules, account: owner }) {
    const index = didIndex(owner.Account);
    const own = view.edit('DID', index);
    if (own) {
      for (const [name, value] of given(fields)) {
        if (value === '') delete own[name];
        else own[name] = value;
      }
      return PARTS.some((name) => own[name] !== undefined) ? 'tesSUCCESS' : 'tecEMPTY_DID';
    }
    const parts = given(fields).filter(([, value]) => value !== '');
    if (parts.length === 0) return 'tecEMPTY_DID';
    // As for domains, the reserve is measured against what is left after the fee.
    if (BigInt(owner.Balance) < reserveDrops(rules, owner.OwnerCount + 1)) return 'tecINSUFFICIENT_RESERVE';
    const created: Did = {
      LedgerEntryType: 'DID',
      Account: owner.Account,
      Flags: 0,
      OwnerNode: addToDirectory(view, owner.Account, index),
      ...Object.fromEntries(parts),
      ...UNTHREADED,
    };
    view.create(index, created);
    owner.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};

/** DIDDelete: takes the sender's identifier away. */
export const didDelete: TransactionType = {
  flags: 0,
  apply({ view, account: owner }) {
    const index = didIndex(owner.Account);
    const own = read(view, 'DID', index);
    if (!own) return 'tecNO_ENTRY';
    removeFromDirectory(view, owner.Account, own.OwnerNode, index, true);
    view.erase(index);
    owner.OwnerCount -= 1;
    return 'tesSUCCESS';
  },
};
