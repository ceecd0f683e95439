import {
  type CredentialEntry,
  type CredentialQuestion,
  credentialKey,
  credentialsAsked,
} from '@tranche/rules/credentials.ts';
import type { SaleState } from '@tranche/rules/types.ts';
import { reduceSteps, type SaleStep } from './reduce-steps.ts';
import type { LedgerSource } from './types.ts';

/** Asked for at once. */
const ASKED_AT_ONCE = 256;

interface WithCredentials {
  /** With all that `steps` depend on. */
  state: SaleState;
  /** The steps that can be decided: whole ledgers. */
  steps: readonly SaleStep[];
  /** The first credential that a decision depends on and the ledger source does not tell; null when it told all. */
  unknown: CredentialQuestion | null;
}

/**
 * Reads the credentials that the steps depend on from the ledger (docs/verification.md, section 3). What depends on one that
 * the source does not tell is left out, with all that follows.
 */
export async function putCredentials(
  ledger: Pick<LedgerSource, 'credentials'>,
  given: SaleState,
  steps: readonly SaleStep[],
  closedAtMs: number | null,
): Promise<WithCredentials> {
  // Else all is reduced once only to learn that nothing is asked.
  const asksNothing = [...given.projects.values()].every(({ tiers }) =>
    tiers.every((tier) => tier.credential === null),
  );
  if (asksNothing) return { state: given, steps, unknown: null };
  const found = new Map<string, CredentialEntry | null>();
  const untold = new Set<string>();
  const state = { ...given, credentials: found };
  for (;;) {
    const asked = credentialsAsked(found, (credentials) => reduceSteps({ ...state, credentials }, steps, closedAtMs));
    const [first] = asked;
    if (first === undefined) return { state, steps, unknown: null };
    if (ledger.credentials === undefined || untold.has(credentialKey(first))) {
      // The question is about the ledger before that of the entry.
      const known = steps.filter(({ entry }) => entry.ledgerIndex <= first.ledgerIndex);
      return { state, steps: known, unknown: first };
    }
    const questions = asked.filter((question) => !untold.has(credentialKey(question))).slice(0, ASKED_AT_ONCE);
    const read = await ledger.credentials(questions);
    for (const [index, question] of questions.entries()) {
      const entry = read[index];
      if (entry !== undefined) found.set(credentialKey(question), entry);
    }
    // What stands behind it may only not have been told in time.
    const [next] = questions;
    if (next !== undefined && !found.has(credentialKey(next))) untold.add(credentialKey(next));
  }
}
