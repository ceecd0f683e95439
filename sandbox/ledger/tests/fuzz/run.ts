import { encode } from 'ripple-binary-codec';
import { enabledAmendments } from '../../amendments.ts';
import { encodeObject } from '../../binary/encode.ts';
import { applyInner, openLedgerAfter } from '../../close.ts';
import { applyTransaction, transactionCostDrops } from '../../engine/apply.ts';
import { type Entry, has, LSF } from '../../entries.ts';
import { genesisLedger } from '../../genesis.ts';
import { sha512HalfHex } from '../../hashing.ts';
import type { LedgerHeader } from '../../history.ts';
import { sameJson } from '../../json.ts';
import { accountIdHex } from '../../keylets.ts';
import type { ResultName } from '../../results.ts';
import type { NetworkRules } from '../../rules.ts';
import { LedgerOverlay, ValidatedState } from '../../state.ts';
import type { Signer, Transaction, TransactionFields } from '../../transaction.ts';
import { generate, setup, ticketFor } from './generators.ts';
import { ALL_DROPS, type Applied, Broken, checkApplied, checkInner, checkLedger } from './invariants.ts';
import { type Actor, type Draft, World } from './world.ts';

export const RULES: NetworkRules = {
  networkId: 0,
  baseFeeDrops: 10n,
  reserveBaseDrops: 1_000_000n,
  reserveIncDrops: 200_000n,
  amendments: enabledAmendments('recorded'),
};

/** Who signs a transaction: the account's own key or, where it has one, its regular key. */
function signerOf(world: World, address: string): Actor {
  const root = world.root(address);
  const regular = world.actor(root?.RegularKey);
  const own = world.actor(address) ?? world.genesis;
  if (!regular) return own;
  return has(root?.Flags ?? 0, LSF.disableMaster) || world.draw.chance(0.3) ? regular : own;
}

/** Some of those on the account's signer list, in the order that the ledger wants; their signatures are still missing. */
function cosigners(world: World, address: string): Signer[] | undefined {
  const list = world.owned(address, 'SignerList')[0]?.entry;
  if (!list || !world.draw.chance(0.25)) return undefined;
  const signers = list.SignerEntries.filter(() => world.draw.chance(0.9)).map(({ SignerEntry: { Account } }) => ({
    Signer: { Account, SigningPubKey: signerOf(world, Account).publicKey, TxnSignature: '' },
  }));
  if (signers.length === 0) return undefined;
  return signers.sort((a, b) => (accountIdHex(a.Signer.Account) < accountIdHex(b.Signer.Account) ? -1 : 1));
}

/** Who sends a transaction for the account, where it has let somebody, now and then. */
function delegateOf(world: World, { Account: owner }: Draft): Actor | undefined {
  if (!world.amendments.has('PermissionDelegationV1_1') || !world.draw.chance(0.2)) return undefined;
  const granted = world.owned(owner, 'Delegate').filter(({ entry }) => entry.Account === owner);
  return world.actor(world.pick(granted)?.entry.Authorize);
}

/** A draft with its sequence or ticket, fee and signing key. */
export function complete(world: World, draft: Draft): { fields: TransactionFields; signer: Actor } {
  const signer = signerOf(world, draft.Account);
  const ticket = ticketFor(world, draft.Account);
  const sequence = world.root(draft.Account)?.Sequence ?? 1;
  const order = ticket === undefined ? { Sequence: sequence } : { Sequence: 0, TicketSequence: ticket };
  const delegate = delegateOf(world, draft);
  if (delegate) {
    const fields = { Fee: '10', SigningPubKey: delegate.publicKey, ...order, ...draft, Delegate: delegate.address };
    return { fields, signer: delegate };
  }
  const Signers = cosigners(world, draft.Account);
  const signing = Signers ? { Signers, SigningPubKey: '' } : { SigningPubKey: signer.publicKey };
  const fields: TransactionFields = { Fee: '10', ...signing, ...order, ...draft };
  const cost = transactionCostDrops(fields, RULES, world.view);
  return { fields: { ...fields, Fee: String(cost + BigInt(world.draw.between(0, 3))) }, signer };
}

export type RunOptions = {
  readonly seed: string;
  readonly transactions: number;
  /** How many transactions pass between two looks at the whole ledger. */
  readonly wholeEvery?: number;
};
export type RunReport = {
  readonly transactions: number;
  readonly ledgers: number;
  /** How often each type came to each result. */
  readonly results: ReadonlyMap<string, ReadonlyMap<ResultName, number>>;
};

/** An invariant that does not hold, with everything it takes to see it again. */
export class RunFailure extends Error {
  constructor(options: RunOptions, at: number, fields: TransactionFields | undefined, result: string, cause: Broken) {
    const what = fields ? `${fields.TransactionType} (${result}) ${JSON.stringify(fields)}` : 'the whole ledger';
    super(`seed ${options.seed}, transaction ${at}: ${cause.message}\n${what}`, { cause });
  }
}

/** A chain of ledgers in this process, without servers and signatures. */
class Ledgers {
  readonly state = new ValidatedState();
  private header: LedgerHeader;
  open: LedgerOverlay;
  totalDrops = ALL_DROPS;
  count = 0;

  constructor() {
    this.header = { ...genesisLedger(this.state, RULES).header, closeTime: 800_000_000 };
    this.open = openLedgerAfter(this.state, this.header);
  }

