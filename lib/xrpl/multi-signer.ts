import { type Custody, isListOf, isQuorum, type SignerSet } from '@tranche/rules/custody.ts';
import { forNetwork } from '@tranche/rules/transactions.ts';
import type { Refusal, RefusalReason, WitnessSignature } from '@tranche/witness/protocol.ts';
import type { Signer as Signature, Transaction, Wallet } from 'xrpl';
import { env } from '#lib/base/env.ts';
import type { Signer, SignOutcome, SignRequest } from './signing.ts';
import { hashOfBlob } from './transaction-hash.ts';
import { LEDGERS_TO_LIVE } from './transactions.ts';
import type { SignerList } from './types.ts';
import { askWitness, type WitnessReply, witnessEntry } from './witnesses.ts';

/** A witness may be a few ledgers behind the platform: for it, LastLedgerSequence lies further ahead. */
const WITNESS_LAG_LEDGERS = 4;

const ledgersToLive = ({ ledgers_to_live: most }: Custody): number =>
  Math.min(LEDGERS_TO_LIVE, Math.max(Math.ceil(most / 2), most - WITNESS_LAG_LEDGERS));

/** True when the ledger shows exactly this signer set. Pure. */
export const isInForce = (set: SignerSet, list: SignerList | null): boolean => list !== null && isListOf(set, list);

/** The most witnesses that a smallest sufficient set can have: those with the least weight. Pure. */
function mostWitnesses({ quorum, platform, witnesses }: Custody): number {
  let sum = platform.weight;
  const byWeight = witnesses.map(({ weight }) => weight).sort((a, b) => a - b);
  for (const [index, weight] of byWeight.entries()) {
    sum += weight;
    if (sum >= quorum) return index + 1;
  }
  return witnesses.length;
}

/** What passes by itself: a witness that says so may say otherwise a ledger later. */
const PASSING: ReadonlySet<RefusalReason> = new Set([
  'catching_up',
  'servers_disagree',
  'earlier_ticket_open',
  'not_due',
  'expired',
  'expires_too_late',
  'too_many_tickets',
]);

/** What concerns one purpose of a candidate that has several. */
const OF_ONE_PURPOSE: ReadonlySet<RefusalReason> = new Set([
  'earlier_ticket_open',
  'inputs_missing',
  'not_due',
  'not_owed',
  'paid',
  'release_too_large',
]);

/** Of what a witness says, so much is written down: it may say anything. */
const MAX_DETAIL = 200;

/** Signatures of a transaction at most: the platform's and a smallest sufficient set of its witnesses'. Pure. */
export const signaturesOf = (custody: Custody): number => 1 + mostWitnesses(custody);

interface Collecting {
  transaction: Transaction;
  /** The bytes that are signed, before the signer's own account id, in hexadecimal. */
  body: string;
  viewedLedger: number;
  signatures: Map<string, WitnessSignature>;
  refusals: Map<string, Refusal>;
  /** What witnesses say that may pass by itself. */
  passing: Map<string, RefusalReason>;
}

/**
 * Signs with the platform's key and its witnesses: all are asked at once, and the first ones whose weights suffice are
 * used. Each signature is verified over the bytes that were built here, so that no witness can spoil a transaction.
 */
export function multiSigner(address: string, wallet: Wallet, custody: Custody): Signer {
  const networkId = env().XRPL_NETWORK_ID;
  const live = ledgersToLive(custody);
  return {
    address,
    keyAddress: wallet.classicAddress,
    signatures: signaturesOf(custody),
    ledgersToLive: live,
    isWitnessed: true,
    async sign(requests) {
      const outcomes: SignOutcome[] = [];
      const library = await loadLibrary();
      const open = requests.map(({ transaction, candidate }, index): Collecting | null => {
        const complete = { ...forNetwork(transaction, networkId), SigningPubKey: '' };
        let body: string;
        try {
          body = library.encodeForMultiSigning(complete, wallet.classicAddress).slice(0, -ID_DIGITS);
        } catch (cause) {
          outcomes[index] = { kind: 'unsignable', cause };
          return null;
        }
        if (candidate === null) {
          outcomes[index] = {
            kind: 'refused',
            detail: 'Witnesses sign nothing of this kind',
            mayDivide: false,
            paidBy: [],
          };
          return null;
        }
        const viewedLedger = candidate.last_ledger_sequence - live;
        return {
          transaction: complete,
          body,
          viewedLedger,
          signatures: new Map(),
          refusals: new Map(),
          passing: new Map(),
        };
      });
      await collect(address, custody, requests, open, library);
      for (const [index, each] of open.entries()) {
        if (each !== null) outcomes[index] = finish(each, wallet, custody, library);
      }
      return outcomes;
    },
  };
}

/** An account id in hexadecimal. */
const ID_DIGITS = 40;

async function loadLibrary() {
  const [{ encode, encodeForMultiSigning }, { deriveAddress }, { decodeAccountID }, keySignatures] = await Promise.all([
    import('xrpl'),
    import('ripple-keypairs'),
    import('ripple-address-codec'),
    import('@tranche/witness/key-signature.ts'),
  ]);
  return {
    ...keySignatures,
    encode,
    encodeForMultiSigning,
    deriveAddress: memoize(deriveAddress),
    idOf: memoize((address: string) => Buffer.from(decodeAccountID(address)).toString('hex').toUpperCase()),
  };
}
type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** A signer set has few keys, and a batch of payments many signatures of each. */
function memoize(compute: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const result = known.get(text) ?? compute(text);
    known.set(text, result);
    return result;
  };
}

