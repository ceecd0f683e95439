import { createHash } from 'node:crypto';
import type { CredentialRequirement } from '@tranche/rules/credentials.ts';
import { START_S } from './accounts.ts';

const ISSUERS = ['rCredent1a1Credent1a1Cred1', 'rCredent2a2Credent2a2Cred2'];

/** What a tier requires, if anything: one of five does, by what else was drawn of it. */
export function requirementOf(drawn: bigint): CredentialRequirement | null {
  if (drawn % 5n !== 0n) return null;
  return {
    credential_type: drawn % 2n === 0n ? '4B5943' : 'AB',
    issuers: drawn % 3n === 0n ? ISSUERS.slice(0, 1) : ISSUERS,
  };
}

const ACCEPTED = 65_536;

/** A credential as `ledger_entry` shows it, or null: given, accepted, expired and taken away every few ledgers. */
export function credentialIn(
  ledgerIndex: number,
  subject: string,
  issuer: string,
  type: string,
): { Flags: number; Expiration?: number } | null {
  const [drawn = 0, expiry = 0] = createHash('sha256')
    .update(`${subject} ${issuer} ${type} ${Math.floor(ledgerIndex / 5)}`)
    .digest();
  if (drawn < 70) return null;
  return { Flags: drawn < 90 ? 0 : ACCEPTED, ...(expiry < 100 ? { Expiration: START_S + 2 * expiry } : {}) };
}
