import {
  type CredentialEntry,
  type CredentialQuestion,
  type CredentialsRead,
  credentialKey,
  questionsOf,
} from '@tranche/rules/credentials.ts';
import type { ReadCredential } from '@tranche/verifier/read-credentials.ts';
import type { ParsedTerms } from '@tranche/verifier/terms.ts';
import type { Refusal } from './protocol.ts';
import { askAll, hostOf, type Server, ViewFault } from './read-ledger.ts';

/** Asked for at once. */
const ASKED_AT_ONCE = 128;
/** What was not told is asked for again after this. */
const AGAIN_AFTER_MS = 2_000;

/** Nothing is wrong: the next reading brings more of them. */
export const BEING_READ: Refusal = {
  reason: 'catching_up',
  detail: 'The credentials that payments depend on are being read',
};

/**
 * Credentials as every one of the witness's own servers shows them alike: a fact of a validated ledger, which never changes.
 * Nobody else is asked. What one server does not tell, or tells otherwise, is not known, and nothing that depends on it is
 * signed (docs/custody.md).
 */
export class Credentials implements CredentialsRead {
  readonly #servers: readonly Server[];
  readonly #found = new Map<string, CredentialEntry | null>();
  #reading: Promise<void> | null = null;
  #failed: { key: string; refused: Refusal; atMs: number } | null = null;

  constructor(servers: readonly Server[]) {
    this.#servers = servers;
  }

  get(key: string): CredentialEntry | null | undefined {
    return this.#found.get(key);
  }

  /**
   * Reads what is asked for, the first of it first. Null as soon as some of it is known that was not; else why nothing is by
   * now. A reading goes on after `waitMs`: the next call finds what it has brought.
   */
  async read(questions: readonly CredentialQuestion[], waitMs: number): Promise<Refusal | null> {
    const untilMs = performance.now() + waitMs;
    const [first] = questions;
    if (first === undefined) return null;
    for (;;) {
      if (questions.some((question) => this.#found.has(credentialKey(question)))) return null;
      const failed = this.#failed;
      const isFresh = failed !== null && failed.atMs > performance.now() - AGAIN_AFTER_MS;
      if (isFresh && failed.key === credentialKey(first)) return failed.refused;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return BEING_READ;
      this.#reading ??= this.#readSome(questions.slice(0, ASKED_AT_ONCE)).finally(() => {
        this.#reading = null;
      });
      await within(leftMs, this.#reading);
    }
  }

  async #readSome(questions: readonly CredentialQuestion[]): Promise<void> {
    const [first] = questions;
    const fail = (refused: Refusal): void => {
      if (first !== undefined) this.#failed = { key: credentialKey(first), refused, atMs: performance.now() };
    };
    try {
      const answers = await askAll(this.#servers, async ({ url, ledger }) => {
        if (ledger.credentials === undefined) throw new Error('it reads no credentials');
        return { host: hostOf(url), read: await ledger.credentials(questions) };
      });
      for (const [index, question] of questions.entries()) {
        const agreed = agreedOn(
          question,
          answers.map(({ host, read }) => ({ host, entry: read[index] })),
        );
        if ('refused' in agreed) {
          if (question === first) fail(agreed.refused);
        } else this.#found.set(credentialKey(question), agreed.entry);
      }
    } catch (error) {
      const reason = error instanceof ViewFault ? error.reason : 'catching_up';
      fail({ reason, detail: error instanceof Error ? error.message : String(error) });
    }
  }
}

/** What all servers say alike of a credential. */
function agreedOn(
  { subject, ledgerIndex }: CredentialQuestion,
  answers: readonly { host: string; entry: ReadCredential }[],
): { entry: CredentialEntry | null } | { refused: Refusal } {
  const what = `which credentials ${subject} held in ledger ${ledgerIndex}`;
  const silent = answers.find(({ entry }) => entry === undefined);
  const entry = answers[0]?.entry;
  if (silent !== undefined || entry === undefined) {
    return { refused: { reason: 'inputs_missing', detail: `${silent?.host ?? 'No server'} does not tell ${what}` } };
  }
  const differs = answers.some(
    ({ entry: other }) => other?.accepted !== entry?.accepted || other?.expiresAtMs !== entry?.expiresAtMs,
  );
  return differs ? { refused: { reason: 'servers_disagree', detail: `The servers differ in ${what}` } } : { entry };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Every server that works holds the ledger so far back. */
const SETTLED_LEDGERS = 3;
const TOLD_WITHIN_MS = 20_000;

/** Why the servers do not tell what payments of a sale would depend on: then nothing of it could be signed. Empty when they tell. */
export async function untoldCredentials(
  { terms }: Pick<ParsedTerms, 'terms'>,
  servers: readonly Server[],
): Promise<string[]> {
  const required = terms.tiers.flatMap(({ credential }) => credential ?? []);
  if (required.length === 0) return [];
  try {
    const heads = await askAll(servers, ({ ledger }) => ledger.serverState());
    const ledgerIndex = Math.min(...heads.map(({ validatedIndex }) => validatedIndex)) - SETTLED_LEDGERS;
    const credentials = new Credentials(servers);
    const asked = required.flatMap((each) => questionsOf(each, { ledgerIndex, subject: terms.deposit_address }));
    const refused: string[] = [];
    for (const question of asked) {
      const untold = await credentials.read([question], TOLD_WITHIN_MS);
      if (untold !== null) refused.push(`a tier requires a credential that cannot be read: ${untold.detail}`);
    }
    return [...new Set(refused)];
  } catch (error) {
    return [
      `the credentials that a tier requires cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    ];
  }
}
