import type { TokenUnits } from '@tranche/rules/amounts.ts';
import { type ExactDecimal, parseExact } from '@tranche/rules/exact-decimal.ts';
import type { AccountLinesRequest } from 'xrpl';
import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { isFault, ledgerUnavailable, orNull } from './fault.ts';
import type { IssuedLines, TrustLine } from './types.ts';

const FLAG = {
  lowAuth: 0x0004_0000,
  highAuth: 0x0008_0000,
  lowFreeze: 0x0040_0000,
  highFreeze: 0x0080_0000,
  lowDeepFreeze: 0x0200_0000,
  highDeepFreeze: 0x0400_0000,
} as const;

const limit = () => z.object({ issuer: z.string(), value: z.string() });
const rippleState = z.lazy(() =>
  z.object({
    node: z.object({
      Balance: z.object({ value: z.string() }),
      Flags: z.int(),
      LowLimit: limit(),
      HighLimit: limit(),
    }),
  }),
);

/** The same balance seen from the other side of a line. */
const negated = (value: string): string =>
  value.startsWith('-') ? value.slice(1) : /^0(\.0*)?$/.test(value) ? '0' : `-${value}`;

/**
 * Reads a RippleState entry from the holder's side. The entry itself is two-sided: its balance is the low account's,
 * and each flag belongs to the side that set it.
 */
export function toTrustLine(holder: string, entry: unknown): TrustLine {
  const { node } = rippleState.parse(entry);
  const holderIsLow = node.LowLimit.issuer === holder;
  const byIssuer = holderIsLow
    ? { auth: FLAG.highAuth, freeze: FLAG.highFreeze | FLAG.highDeepFreeze }
    : { auth: FLAG.lowAuth, freeze: FLAG.lowFreeze | FLAG.lowDeepFreeze };
  return {
    balance: holderIsLow ? node.Balance.value : negated(node.Balance.value),
    limit: holderIsLow ? node.LowLimit.value : node.HighLimit.value,
    authorized: (node.Flags & byIssuer.auth) !== 0,
    frozen: (node.Flags & byIssuer.freeze) !== 0,
  };
}

/** The holder's line in the newest validated ledger, by its own key: one request for an issuer of any size; null when there is none. */
export async function readTrustLine(
  server: LedgerServer,
  holder: string,
  issuer: string,
  currency: string,
  ledgerIndex: number | 'validated' = 'validated',
): Promise<TrustLine | null> {
  const line = { accounts: [holder, issuer], currency };
  const asked = server.request({ command: 'ledger_entry', ripple_state: line, ledger_index: ledgerIndex });
  const entry = await orNull(asked, 'entryNotFound');
  return entry === null ? null : toTrustLine(holder, entry);
}

/** The most that a server gives in one page to anybody. */
export const LINES_A_PAGE = 400;

const issuerSide = () =>
  z.object({
    account: z.string(),
    balance: z.string(),
    currency: z.string(),
    limit_peer: z.string(),
    authorized: z.boolean().default(false),
    freeze: z.boolean().default(false),
    deep_freeze: z.boolean().default(false),
  });
const linePage = z.lazy(() =>
  z.object({
    ledger_index: z.int(),
    validated: z.literal(true),
    marker: z.unknown().optional(),
    lines: z.array(issuerSide()),
  }),
);

/** A holder's side of a line that its issuer lists. */
const holderSide = (line: z.output<ReturnType<typeof issuerSide>>): TrustLine => ({
  balance: negated(line.balance),
  limit: line.limit_peer,
  authorized: line.authorized,
  frozen: line.freeze || line.deep_freeze,
});

/** Currency codes of three characters tell cases apart; those in hex do not. */
export const sameCurrency = (a: string, b: string): boolean =>
  a === b || (a.length === 40 && a.toUpperCase() === b.toUpperCase());

/**
 * Every holder's line of one currency, read from the issuer's side in one newest validated ledger: up to `maxPages`
 * pages of the issuer's lines, whatever their currency. `complete` is false when there were more.
 */
export async function readIssuedLines(
  server: LedgerServer,
  issuer: string,
  currency: string,
  maxPages: number,
): Promise<IssuedLines> {
  const lines = new Map<string, TrustLine>();
  let ledgerIndex: AccountLinesRequest['ledger_index'] = 'validated';
  let marker: unknown;
  try {
    for (let page = 0; page < maxPages; page++) {
      const answer = linePage.parse(
        await server.request({
          command: 'account_lines',
          account: issuer,
          ledger_index: ledgerIndex,
          limit: LINES_A_PAGE,
          ...(marker === undefined ? {} : { marker }),
        }),
      );
      for (const line of answer.lines) {
        if (sameCurrency(line.currency, currency)) lines.set(line.account, holderSide(line));
      }
      // Every page must be of the same ledger (docs/ledger-facts.md, 7).
      ledgerIndex = answer.ledger_index;
      marker = answer.marker;
      if (marker === undefined) return { lines, complete: true };
    }
  } catch (error) {
    if (isFault(error, 'actNotFound')) return { lines, complete: true };
    throw error;
  }
  return { lines, complete: false };
}

const ownLinePage = z.lazy(() =>
  z.object({
    ledger_index: z.int(),
    marker: z.unknown().optional(),
    lines: z.array(z.object({ account: z.string(), balance: z.string(), currency: z.string(), limit: z.string() })),
  }),
);
const MAX_OWN_PAGES = 25;

/**
 * The lines by which an account holds, or is ready to hold, tokens of others in the newest validated ledger: lines that
 * others open to it are theirs. None when it does not exist.
 */
export async function readHeldTokens(
  server: LedgerServer,
  address: string,
): Promise<{ currency: string; issuer: string }[]> {
  const held: { currency: string; issuer: string }[] = [];
  let ledgerIndex: AccountLinesRequest['ledger_index'] = 'validated';
  let marker: unknown;
  for (let page = 0; page < MAX_OWN_PAGES; page++) {
    const asked = server.request({
      command: 'account_lines',
      account: address,
      ledger_index: ledgerIndex,
      limit: LINES_A_PAGE,
      ...(marker === undefined ? {} : { marker }),
    });
    const answer = await orNull(asked, 'actNotFound');
    if (answer === null) return [];
    const parsed = ownLinePage.parse(answer);
    for (const { account, balance, currency, limit: own } of parsed.lines) {
      const isHeld = parseExact(own).mantissa > 0n || parseExact(balance).mantissa > 0n;
      if (isHeld) held.push({ currency, issuer: account });
    }
    ({ marker, ledger_index: ledgerIndex } = parsed);
    if (marker === undefined) return held;
  }
  throw ledgerUnavailable('The account has more trust lines than can be read');
}

/** `value × 10^scale`; exact because the caller's scale covers every digit. */
const scaleTo = (value: ExactDecimal, scale: number): bigint => value.mantissa * 10n ** BigInt(value.exponent + scale);

/** True when `units` more fit under the line's limit (docs/ledger-facts.md, 21), compared to the last digit. */
export function hasRoom(line: Pick<TrustLine, 'balance' | 'limit'>, units: TokenUnits, decimals: number): boolean {
  const balance = parseExact(line.balance);
  const limit = parseExact(line.limit);
  const scale = Math.max(decimals, -balance.exponent, -limit.exponent);
  const amount = scaleTo({ mantissa: units, exponent: -decimals }, scale);
  return scaleTo(limit, scale) - scaleTo(balance, scale) >= amount;
}