/** Asks every witness for all that is open, and stops when those that have not answered yet could change nothing. */
async function collect(
  account: string,
  custody: Custody,
  requests: readonly SignRequest[],
  open: readonly (Collecting | null)[],
  library: Library,
): Promise<void> {
  const asked = open.flatMap((each, index) => {
    const candidate = requests[index]?.candidate ?? null;
    return each === null || candidate === null ? [] : [{ each, candidate }];
  });
  if (asked.length === 0) return;
  const decided = new AbortController();
  const asking = new Set(custody.witnesses.map(({ account: key }) => key));
  const candidates = asked.map(({ candidate }) => candidate);
  const take = ({ key, ledgerIndex, results }: WitnessReply): void => {
    for (const [index, { each }] of asked.entries()) {
      const result = results[index];
      if (result === undefined || isEnough(each, custody)) continue;
      if ('refused' in result) {
        if (PASSING.has(result.refused.reason)) each.passing.set(key, result.refused.reason);
        // What a witness that is behind refuses, it may sign when it has caught up.
        else if (ledgerIndex >= each.viewedLedger) each.refusals.set(key, result.refused);
      } else if (isValid(each, key, result.signed, library)) each.signatures.set(key, result.signed);
    }
  };
  await Promise.all(
    custody.witnesses.map(async ({ account: key }) => {
      const entry = witnessEntry(key);
      const reply =
        entry === null ? null : await askWitness(entry, account, candidates, decided.signal).catch(() => null);
      if (reply !== null) take(reply);
      asking.delete(key);
      if (asked.every(({ each }) => isDecided(each, custody, asking))) decided.abort();
    }),
  );
}

/** Whether the signatures suffice, and with those of `others` where they are given. */
const isEnough = ({ signatures }: Collecting, custody: Custody, others: Iterable<string> = []): boolean =>
  isQuorum(custody, [custody.platform.account, ...new Set([...signatures.keys(), ...others])]);

/** Whether they are a quorum but for what some of them say of one purpose, and with `others` where they are given. */
function mayDivide({ signatures, refusals, passing }: Collecting, custody: Custody, others: Iterable<string> = []) {
  const ofOnePurpose = [...passing, ...[...refusals].map(([key, { reason }]) => [key, reason] as const)].flatMap(
    ([key, reason]) => (OF_ONE_PURPOSE.has(reason) ? [key] : []),
  );
  return isQuorum(custody, [custody.platform.account, ...new Set([...signatures.keys(), ...ofOnePurpose, ...others])]);
}

/** Whether nothing that these witnesses might still answer makes a difference. */
const isDecided = (each: Collecting, custody: Custody, asking: Iterable<string>): boolean =>
  isEnough(each, custody) ||
  (!isEnough(each, custody, asking) && (mayDivide(each, custody) || !mayDivide(each, custody, asking)));

/** True when the witness with this key has signed exactly this transaction. */
function isValid({ body }: Collecting, key: string, given: WitnessSignature, library: Library): boolean {
  try {
    return (
      given.account === key &&
      library.deriveAddress(given.public_key) === key &&
      library.isSignature(body + library.idOf(key), given.signature, given.public_key)
    );
  } catch {
    // A key or signature that cannot even be read.
    return false;
  }
}

function finish(each: Collecting, wallet: Wallet, custody: Custody, library: Library): SignOutcome {
  if (!isEnough(each, custody)) return unsigned(each, custody);
  const { transaction, body } = each;
  const own = {
    account: wallet.classicAddress,
    public_key: wallet.publicKey,
    signature: library.signMessage(body + library.idOf(wallet.classicAddress), wallet.privateKey),
  };
  const Signers = [own, ...fewest(each, custody)]
    .map(
      (given): Signature => ({
        Signer: { Account: given.account, SigningPubKey: given.public_key, TxnSignature: given.signature },
      }),
    )
    // The ledger takes signers in the order of their account ids only.
    .toSorted((a, b) => (library.idOf(a.Signer.Account) < library.idOf(b.Signer.Account) ? -1 : 1));
  const blob = library.encode({ ...transaction, Signers });
  return { kind: 'signed', hash: hashOfBlob(blob), blob };
}

/** The fewest of the signatures that came that make a quorum with the platform's. */
function fewest({ signatures }: Collecting, custody: Custody): WitnessSignature[] {
  const weightOf = new Map(custody.witnesses.map(({ account, weight }) => [account, weight]));
  const byWeight = [...signatures.values()].sort(
    (a, b) => (weightOf.get(b.account) ?? 0) - (weightOf.get(a.account) ?? 0),
  );
  const used: WitnessSignature[] = [];
  for (const signature of byWeight) {
    if (isQuorum(custody, [custody.platform.account, ...used.map(({ account }) => account)])) break;
    used.push(signature);
  }
  return used;
}

/** `refused` when those that have not refused could not make a quorum, even if all of them signed. */
function unsigned(each: Collecting, custody: Custody): SignOutcome {
  const { signatures, refusals } = each;
  const notRefusing = custody.witnesses.filter(({ account }) => !refusals.has(account));
  const possible = isQuorum(custody, [custody.platform.account, ...notRefusing.map(({ account }) => account)]);
  const nameOf = (key: string) => custody.witnesses.find(({ account }) => account === key)?.name ?? key;
  if (possible) {
    const missing = notRefusing.filter(({ account }) => !signatures.has(account)).map(({ name }) => name);
    return { kind: 'waiting', detail: `not signed by ${missing.join(', ')}`, mayDivide: mayDivide(each, custody) };
  }
  return {
    kind: 'refused',
    detail: [...refusals]
      .map(([key, { reason, detail }]) => `${nameOf(key)}: ${reason} (${detail.slice(0, MAX_DETAIL)})`)
      .join('; '),
    mayDivide: mayDivide(each, custody),
    paidBy: [...new Set([...refusals.values()].flatMap(({ transaction_hash: hash }) => hash ?? []))],
  };
}
