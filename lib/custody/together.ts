import { isDeepStrictEqual } from 'node:util';
import type { CustodyLedger } from './ledger.ts';
import { combine, type MultiSigned, newKeysOf, parseTransaction } from './signatures.ts';
import type { AccountFacts, Step } from './steps.ts';

/** Signers sign one after the other, on machines of their own: about three hours, at least. */
export const SIGNERS_VALID_FOR_LEDGERS = 2_700;

/** The keys that are to sign: all for the rehearsal, else as few as make a quorum, and keys that a new list brings. Pure. */
export function signersNeeded(facts: AccountFacts, { id, transaction }: Pick<Step, 'id' | 'transaction'>): string[] {
  const { quorum, weights } = facts.list ?? { quorum: 0, weights: {} };
  const heaviestFirst = Object.entries(weights).toSorted(([, one], [, other]) => other - one);
  if (id === 'rehearsal') return heaviestFirst.map(([key]) => key);
  const needed: string[] = [];
  let sum = 0;
  for (const [key, weight] of heaviestFirst) {
    if (sum >= quorum) break;
    needed.push(key);
    sum += weight;
  }
  if (facts.list !== null && transaction !== null) needed.push(...newKeysOf(transaction, facts.list));
  return needed;
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
    { signatures: signersNeeded(facts, step).length, validForLedgers: SIGNERS_VALID_FOR_LEDGERS },
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
  const missing = step.id === 'rehearsal' ? signersNeeded(facts, step).filter((key) => !signers.includes(key)) : [];
  if (missing.length > 0) throw new Error(`Every key signs the rehearsal; ${missing.join(', ')} has not`);
  return { hash, ...(await ledger.submit(blob, hash, first.LastLedgerSequence)) };
}
