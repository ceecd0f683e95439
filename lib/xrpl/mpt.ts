import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { orNull } from './fault.ts';
import type { MptHolding, MptIssuance, OwnIssuance } from './types.ts';

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

const whole = () =>
  z
    .string()
    .regex(/^\d+$/)
    .transform((text) => BigInt(text));
const holding = z.lazy(() => z.object({ node: z.object({ Flags: z.int(), MPTAmount: whole().optional() }) }));
const issuance = z.lazy(() =>
  z.object({
    ledger_index: z.int(),
    node: z.object({
      Issuer: z.string(),
      Flags: z.int(),
      AssetScale: z.int().default(0),
      OutstandingAmount: whole(),
      MaximumAmount: whole().optional(),
      TransferFee: z.int().default(0),
      ImmutableFlags: z.int().default(0),
    }),
  }),
);

export async function readMptHolding(
  server: LedgerServer,
  holder: string,
  issuanceId: string,
  ledgerIndex: number | 'validated' = 'validated',
): Promise<MptHolding | null> {
  const mptoken = { mpt_issuance_id: issuanceId, account: holder };
  const asked = server.request({ command: 'ledger_entry', mptoken, ledger_index: ledgerIndex });
  const answer = await orNull(asked, 'entryNotFound');
  if (answer === null) return null;
  const { node } = holding.parse(answer);
  return {
    amount: node.MPTAmount ?? 0n,
    locked: (node.Flags & LOCKED) !== 0,
    authorized: (node.Flags & HOLDER_AUTHORIZED) !== 0,
  };
}

export async function readMptIssuance(server: LedgerServer, issuanceId: string): Promise<MptIssuance | null> {
  const asked = server.request({ command: 'ledger_entry', mpt_issuance: issuanceId, ledger_index: 'validated' });
  const answer = await orNull(asked, 'entryNotFound');
  if (answer === null) return null;
  const { node, ledger_index: ledgerIndex } = issuance.parse(answer);
  const has = (flag: number): boolean => (node.Flags & flag) !== 0;
  return {
    ledgerIndex,
    issuer: node.Issuer,
    assetScale: node.AssetScale,
    outstanding: node.OutstandingAmount,
    maximum: node.MaximumAmount ?? DEFAULT_MAXIMUM,
    transferFee: node.TransferFee,
    locked: has(LOCKED),
    requiresAuthorization: has(ISSUANCE.requireAuth),
    canLock: has(ISSUANCE.canLock),
    canEscrow: has(ISSUANCE.canEscrow),
    canTrade: has(ISSUANCE.canTrade),
    canTransfer: has(ISSUANCE.canTransfer),
    canClawback: has(ISSUANCE.canClawback),
    immutableFlags: node.ImmutableFlags,
  };
}

const OBJECTS_A_PAGE = 400;
const issuances = z.lazy(() =>
  z.object({
    account_objects: z.array(
      z.object({
        mpt_issuance_id: z.string(),
        Sequence: z.int(),
        AssetScale: z.int().default(0),
        OutstandingAmount: whole(),
        MaximumAmount: whole().optional(),
      }),
    ),
  }),
);

export async function readMptIssuancesOf(server: LedgerServer, issuer: string): Promise<OwnIssuance[]> {
  const asked = server.request({
    command: 'account_objects',
    account: issuer,
    type: 'mpt_issuance',
    ledger_index: 'validated',
    limit: OBJECTS_A_PAGE,
  });
  const answer = await orNull(asked, 'actNotFound');
  if (answer === null) return [];
  return issuances
    .parse(answer)
    .account_objects.toSorted((a, b) => b.Sequence - a.Sequence)
    .map((entry) => ({
      issuanceId: entry.mpt_issuance_id,
      assetScale: entry.AssetScale,
      outstanding: entry.OutstandingAmount,
      maximum: entry.MaximumAmount ?? DEFAULT_MAXIMUM,
    }));
}
