import { z } from 'zod';
import { ADDRESS_PATTERN, accountAddress } from './address.ts';
import { CURRENCY_FORM, currencyCode } from './currency.ts';
import { issuanceId } from './issuance-id.ts';

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
