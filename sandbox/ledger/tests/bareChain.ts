import { createHash } from 'node:crypto';
import { deriveAddress } from 'ripple-keypairs';
import { enabledAmendments } from '../amendments.ts';
import { formatDecimal } from '../amount.ts';
import { encodeObject } from '../binary/encode.ts';
import { Chain } from '../chain.ts';
import { balanceFrom, findLine, sideOf } from '../engine/lines.ts';
import { account } from '../engine/view.ts';
import type { Amount, Offer } from '../entries.ts';
import { DEFAULT_FEE_SETUP } from '../feeMetrics.ts';
import { GENESIS_ADDRESS } from '../genesis.ts';
import { transactionHash } from '../hashing.ts';
import type { ValidatedTransaction } from '../history.ts';
import type { Transaction, TransactionFields } from '../transaction.ts';

export const FEE_DROPS = 10;
const USUAL_RESERVES = { baseDrops: 1_000_000n, incDrops: 200_000n };
const GENESIS_KEY = '0330E7FC9D56BB25D6893BA3F317AE5BCF33B3291BD63DB32654A313222F7FD020';

const keyOf = (name: string): string => `ED${createHash('sha256').update(name).digest('hex').toUpperCase()}`;
/** The address of the account that `person` makes under a name. */
export const addressOfPerson = (name: string): string => deriveAddress(keyOf(name));

/** A ledger without a server, for tests that need thousands of transactions: nothing is signed, nothing is sent. */
export type BareChain = {
  readonly chain: Chain;
  /** Makes an account with that many drops; its address. */
  readonly person: (name: string, drops: bigint) => string;
  /** Applies a transaction in a ledger of its own; undefined when it is not applied at all. */
  readonly act: (fields: Partial<TransactionFields>) => ValidatedTransaction | undefined;
  /** Tries a transaction against the open ledger; the engine's result. */
  readonly attempt: (fields: Partial<TransactionFields>) => string;
  /** What the account holds of a currency, as text. */
  readonly held: (address: string, currency: string, issuer: string) => string;
  readonly drops: (address: string) => bigint;
  readonly owned: (address: string) => number;
  readonly offers: (address: string) => Offer[];
};

export function bareChain(reserves: { baseDrops: bigint; incDrops: bigint } = USUAL_RESERVES): BareChain {
  const chain = new Chain({
    rules: {
      networkId: 0,
      baseFeeDrops: BigInt(FEE_DROPS),
      reserveBaseDrops: reserves.baseDrops,
      reserveIncDrops: reserves.incDrops,
      amendments: enabledAmendments('recorded'),
    },
    fees: DEFAULT_FEE_SETUP,
    historyLedgers: 3,
    clockAheadMs: 0,
    closesAfterEach: false,
  });
  const keys = new Map([[GENESIS_ADDRESS, GENESIS_KEY]]);
  const complete = (fields: Partial<TransactionFields>): Transaction => {
    const { Account: address = '' } = fields;
    const all = {
      Fee: String(FEE_DROPS),
      SigningPubKey: keys.get(address),
      Sequence: account(chain.open, address)?.Sequence ?? 0,
      ...fields,
    } as TransactionFields;
    const blob = encodeObject(all);
    return { blob, hash: transactionHash(blob), fields: all };
  };
  const act = (fields: Partial<TransactionFields>) => chain.close([complete(fields)]).transactions[0];
  return {
    chain,
    act,
    attempt: (fields) => chain.submit(complete(fields)).result,
    person(name, drops) {
      const key = keyOf(name);
      const address = deriveAddress(key);
      keys.set(address, key);
      act({ TransactionType: 'Payment', Account: GENESIS_ADDRESS, Destination: address, Amount: String(drops) });
      return address;
    },
    held(address, currency, issuer) {
      const line = findLine(chain.open, address, issuer, currency);
      return line ? formatDecimal(balanceFrom(line, sideOf(line, address))) : '0';
    },
    drops: (address) => BigInt(account(chain.open, address)?.Balance ?? 0),
    owned: (address) => account(chain.open, address)?.OwnerCount ?? 0,
    offers: (address) =>
      [...chain.state.entriesAt(chain.history.lastIndex)]
        .flatMap(([, entry]) => (entry.LedgerEntryType === 'Offer' && entry.Account === address ? [entry] : []))
        .sort((a, b) => a.Sequence - b.Sequence),
  };
}

export const issued = (currency: string, issuer: string, value: string): Amount => ({ currency, issuer, value });
