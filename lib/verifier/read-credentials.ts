import type { CredentialEntry, CredentialQuestion } from '@tranche/rules/credentials.ts';
import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import * as z from 'zod';
import { isLedgerUnavailable, isRefusal, LedgerFault, ledgerUnavailable } from './errors.ts';
import { heldThrough, type LedgerServer, readHistory } from './read-feed.ts';

const CONCURRENT_REQUESTS = 8;
const ACCEPTED = 0x0001_0000;

const answered = z.lazy(() =>
  z.object({
    node: z.object({
      LedgerEntryType: z.literal('Credential'),
      Subject: z.string(),
      Issuer: z.string(),
      CredentialType: z.string(),
      Flags: z.int(),
      Expiration: z.int().optional(),
    }),
    ledger_index: z.int(),
    validated: z.literal(true),
  }),
);

const otherLedger = () => ledgerUnavailable('The ledger server answered for another ledger');

/** A credential as a ledger left it: null when there was none, undefined when the server does not tell. */
export type ReadCredential = CredentialEntry | null | undefined;

/**
 * Credentials as one server shows them, in the order of the questions. It is asked only for ledgers that it holds validated:
 * that an entry is not found says nothing of any other. Undefined also when it is too old to know credentials. `read` takes what
 * it has told, each in its place, also when it fails later; nothing more is asked once `isLate`.
 */
export async function readCredentials(
  server: LedgerServer,
  questions: readonly CredentialQuestion[],
  { read = [], isLate = () => false }: { read?: ReadCredential[]; isLate?: () => boolean } = {},
): Promise<ReadCredential[]> {
  const history = await readHistory(server);
  for (let first = 0; first < questions.length && !isLate(); first += CONCURRENT_REQUESTS) {
    const some = questions.slice(first, first + CONCURRENT_REQUESTS);
    await Promise.all(
      some.map(async (question, index) => {
        const isHeld = heldThrough(history, question.ledgerIndex) !== null;
        read[first + index] = isHeld ? await readCredential(server, question) : undefined;
      }),
    );
  }
  return read;
}

/** What a server has told within a time. */
interface FirstCredentials {
  /** In the order of the questions. */
  read: ReadCredential[];
  /** Why it was asked no further; null when it was asked everything. */
  trouble: unknown;
}

/**
 * The same, but only those that the server tells within a time, or before it has too much to do: of the others it does not
 * tell now. What keeps it from telling credentials is no error: it may answer everything else. Throws when it cannot be reached.
 */
export async function readFirstCredentials(
  server: LedgerServer,
  questions: readonly CredentialQuestion[],
  withinMs: number,
): Promise<FirstCredentials> {
  const read: ReadCredential[] = [];
  let isLate = false;
  let trouble: unknown = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(ledgerUnavailable(`${server.url} does not tell credentials in time`));
    }, withinMs);
  });
  try {
    await Promise.race([readCredentials(server, questions, { read, isLate: () => isLate }), late]);
  } catch (error) {
    const hasMore = isLate || (error instanceof LedgerFault && !isRefusal(error));
    if (!hasMore && !isLedgerUnavailable(error)) throw error;
    // Of a server that answers for another ledger nothing is taken.
    if (!hasMore) read.length = 0;
    trouble = error;
  } finally {
    clearTimeout(timer);
  }
  // A copy: an answer that comes late is not of these.
  return { read: questions.map((_, index) => read[index]), trouble };
}

async function readCredential(
  server: LedgerServer,
  { ledgerIndex, subject, issuer, credentialType }: CredentialQuestion,
): Promise<ReadCredential> {
  const credential = { subject, issuer, credential_type: credentialType };
  const asked = server.request({ command: 'ledger_entry', credential, ledger_index: ledgerIndex });
  const answer = await asked.catch((error: unknown) => {
    if (error instanceof LedgerFault && error.code === 'entryNotFound') {
      // Clio does not say of which ledger.
      if (error.ledgerIndex !== null && error.ledgerIndex !== ledgerIndex) throw otherLedger();
      return null;
    }
    if (isRefusal(error)) return undefined;
    throw error;
  });
  if (answer === null || answer === undefined) return answer;
  const { node, ledger_index: answeredFor } = answered.parse(answer);
  if (answeredFor !== ledgerIndex) throw otherLedger();
  if (node.Subject !== subject || node.Issuer !== issuer || node.CredentialType !== credentialType) {
    throw ledgerUnavailable('The ledger server answered with another credential');
  }
  return {
    accepted: (node.Flags & ACCEPTED) !== 0,
    expiresAtMs: node.Expiration === undefined ? null : rippleSecondsToMs(node.Expiration),
  };
}
