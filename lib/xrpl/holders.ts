import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import { isOddAnswer, LedgerFault, lacksCommand } from '@tranche/verifier/errors.ts';
import { z } from 'zod';
import { PlatformError } from '#lib/base/errors.ts';
import type { LedgerServer, LedgerServers } from './connection.ts';
import { isFault, ledgerUnavailable } from './fault.ts';
import { readHolderPage } from './holder-page.ts';
import type { LedgerToken } from './token-name.ts';
import type { HolderPage, HolderReading, OpenedHolders } from './types.ts';

const newest = z.object({
  ledger_index: z.int(),
  ledger_hash: z.string(),
  validated: z.literal(true),
  ledger: z.object({ close_time: z.int() }),
});
const issuance = z.object({ node: z.object({ AssetScale: z.int().default(0) }) });

/** The reading begins where a server gives its first page: one that lacks the command for MPTs cannot begin it. */
export async function openHolders(servers: LedgerServers, token: LedgerToken): Promise<OpenedHolders> {
  try {
    return await servers.use((server) => open(server, token));
  } catch (error) {
    const { cause } = error instanceof PlatformError ? error : {};
    if (!(cause instanceof AggregateError) || !cause.errors.every(lacksCommand)) throw error;
    throw new PlatformError(
      'service_unavailable',
      'mpt_holders is unsupported by the server: configure a Clio server in XRPL_URLS to read who holds an MPT.',
      { cause: error },
    );
  }
}

async function open(server: LedgerServer, token: LedgerToken): Promise<OpenedHolders> {
  const head = newest.parse(await server.request({ command: 'ledger', ledger_index: 'validated' }));
  const { ledger_index: ledgerIndex, ledger_hash: hash, ledger } = head;
  try {
    const assetScale = token.kind === 'iou' ? 0 : await assetScaleOf(server, token.issuanceId, ledgerIndex);
    const first = await readHolderPage(server, token, { ledgerIndex, assetScale }, undefined);
    const closedAtMs = rippleSecondsToMs(ledger.close_time);
    return { server: server.url, ledgerIndex, hash, closedAtMs, assetScale, first };
  } catch (error) {
    if (!isFault(error, 'actNotFound', 'entryNotFound', 'objectNotFound')) throw error;
    const missing = token.kind === 'iou' ? `The issuer ${token.issuer}` : `The issuance ${token.issuanceId}`;
    throw new PlatformError('not_found', `${missing} is not in ledger ${ledgerIndex}.`, { cause: error });
  }
}

async function assetScaleOf(server: LedgerServer, issuanceId: string, ledgerIndex: number): Promise<number> {
  const entry = await server.request({ command: 'ledger_entry', mpt_issuance: issuanceId, ledger_index: ledgerIndex });
  return issuance.parse(entry).node.AssetScale;
}

/**
 * Whatever the server says against its own marker means that it knows it no more, or the ledger; only when it has too much
 * to do is the place still good.
 */
export async function nextHolderPage(
  servers: LedgerServers,
  token: LedgerToken,
  reading: HolderReading,
  marker: unknown,
): Promise<HolderPage | null> {
  try {
    return await servers.at(reading.server, (server) => readHolderPage(server, token, reading, marker));
  } catch (error) {
    if (isFault(error, 'slowDown', 'tooBusy')) throw ledgerUnavailable('The ledger server has too much to do', error);
    if (isOddAnswer(error) || error instanceof LedgerFault) return null;
    throw error;
  }
}
