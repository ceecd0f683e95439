import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { isFault } from './fault.ts';
import type { TrustLine } from './types.ts';

const FLAG = {
  lowAuth: 0x0004_0000,
  highAuth: 0x0008_0000,
  lowFreeze: 0x0040_0000,
  highFreeze: 0x0080_0000,
  lowDeepFreeze: 0x0200_0000,
  highDeepFreeze: 0x0400_0000,
} as const;

const limit = z.object({ issuer: z.string(), value: z.string() });
const rippleState = z.object({
  node: z.object({
    Balance: z.object({ value: z.string() }),
    Flags: z.int(),
    LowLimit: limit,
    HighLimit: limit,
  }),
});

/** The same balance seen from the other side of a line. */
export const negated = (value: string): string =>
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

/** The holder's line in the newest validated ledger, by its own key: one request whatever the issuer's size; null when there is none. */
export async function readTrustLine(
  server: LedgerServer,
  holder: string,
  issuer: string,
  currency: string,
): Promise<TrustLine | null> {
  try {
    const entry = await server.request({
      command: 'ledger_entry',
      ripple_state: { accounts: [holder, issuer], currency },
      ledger_index: 'validated',
    });
    return toTrustLine(holder, entry);
  } catch (error) {
    if (isFault(error, 'entryNotFound')) return null;
    throw error;
  }
}
