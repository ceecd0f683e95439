import { type CredentialQuestion, CredentialUnknown, credentialsAsked } from '@tranche/rules/credentials.ts';
import { reduceAll } from '@tranche/rules/reduce.ts';
import type { Effect, SaleEntry, SaleState } from '@tranche/rules/types.ts';

/** Entries that are looked through for the credentials that they depend on. */
const MOST_LOOKED_THROUGH = 512;

interface Step {
  entry: SaleEntry;
  ledgerIndex: number;
}

export interface Reduced {
  state: SaleState;
  effects: readonly Effect[];
  /** Of the last entry. */
  ledgerIndex: number;
}

/** Entries of a feed that are about to be reduced, in order: those that depend on an unknown credential stay, and all after them. */
export class Steps {
  #steps: Step[] = [];
  /** The credentials that the first of those left depend on. */
  asked: readonly CredentialQuestion[] = [];

  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  push(entry: SaleEntry, ledgerIndex: number): void {
    this.#steps.push({ entry, ledgerIndex });
  }

  /** Reduces them as far as the credentials are known; null when nothing can be. */
  reduce(state: SaleState): Reduced | null {
    try {
      const reduced = reduceSome(state, this.#steps);
      this.#steps = [];
      return reduced;
    } catch (error) {
      if (!(error instanceof CredentialUnknown)) throw error;
      const { question } = error;
      // The question is about the ledger before that of the step.
      const unknown = this.#steps.findIndex(({ ledgerIndex }) => ledgerIndex > question.ledgerIndex);
      const reduced = reduceSome(state, this.#steps.slice(0, unknown));
      this.#steps = this.#steps.slice(unknown);
      const next = this.#steps.slice(0, MOST_LOOKED_THROUGH).map(({ entry }) => entry);
      const after = reduced?.state ?? state;
      const asked = credentialsAsked(after.credentials, (credentials) => reduceAll({ ...after, credentials }, next));
      this.asked = asked.length === 0 ? [question] : asked;
      return reduced;
    }
  }
}

function reduceSome(state: SaleState, steps: readonly Step[]): Reduced | null {
  const last = steps.at(-1);
  if (last === undefined) return null;
  const entries = steps.map(({ entry }) => entry);
  return { ...reduceAll(state, entries), ledgerIndex: last.ledgerIndex };
}
