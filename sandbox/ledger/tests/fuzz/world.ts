import { createHash } from 'node:crypto';
import { encodeSeed } from 'ripple-address-codec';
import { deriveAddress, deriveKeypair } from 'ripple-keypairs';
import { ownedIndexes } from '../../engine/directory.ts';
import { account } from '../../engine/view.ts';
import type { AccountRoot, Amount, EntryOf, EntryType, IssuedAmount, MptAmount } from '../../entries.ts';
import { GENESIS_ADDRESS, GENESIS_SEED } from '../../genesis.ts';
import { issuanceId } from '../../keylets.ts';
import type { ReadView } from '../../state.ts';
import type { TransactionFields } from '../../transaction.ts';
import { Draw } from './draw.ts';

/** Who signs and owns in a run. */
export type Actor = { readonly address: string; readonly publicKey: string; readonly privateKey: string };

/** What a transaction says, before its sequence, fee and signature. */
export type Draft = Partial<TransactionFields> & { readonly TransactionType: string; readonly Account: string };

const FUNDED = 10;
/** Accounts that nobody funds at first: they come and go with payments and deletions. */
const UNFUNDED = 4;
const ISSUERS = 3;
const CURRENCIES = ['USD', 'EUR'] as const;
const VALUES = ['1', '2', '10', '0.5', '100', '7.123456789012345', '0.000001', '1234567.891', '1e-15', '3e15'] as const;
const DROPS = ['1', '10', '1000', '200000', '1000000', '5000000', '50000000'] as const;

function actorOf(seed: Buffer, type: 'ed25519' | 'secp256k1'): Actor {
  const keys = deriveKeypair(encodeSeed(seed, type));
  return { ...keys, address: deriveAddress(keys.publicKey) };
}

const genesis: Actor = { ...deriveKeypair(GENESIS_SEED), address: GENESIS_ADDRESS };

/** The accounts of a run, and choices among what the ledger holds of theirs; all of it follows from the seed. */
export class World {
  readonly draw: Draw;
  readonly genesis = genesis;
  readonly actors: readonly Actor[];
  readonly issuers: readonly Actor[];
  private readonly byAddress: ReadonlyMap<string, Actor>;
  /** Those that are on: types beyond them are not tried. */
  readonly amendments: ReadonlySet<string>;
  /** The ledger as it stands. */
  view: ReadView;

  constructor(seed: string, view: ReadView, amendments: ReadonlySet<string>) {
    this.amendments = amendments;
    this.draw = new Draw(`ledger-fuzz:${seed}`);
    this.view = view;
    this.actors = Array.from({ length: FUNDED + UNFUNDED }, (_, i) => {
      const entropy = createHash('sha256').update(`ledger-fuzz:${seed}:${i}`).digest().subarray(0, 16);
      return actorOf(entropy, i % 4 === 0 ? 'secp256k1' : 'ed25519');
    });
    this.issuers = this.actors.slice(0, ISSUERS);
    this.byAddress = new Map([...this.actors, genesis].map((actor) => [actor.address, actor]));
  }

  get fundedAtFirst(): readonly Actor[] {
    return this.actors.slice(0, FUNDED);
  }

  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.draw.between(0, choices.length - 1)];
  }

  oneOf<T>(...choices: readonly [T, ...T[]]): T {
    return this.pick(choices) ?? choices[0];
  }

  actor(address: string | undefined): Actor | undefined {
    return this.byAddress.get(address ?? '');
  }

  root(address: string): AccountRoot | undefined {
    return account(this.view, address);
  }

  /** An account that is there. */
  someone(): string {
    for (let i = 0; i < 20; i++) {
      const { address } = this.pick(this.actors) ?? genesis;
      if (this.root(address)) return address;
    }
    return genesis.address;
  }

  /** Another account, which now and then is not there, or the same. */
  someoneElse(than: string): string {
    if (this.draw.chance(0.01)) return than;
    for (let i = 0; i < 20; i++) {
      const address = this.draw.chance(0.04) ? (this.pick(this.actors) ?? genesis).address : this.someone();
      if (address !== than) return address;
    }
    return genesis.address;
  }

  /** What an account owns, or is the receiver of, of a type. */
  owned<T extends EntryType>(address: string, type: T): { index: string; entry: EntryOf<T> }[] {
    const found: { index: string; entry: EntryOf<T> }[] = [];
    for (const { index } of ownedIndexes(this.view, address)) {
      const entry = this.view.get(index);
      if (entry?.LedgerEntryType === type) found.push({ index, entry: entry as EntryOf<T> });
    }
    return found;
  }

  /** Some entry of a type, of anybody. */
  any<T extends EntryType>(type: T): { index: string; entry: EntryOf<T> } | undefined {
    for (let i = 0; i < 4; i++) {
      const one = this.pick(this.owned(this.someone(), type));
      if (one) return one;
    }
    return undefined;
  }

  drops(): string {
    return this.oneOf(...DROPS);
  }

  value(): string {
    return this.oneOf(...VALUES);
  }

  issued(value = this.value()): IssuedAmount {
    const { address: issuer } = this.pick(this.issuers) ?? genesis;
    return { currency: this.oneOf(...CURRENCIES), issuer, value };
  }

  /** An amount of something that the account has a line for, or of anything. */
  held(address: string): IssuedAmount {
    const line = this.pick(this.owned(address, 'RippleState'))?.entry;
    if (!line || this.draw.chance(0.05)) return this.issued();
    const { currency } = line.Balance;
    const issuer = line.LowLimit.issuer === address ? line.HighLimit.issuer : line.LowLimit.issuer;
    const all = line.Balance.value.replace('-', '');
    return { currency, issuer, value: this.draw.chance(0.15) && all !== '0' ? all : this.value() };
  }

  /** An amount of a token that the account holds or issues, or of any token. */
  token(address: string): MptAmount | undefined {
    const value = this.oneOf('1', '5', '100', '4000', '900000000000000');
    const holding = this.pick(this.owned(address, 'MPToken'))?.entry;
    if (holding && this.draw.chance(0.7)) return { mpt_issuance_id: holding.MPTokenIssuanceID, value };
    const own = this.pick(this.owned(address, 'MPTokenIssuance'))?.entry ?? this.any('MPTokenIssuance')?.entry;
    return own && { mpt_issuance_id: issuanceId(own.Sequence, own.Issuer), value };
  }

  amount(address: string): Amount {
    const what = this.draw.fraction();
    if (what < 0.45) return this.drops();
    return (what < 0.7 ? this.token(address) : undefined) ?? this.held(address);
  }

  /** A time a little before or after now, in seconds since the ledger epoch. */
  soon(): number {
    return this.view.parentCloseTime + this.draw.between(-3, 90);
  }

  hash(): string {
    return createHash('sha256').update(String(this.draw.fraction())).digest('hex').toUpperCase();
  }
}
