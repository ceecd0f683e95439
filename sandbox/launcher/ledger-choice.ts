import { Client } from 'xrpl';
import { isLoopbackUrl } from '#lib/base/env.ts';
import { SandboxFailure } from './failure.ts';

const MAIN_NETWORK_ID = 0;
const CONNECT_TIMEOUT_MS = 10_000;
const NO_ISSUANCE = '0'.repeat(48);

/** What `--ledger` and the flags beside it say. */
export type LedgerChoice = {
  urls: string[];
  /** null: whatever the servers report, but for the main network. */
  networkId: number | null;
  /** `--main-network` was given. */
  isMainNetworkMeant: boolean;
};

/** What a server says of itself. */
export type ReportedLedger = { url: string; networkId: number; hasMptHolders: boolean };

/**
 * Why the sandbox does not use these servers; null when it does. Real XRP moves on the main network, and a standalone server
 * reports the same id: 0 has to be asked for, and elsewhere than on this machine meant. Pure.
 */
export function ledgerRefusal(choice: LedgerChoice, reported: readonly ReportedLedger[]): string | null {
  const ids = [...new Set(reported.map(({ networkId }) => networkId))];
  const [id] = ids;
  if (ids.length > 1) return `The servers of --ledger are on different networks: ${ids.join(', ')}.`;
  if (id !== undefined && choice.networkId !== null && id !== choice.networkId) {
    return `The server of --ledger is on network ${id}, and --network-id says ${choice.networkId}.`;
  }
  if (id !== MAIN_NETWORK_ID) return null;
  if (choice.networkId === null) {
    return 'The server of --ledger is on network 0, the main network or a standalone server. Give --network-id 0 if that is meant.';
  }
  if (choice.isMainNetworkMeant || reported.every(({ url }) => isLoopbackUrl(url))) return null;
  return 'The server of --ledger is on the main network, where payments are real. Use a test network, or add --main-network.';
}

/**
 * Asks each server what it is.
 *
 * @throws SandboxFailure when one does not answer, or when they are not to be used
 */
export async function readChosenLedger(choice: LedgerChoice): Promise<{ networkId: number; lacksMptHolders: boolean }> {
  const reported = await Promise.all(choice.urls.map(askServer));
  const refusal = ledgerRefusal(choice, reported);
  if (refusal !== null) throw new SandboxFailure(refusal);
  return {
    networkId: reported[0]?.networkId ?? MAIN_NETWORK_ID,
    lacksMptHolders: !reported.some(({ hasMptHolders }) => hasMptHolders),
  };
}

async function askServer(url: string): Promise<ReportedLedger> {
  const client = new Client(url, { connectionTimeout: CONNECT_TIMEOUT_MS });
  // A broken connection shows where the request fails; without a listener it would be an uncaught error.
  client.on('error', () => {});
  try {
    await client.connect();
    const { result } = await client.request({ command: 'server_info' });
    // Only Clio knows the command; what it says of an issuance that is none is no matter.
    const command = { command: 'mpt_holders', mpt_issuance_id: NO_ISSUANCE };
    const hasMptHolders = await client.connection.request(command).then(
      () => true,
      (error: unknown) =>
        !/unknownCmd/.test(JSON.stringify(error instanceof Error && 'data' in error ? error.data : '')),
    );
    return { url, networkId: result.info.network_id ?? MAIN_NETWORK_ID, hasMptHolders };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SandboxFailure(`--ledger ${url} does not answer as a ledger server: ${reason}`);
  } finally {
    await client.disconnect().catch(() => {});
  }
}
