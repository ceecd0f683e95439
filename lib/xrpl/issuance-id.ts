import { encodeAccountID } from 'ripple-address-codec';
import { z } from 'zod';

/** An MPT's id as given by a client: 192 bits in hex, its last 160 the issuer's account (docs/ledger-facts.md, 24). */
export const issuanceId = z
  .string()
  .regex(/^[0-9A-Fa-f]{48}$/, 'must be an MPT issuance id: 48 hex digits')
  .transform((text) => text.toUpperCase())
  .meta({ description: 'MPT issuance id', example: '0000012FFD9EE5DA93AC614B4DB94D7E0FCE415CA51BED47' });

const SEQUENCE_HEX_LENGTH = 8;

/** The account that issues an MPT; it stands in the id itself. */
export const issuerOfIssuance = (id: string): string =>
  encodeAccountID(Buffer.from(id.slice(SEQUENCE_HEX_LENGTH), 'hex'));
