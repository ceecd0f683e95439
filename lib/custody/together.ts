import { isDeepStrictEqual } from 'node:util';
import type { CustodyLedger } from './ledger.ts';
import { combine, type MultiSigned, newKeysOf, parseTransaction } from './signatures.ts';
import type { AccountFacts, Step } from './steps.ts';

/** Signers sign one after the other, on machines of their own: about three hours, at least. */
const SIGNERS_VALID_FOR_LEDGERS = 2_700;

/** Whose signatures a step needs. */
export interface Signers {
  /** Some of these keys of the list, the heaviest first, whose weights make the quorum together. */
  some: string[];
  /** Every one of these: for the rehearsal those of the list, else the keys that a new list brings. */
  all: string[];
}

/** Pure. */
export function signersOf({ list }: AccountFacts, { id, transaction }: Pick<Step, 'id' | 'transaction'>): Signers {
  const keys = Object.entries(list?.weights ?? {})
    .toSorted(([, one], [, other]) => other - one)
    .map(([key]) => key);
  if (id === 'rehearsal') return { some: [], all: keys };
  return { some: keys, all: list === null || transaction === null ? [] : newKeysOf(transaction, list) };
}

/** As few of the keys at hand as are enough; null when they are not. Pure. */
export function enoughOf({ list }: AccountFacts, { some, all }: Signers, atHand: readonly string[]): string[] | null {
  const chosen: string[] = [];
  let left = some.length === 0 ? 0 : (list?.quorum ?? Number.POSITIVE_INFINITY);
  for (const key of some) {
    if (left <= 0 || !atHand.includes(key)) continue;
    chosen.push(key);
    left -= list?.weights[key] ?? 0;
  }
  return left <= 0 && all.every((key) => atHand.includes(key)) ? [...chosen, ...all] : null;
}

/**
 * What the signers of an account sign for a step, each on a machine of their own. Asked for again within three hours it is
 * the same transaction, so that signatures of both go together. Throws for a step without a transaction.
 */
export async function transactionForSigners(
  ledger: CustodyLedger,
  facts: AccountFacts,
  step: Step,
): Promise<MultiSigned> {
  if (step.transaction === null) throw new Error('Nothing is signed for this step');
  const soonest = (await ledger.validatedIndex()) + SIGNERS_VALID_FOR_LEDGERS;
  const LastLedgerSequence = Math.ceil(soonest / SIGNERS_VALID_FOR_LEDGERS) * SIGNERS_VALID_FOR_LEDGERS;
  const filled = await ledger.complete(
    { ...step.transaction, LastLedgerSequence },
    { signatures: Object.keys(facts.list?.weights ?? {}).length, validForLedgers: SIGNERS_VALID_FOR_LEDGERS },
  );
  return parseTransaction(JSON.stringify({ ...filled, SigningPubKey: '' }));
}

/** What a transaction does, without what completes it. */
const deedOf = ({
  Fee: _,
  Sequence: _s,
  LastLedgerSequence: _l,
  NetworkID: _n,
  SigningPubKey: _k,
  Signers: _g,
  Flags: _f,
  ...deed
}: Record<string, unknown>) => deed;

/** Signed transactions that were pasted one after the other. Throws what is wrong, in words. */
export function parseSigned(text: string): MultiSigned[] {
  const parts = text.split(/(?<=\})\s*(?=\{\s*"[A-Z])/).filter((part) => part.trim() !== '');
  if (parts.length === 0) throw new Error('Paste what each signer has signed');
  return parts.map((part, index) => {
    try {
      return parseTransaction(part);
    } catch (error) {
      throw new Error(`Signed transaction ${index + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

/**
 * Puts the signers' signatures for a step together and sends them; resolves once a ledger has validated it. Throws, with
 * nothing sent, when they are of something else than this step, too few, not valid, or expired.
 */
export async function sendTogether(
  ledger: CustodyLedger,
  facts: AccountFacts,
  step: Step,
  parts: readonly MultiSigned[],
): Promise<{ hash: string; ledgerIndex: number }> {
  const [first] = parts;
  if (facts.list === null || step.transaction === null || first === undefined) {
    throw new Error('Nothing is signed for this step');
  }
  const isOfStep =
    Number(first.Flags ?? 0) === 0 && isDeepStrictEqual(deedOf({ ...first }), deedOf({ ...step.transaction }));
  if (!isOfStep) throw new Error('This is not the transaction of this step: nothing was sent');
  if (first.Sequence !== (await ledger.nextSequence(facts.address))) {
    throw new Error('The account has sent something since: take the transaction above, and sign again');
  }
  const { blob, hash, signers } = await combine(parts, facts.list, await ledger.baseFeeDrops());
  const missing = step.id === 'rehearsal' ? signersOf(facts, step).all.filter((key) => !signers.includes(key)) : [];
  if (missing.length > 0) throw new Error(`Every key signs the rehearsal; ${missing.join(', ')} has not`);
  return { hash, ...(await ledger.submit(blob, hash, first.LastLedgerSequence)) };
}
