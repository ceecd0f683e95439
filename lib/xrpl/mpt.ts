import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { isFault } from './fault.ts';
import type { MptHolding, MptIssuance } from './types.ts';

const LOCKED = 0x01;
const HOLDER_AUTHORIZED = 0x02;
const ISSUANCE = {
  canLock: 0x02,
  requireAuth: 0x04,
  canEscrow: 0x08,
  canTrade: 0x10,
  canTransfer: 0x20,
  canClawback: 0x40,
} as const;
/** What the ledger takes when an issuance names no maximum (2^63 - 1). */
const DEFAULT_MAXIMUM = 9_223_372_036_854_775_807n;

const whole = z
  .string()
  .regex(/^\d+$/)
  .transform((text) => BigInt(text));
const holding = z.object({ node: z.object({ Flags: z.int(), MPTAmount: whole.optional() }) });
const issuance = z.object({
  ledger_index: z.int(),
  node: z.object({
    Issuer: z.string(),
    Flags: z.int(),
    AssetScale: z.int().default(0),
    OutstandingAmount: whole,
    MaximumAmount: whole.optional(),
    TransferFee: z.int().default(0),
    ImmutableFlags: z.int().default(0),
  }),
});

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isFault(error, 'entryNotFound')) return null;
    throw error;
  }
}

export const readMptHolding = (server: LedgerServer, holder: string, issuanceId: string): Promise<MptHolding | null> =>
  orNull(async () => {
    const { node } = holding.parse(
      await server.request({
        command: 'ledger_entry',
        mptoken: { mpt_issuance_id: issuanceId, account: holder },
        ledger_index: 'validated',
      }),
    );
    return {
      amount: node.MPTAmount ?? 0n,
      locked: (node.Flags & LOCKED) !== 0,
      authorized: (node.Flags & HOLDER_AUTHORIZED) !== 0,
    };
  });

export const readMptIssuance = (server: LedgerServer, issuanceId: string): Promise<MptIssuance | null> =>
  orNull(async () => {
    const { node, ledger_index: ledgerIndex } = issuance.parse(
      await server.request({ command: 'ledger_entry', mpt_issuance: issuanceId, ledger_index: 'validated' }),
    );
    return {
      ledgerIndex,
      issuer: node.Issuer,
      assetScale: node.AssetScale,
      outstanding: node.OutstandingAmount,
      maximum: node.MaximumAmount ?? DEFAULT_MAXIMUM,
      transferFee: node.TransferFee,
      locked: (node.Flags & LOCKED) !== 0,
      requiresAuthorization: (node.Flags & ISSUANCE.requireAuth) !== 0,
      canLock: (node.Flags & ISSUANCE.canLock) !== 0,
      canEscrow: (node.Flags & ISSUANCE.canEscrow) !== 0,
      canTrade: (node.Flags & ISSUANCE.canTrade) !== 0,
      canTransfer: (node.Flags & ISSUANCE.canTransfer) !== 0,
      canClawback: (node.Flags & ISSUANCE.canClawback) !== 0,
      immutableFlags: node.ImmutableFlags,
    };
  });
