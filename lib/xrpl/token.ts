import { encodeAccountID } from 'ripple-address-codec';
import { z } from 'zod';
import { ADDRESS_PATTERN, accountAddress } from './address.ts';

const HEX_LENGTH = 40;

/** The text that a 160-bit code spells; wallets show it in the code's place. */
const textOf = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1').replaceAll('\0', '').trim();

/** Published in the document: no look-ahead, which some tools lack. */
const CURRENCY_FORM = /^(?:[A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}|(?:[1-9A-Fa-f][0-9A-Fa-f]|0[1-9A-Fa-f])[0-9A-Fa-f]{38})$/;

/** Three characters or 160-bit hex not starting 00, never XRP, nor what reads like it (docs/ledger-facts.md, 23). */
export const currencyCode = z
  .string()
  .regex(CURRENCY_FORM, 'must be 3 characters, or 40 hex digits that do not begin with 00')
  .refine((code) => (code.length === HEX_LENGTH ? textOf(code) : code).toUpperCase() !== 'XRP', 'must not be XRP')
  .transform((code) => (code.length === HEX_LENGTH ? code.toUpperCase() : code))
  .meta({ description: 'Currency code of the token', example: 'DMO' });

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

/** A token of the ledger: an issued currency, or an MPT by its issuance. */
export type LedgerToken = { kind: 'iou'; currency: string; issuer: string } | { kind: 'mpt'; issuanceId: string };

const inner = (pattern: string): string => pattern.slice('^'.length, -'$'.length);
const TOKEN_PATTERN = `^(?:${inner(CURRENCY_FORM.source)}\\.${inner(ADDRESS_PATTERN)}|[0-9A-Fa-f]{48})$`;

const issuedCurrency = z.object({ currency: currencyCode, issuer: accountAddress });

function parse(text: string): LedgerToken | null {
  const dot = text.lastIndexOf('.');
  if (dot === -1) {
    const id = issuanceId.safeParse(text);
    return id.success ? { kind: 'mpt', issuanceId: id.data } : null;
  }
  const issued = issuedCurrency.safeParse({ currency: text.slice(0, dot), issuer: text.slice(dot + 1) });
  return issued.success ? { kind: 'iou', ...issued.data } : null;
}

/** The name of a token, one for each: `<currency>.<issuer>`, or the issuance id; hex in capitals. */
export const tokenName = (token: LedgerToken): string =>
  token.kind === 'iou' ? `${token.currency}.${token.issuer}` : token.issuanceId;

/** A token given by its name. */
export const namedToken = z
  .string()
  .max(160)
  .transform((text, ctx) => {
    const token = parse(text);
    if (token !== null) return token;
    ctx.issues.push({
      code: 'custom',
      input: text,
      message: 'must be <currency>.<issuer>, or an MPT issuance id of 48 hex digits',
    });
    return z.NEVER;
  })
  .meta({
    description: 'A token: `<currency>.<issuer>`, or an MPT issuance id',
    example: 'DMO.rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    pattern: TOKEN_PATTERN,
  });