  close(seconds: number, skip = 0): void {
    const { ledgerIndex, burnedDrops, changes } = this.open;
    this.state.commit(changes, ledgerIndex);
    this.state.forget(ledgerIndex - 1);
    this.totalDrops -= burnedDrops;
    this.header = { ...this.header, ledgerIndex: ledgerIndex + skip, closeTime: this.header.closeTime + seconds };
    this.open = openLedgerAfter(this.state, this.header);
    this.count += 1 + skip;
  }

  entries(): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    for (const index of this.state.keysAbove('')) {
      const entry = this.state.latest(index);
      if (entry) entries.set(index, entry);
    }
    return entries;
  }
}

/** Every entry is written as the codec of other programs writes it. */
function checkEncoding(entries: ReadonlyMap<string, Entry>): void {
  for (const [index, entry] of entries) {
    const expected = encode(entry as never).toUpperCase();
    if (encodeObject(entry) !== expected) throw new Broken(`${entry.LedgerEntryType} ${index} is written wrong`);
  }
}

class Run {
  private readonly options: RunOptions;
  /** Everything the sandbox has is on; against a real server only what is on there. */
  private readonly rules: NetworkRules = { ...RULES, amendments: enabledAmendments('all') };
  private readonly ledgers = new Ledgers();
  private readonly world: World;
  private readonly results = new Map<string, Map<ResultName, number>>();
  private at = 0;

  constructor(options: RunOptions) {
    this.options = options;
    this.world = new World(options.seed, this.ledgers.open, this.rules.amendments);
  }

  private apply(draft: Draft): void {
    this.at += 1;
    const { open } = this.ledgers;
    const { fields } = complete(this.world, draft);
    const hash = sha512HalfHex(Buffer.from(`${this.options.seed}:${this.at}`).toString('hex'));
    const tx: Transaction = { blob: '', hash, fields };
    const trial = new LedgerOverlay(open, open);
    const { result, applied } = applyTransaction(trial, tx, this.rules, { open: false, refuseTec: false });
    this.count(fields.TransactionType, result);
    const changes = [...trial.changes]
      .map(([index, after]) => ({ index, before: open.get(index), after }))
      .filter(({ before, after }) => !sameJson(before, after));
    const what: Applied = {
      fields,
      result,
      changes,
      burnedDrops: trial.burnedDrops,
      rules: this.rules,
      before: open,
      after: trial,
    };
    try {
      if (!applied && changes.length > 0) throw new Broken('it was not applied and changed something');
      if (result === 'tefEXCEPTION') throw new Broken('the engine broke');
      if (applied) checkApplied(what, hash);
    } catch (error) {
      throw error instanceof Broken ? new RunFailure(this.options, this.at, fields, result, error) : error;
    }
    open.absorb(trial);
    if (fields.TransactionType === 'Batch' && result === 'tesSUCCESS') this.applyInner(tx);
  }

  private applyInner(tx: Transaction): void {
    const { open } = this.ledgers;
    const trial = new LedgerOverlay(open, open);
    const done = applyInner(trial, tx, this.rules, 1);
    for (const { tx: inner, meta } of done)
      this.count(`${inner.fields.TransactionType} in a Batch`, meta.TransactionResult);
    const changes = [...trial.changes].map(([index, after]) => ({ index, before: open.get(index), after }));
    const { fields } = tx;
    const burnedDrops = trial.burnedDrops;
    try {
      const rules = this.rules;
      checkInner({ fields, result: 'tesSUCCESS', changes, burnedDrops, rules, before: open, after: trial });
    } catch (error) {
      throw error instanceof Broken ? new RunFailure(this.options, this.at, fields, 'inside', error) : error;
    }
    open.absorb(trial);
  }

  private count(type: string, result: ResultName): void {
    const ofType = this.results.get(type) ?? new Map<ResultName, number>();
    ofType.set(result, (ofType.get(result) ?? 0) + 1);
    this.results.set(type, ofType);
  }

  private close(): void {
    const { draw } = this.world;
    // Accounts may be deleted only when they have rested for 256 ledgers.
    this.ledgers.close(draw.between(1, 20), draw.chance(0.01) ? 256 : 0);
    this.world.view = this.ledgers.open;
  }

  private checkWhole(): void {
    const entries = this.ledgers.entries();
    try {
      checkLedger(entries, this.ledgers.totalDrops);
      checkEncoding(entries);
    } catch (error) {
      throw error instanceof Broken ? new RunFailure(this.options, this.at, undefined, '', error) : error;
    }
  }

  play(): RunReport {
    const { transactions, wholeEvery = 500 } = this.options;
    for (const draft of setup(this.world)) {
      this.apply(draft);
      if (this.at % 8 === 0) this.close();
    }
    let checkedAt = this.at;
    while (this.at < transactions) {
      this.apply(generate(this.world));
      if (this.world.draw.chance(0.15)) this.close();
      if (this.at - checkedAt < wholeEvery) continue;
      this.close();
      this.checkWhole();
      checkedAt = this.at;
    }
    this.close();
    this.checkWhole();
    return { transactions: this.at, ledgers: this.ledgers.count, results: this.results };
  }
}

/**
 * Plays random transactions, valid and invalid, from that seed, and checks the invariants after each and the whole ledger
 * now and then. Throws RunFailure when one does not hold.
 */
export const playRun = (options: RunOptions): RunReport => new Run(options).play();
