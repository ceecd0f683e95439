import * as z from 'zod';
import { textOfHex } from './wire.ts';

/** As many as a permissioned domain may accept. */
export const MAX_CREDENTIAL_ISSUERS = 10;

/**
 * A credential (XLS-70) of one type from any of some issuers, as the terms hold it: a tier that requires it sells to its
 * holders alone.
 */
export const credentialSchema = z.lazy(() =>
  z.strictObject({
    /** As the ledger has it: 1 to 64 bytes. */
    credential_type: z.string().regex(/^(?:[0-9A-F]{2}){1,64}$/),
    /** Sorted, each once. */
    issuers: z
      .array(z.string().regex(/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/))
      .min(1)
      .max(MAX_CREDENTIAL_ISSUERS),
  }),
);
export type CredentialRequirement = z.output<typeof credentialSchema>;

/** A credential's type as people write it, `KYC`; null for what is no plain text. */
export function credentialTypeText(typeHex: string): string | null {
  const text = textOfHex(typeHex);
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text) ? text : null;
}

/** What a validated ledger holds of a credential. */
export interface CredentialEntry {
  /** Its subject has accepted it (lsfAccepted). */
  readonly accepted: boolean;
  /** The last moment at which it is valid; null when it does not expire. */
  readonly expiresAtMs: number | null;
}

/** Whether the ledger `ledgerIndex`, as it closed, holds this credential. */
export interface CredentialQuestion {
  readonly ledgerIndex: number;
  readonly subject: string;
  readonly issuer: string;
  readonly credentialType: string;
}

/** Credentials by the key of their question; null where the ledger holds none. */
export type CredentialsRead = Pick<ReadonlyMap<string, CredentialEntry | null>, 'get'> & {
  /** What is put in place of one that was not read, to see what would be asked for; without it nothing is decided then. */
  readonly presume?: (key: string) => CredentialEntry | null;
};

export const credentialKey = ({ ledgerIndex, subject, issuer, credentialType }: CredentialQuestion): string =>
  [ledgerIndex, subject, issuer, credentialType].join(' ');

/** The question that a key is of. */
export function credentialQuestion(key: string): CredentialQuestion {
  const [ledgerIndex, subject = '', issuer = '', credentialType = ''] = key.split(' ');
  return { ledgerIndex: Number(ledgerIndex), subject, issuer, credentialType };
}

export const CREDENTIAL_STATUSES = ['valid', 'none', 'not_accepted', 'expired'] as const;
export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

/** What a credential is worth at a time (docs/verification.md, section 3). */
export function credentialStatus(entry: CredentialEntry | null, atMs: number): CredentialStatus {
  if (entry === null) return 'none';
  if (entry.expiresAtMs !== null && atMs > entry.expiresAtMs) return 'expired';
  return entry.accepted ? 'valid' : 'not_accepted';
}

/** A decision depends on a credential that was not read: nothing is decided in its place. */
export class CredentialUnknown extends Error {
  readonly question: CredentialQuestion;

  constructor(question: CredentialQuestion) {
    super(`It is not known which credentials ${question.subject} held in ledger ${question.ledgerIndex}`);
    this.name = 'CredentialUnknown';
    this.question = question;
  }
}

/** The questions that a requirement asks about one wallet in one ledger. */
export const questionsOf = (
  { credential_type: credentialType, issuers }: CredentialRequirement,
  asked: Pick<CredentialQuestion, 'ledgerIndex' | 'subject'>,
): CredentialQuestion[] => issuers.map((issuer) => ({ ...asked, issuer, credentialType }));

/**
 * Whether a wallet holds what is required: a valid credential from any of the issuers. Where one that was read admits, the
 * others do not matter.
 *
 * @throws CredentialUnknown when that depends on one that was not read
 */
export function holdsCredential(
  required: CredentialRequirement,
  asked: Pick<CredentialQuestion, 'ledgerIndex' | 'subject'>,
  { read, atMs }: { read: CredentialsRead | undefined; atMs: number },
): boolean {
  const unknown: CredentialQuestion[] = [];
  for (const question of questionsOf(required, asked)) {
    const entry = read?.get(credentialKey(question));
    if (entry === undefined) unknown.push(question);
    else if (credentialStatus(entry, atMs) === 'valid') return true;
  }
  const [first] = unknown;
  if (first === undefined) return false;
  const presume = read?.presume;
  if (presume === undefined) throw new CredentialUnknown(first);
  const presumed = unknown.map((question) => presume(credentialKey(question)));
  return presumed.some((entry) => credentialStatus(entry, atMs) === 'valid');
}

const PRESUMED: CredentialEntry = { accepted: true, expiresAtMs: null };

/**
 * What is still to be read before `reduce` can decide, the first that it depends on first. It is run twice, once with
 * every unknown credential missing and once with every one held, so that few further questions follow from the answers:
 * what sells out, and to whom, changes which tier the next payment reaches.
 */
export function credentialsAsked(
  read: CredentialsRead | undefined,
  reduce: (read: CredentialsRead) => unknown,
): CredentialQuestion[] {
  const asked = new Set<string>();
  const presuming = (presumed: CredentialEntry | null): CredentialsRead => ({
    get: (key) => read?.get(key),
    presume(key) {
      asked.add(key);
      return presumed;
    },
  });
  reduce(presuming(null));
  if (asked.size > 0) reduce(presuming(PRESUMED));
  return [...asked].map(credentialQuestion).sort((a, b) => a.ledgerIndex - b.ledgerIndex);
}
