import type { CredentialEntry, CredentialQuestion } from '@tranche/rules/credentials.ts';
import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import * as z from 'zod';
import { isRefusal, LedgerFault, ledgerUnavailable } from './errors.ts';
import { heldThrough, type LedgerServer, readHistory } from './read-feed.ts';

const CONCURRENT_REQUESTS = 8;
const ACCEPTED = 0x0001_0000;

const answered = z.object({
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
});

/** A credential as a ledger left it: null when there was none, undefined when the server does not tell. */
export type ReadCredential = CredentialEntry | null | undefined;

/**
 * Credentials as one server shows them, in the order of the questions. It is asked only for ledgers that it holds validated:
 * that an entry is not found says nothing of any other. Undefined also when it is too old to know credentials. `read` takes what
 * it has told, also when it fails later.
 */
export async function readCredentials(
  server: LedgerServer,
  questions: readonly CredentialQuestion[],
  read: ReadCredential[] = [],
): Promise<ReadCredential[]> {
  const history = await readHistory(server);
  for (let first = 0; first < questions.length; first += CONCURRENT_REQUESTS) {
    const some = questions.slice(first, first + CONCURRENT_REQUESTS);
    const answers = await Promise.all(
      some.map((question) =>
        heldThrough(history, question.ledgerIndex) === null ? undefined : readCredential(server, question),
      ),
    );
    read.push(...answers);
  }
  return read;
}

/** The same, but the first of them only, once the server has too much to do: of the others it does not tell now. */
export async function readFirstCredentials(
  server: LedgerServer,
  questions: readonly CredentialQuestion[],
): Promise<ReadCredential[]> {
  const read: ReadCredential[] = [];
  try {
    await readCredentials(server, questions, read);
  } catch (error) {
    if (read.length === 0 || !(error instanceof LedgerFault) || isRefusal(error)) throw error;
  }
  return questions.map((_, index) => read[index]);
}

async function readCredential(
  server: LedgerServer,
  { ledgerIndex, subject, issuer, credentialType }: CredentialQuestion,
): Promise<ReadCredential> {
  const credential = { subject, issuer, credential_type: credentialType };
  const asked = server.request({ command: 'ledger_entry', credential, ledger_index: ledgerIndex });
  const answer = await asked.catch((error: unknown) => {
    if (error instanceof LedgerFault && error.code === 'entryNotFound') return null;
    if (isRefusal(error)) return undefined;
    throw error;
  });
  if (answer === null || answer === undefined) return answer;
  const { node, ledger_index: answeredFor } = answered.parse(answer);
  if (answeredFor !== ledgerIndex) throw ledgerUnavailable('The ledger server answered for another ledger');
  if (node.Subject !== subject || node.Issuer !== issuer || node.CredentialType !== credentialType) {
    throw ledgerUnavailable('The ledger server answered with another credential');
  }
  return {
    accepted: (node.Flags & ACCEPTED) !== 0,
    expiresAtMs: node.Expiration === undefined ? null : rippleSecondsToMs(node.Expiration),
  };
}
