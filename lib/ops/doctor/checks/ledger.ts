import { z } from 'zod';
import { isLoopbackUrl } from '#lib/base/loopback-url.ts';
import { type LedgerServer, ledgerServers } from '#lib/xrpl/connection.ts';
import { LedgerFault, lacksCommand } from '#lib/xrpl/fault.ts';
import { readLedgerHead } from '#lib/xrpl/ledger-head.ts';
import { readServerState } from '#lib/xrpl/server-state.ts';
import type { ServerState } from '#lib/xrpl/types.ts';
import { reasonOf } from '../reason.ts';
import { defineCheck, type Finding, fault, ok, type World, warning } from '../types.ts';

/** A healthy network closes a ledger every few seconds. */
const STALE_SECONDS = 60;
const AHEAD_SECONDS = 15;
/** About a day: what a deployment that stood still has to read after. */
const SHALLOW_LEDGERS = 20_000;
const LAGS_BY = 20;

const build = z.object({
  info: z.object({ build_version: z.string().optional(), clio_version: z.string().optional() }),
});

interface Seen {
  server: LedgerServer;
  state: ServerState;
  software: string;
  /** Of all servers only Clio can say who holds an MPT. */
  hasMptHolders: boolean;
}

/** What the server says of an issuance that is none is no matter. */
const NO_ISSUANCE = '0'.repeat(48);

async function knowsMptHolders(server: LedgerServer): Promise<boolean> {
  try {
    await server.request({ command: 'mpt_holders', mpt_issuance_id: NO_ISSUANCE });
    return true;
  } catch (error) {
    if (!(error instanceof LedgerFault)) throw error;
    return !lacksCommand(error);
  }
}

async function look(server: LedgerServer): Promise<Seen> {
  const [state, info, hasMptHolders] = await Promise.all([
    readServerState(server),
    server.request({ command: 'server_info' }),
    knowsMptHolders(server),
  ]);
  const { clio_version: clio, build_version: version } = build.parse(info).info;
  const software = clio === undefined ? `xrpld ${version ?? 'of unknown version'}` : `clio ${clio}`;
  return { server, state, software, hasMptHolders };
}

function serverFinding({ server, state, software }: Seen, world: World): Finding {
  const check = `ledger ${new URL(server.url).host}`;
  const ageSeconds = Math.round((world.nowMs() - state.validatedAtMs) / 1000);
  // Close times are rounded, and those of a ledger that closes on demand run ahead.
  const age =
    ageSeconds < -AHEAD_SECONDS ? `closes ${-ageSeconds} s in our future` : `${Math.max(0, ageSeconds)} s old`;
  const held = state.completeLedgers.find(([from, to]) => from <= state.validatedIndex && state.validatedIndex <= to);
  const depth = held === undefined ? 0 : state.validatedIndex - held[0] + 1;
  const found = `${software}, network ${state.networkId}, ledger ${state.validatedIndex}, ${age}, ${depth} held`;
  if (ageSeconds > STALE_SECONDS) return fault(check, found, 'Put a server that is in step first in XRPL_URLS.');
  if (ageSeconds < -AHEAD_SECONDS)
    return warning(check, found, 'Set this machine’s clock: its ledgers close in our future.');
  if (held === undefined)
    return fault(check, found, 'Replace it: it does not hold the ledger that it calls validated.');
  if (depth < SHALLOW_LEDGERS && held[0] > SHALLOW_LEDGERS) {
    return warning(
      check,
      found,
      'Add a server with more history: after a day’s pause this one could not tell what happened.',
    );
  }
  return ok(check, found);
}

/** Whether all servers show the same ledger: the newest one that each of them has validated. */
async function agreement(seen: readonly Seen[]): Promise<Finding[]> {
  const check = 'ledger agreement';
  if (seen.length < 2) return [];
  const indexes = seen.map(({ state }) => state.validatedIndex);
  const common = Math.min(...indexes);
  const lag = Math.max(...indexes) - common;
  try {
    const heads = await Promise.all(seen.map(({ server }) => readLedgerHead(server, common)));
    if (new Set(heads.map(({ hash }) => hash)).size > 1) {
      const advice = 'Take the wrong one out of XRPL_URLS at once: compare with a public explorer.';
      return [fault(check, `ledger ${common} differs between the servers`, advice)];
    }
    if (lag <= LAGS_BY) return [ok(check, `${seen.length} show the same ledger ${common}`)];
    const advice = 'Replace the one that lags: nothing is confirmed beyond it.';
    return [warning(check, `one server is ${lag} ledgers behind`, advice)];
  } catch (error) {
    return [warning(check, `not checked: ${reasonOf(error)}`, 'Run the doctor again.')];
  }
}

/** Whether one of the servers can list the holders of an MPT: any place in XRPL_URLS will do. */
function mptHoldersFinding(seen: readonly Seen[], platformToken: string | undefined): Finding[] {
  const check = 'ledger mpt_holders';
  if (seen.length === 0) return [];
  const knowing = seen.filter(({ hasMptHolders }) => hasMptHolders).length;
  if (knowing > 0) return [ok(check, `${knowing} of ${seen.length} servers can list the holders of an MPT`)];
  const advice = 'Put a Clio server into XRPL_URLS, at any place: no other knows mpt_holders.';
  if (platformToken !== undefined && !platformToken.includes('.')) {
    return [fault(check, 'no server knows it, and PLATFORM_TOKEN is an MPT', advice)];
  }
  return [warning(check, 'no server knows it: the holders of an MPT could not be listed', `${advice} IOUs need none.`)];
}

/** Each ledger server by itself, whether they agree, and whether one can list the holders of an MPT. */
export const ledgerCheck = defineCheck({
  name: 'ledger',
  needs: ['XRPL_URLS', 'XRPL_NETWORK_ID', 'PLATFORM_TOKEN'],
  timeoutMs: 20_000,
  run: async ({ XRPL_URLS, XRPL_NETWORK_ID, PLATFORM_TOKEN }, world) => {
    const ports = XRPL_URLS.map((url) => ({
      url,
      servers: ledgerServers({ urls: [url], networkId: XRPL_NETWORK_ID }),
    }));
    try {
      const seen: Seen[] = [];
      const findings = await Promise.all(
        ports.map(async ({ url, servers }): Promise<Finding> => {
          try {
            const one = await servers.use(look);
            // Asked again beyond `use`, each question finds this server's connection still open.
            seen.push({
              ...one,
              server: { url, request: (command) => servers.use((server) => server.request(command)) },
            });
            return serverFinding(one, world);
          } catch (error) {
            return unusable(url, error);
          }
        }),
      );
      return [...findings, ...(await agreement(seen)), ...mptHoldersFinding(seen, PLATFORM_TOKEN)];
    } finally {
      await Promise.all(ports.map(({ servers }) => servers.close()));
    }
  },
});

function unusable(url: string, error: unknown): Finding {
  const check = `ledger ${new URL(url).host}`;
  const reason = reasonOf(error);
  if (/network \d+/.test(reason))
    return fault(check, reason, 'Correct XRPL_URLS or XRPL_NETWORK_ID: they name two networks.');
  const where = isLoopbackUrl(url) ? 'Start it, or correct XRPL_URLS.' : 'Correct XRPL_URLS, or replace this server.';
  return fault(check, reason, where);
}
