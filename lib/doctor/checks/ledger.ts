import { z } from 'zod';
import { type LedgerServer, ledgerServers } from '#lib/ledger/connection.ts';
import { readLedgerHead } from '#lib/ledger/ledger-head.ts';
import { readServerState } from '#lib/ledger/server-state.ts';
import type { ServerState } from '#lib/ledger/types.ts';
import { isLoopbackUrl } from '#lib/platform/loopback-url.ts';
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
}

async function look(server: LedgerServer): Promise<Seen> {
  const [state, info] = await Promise.all([readServerState(server), server.request({ command: 'server_info' })]);
  const { clio_version: clio, build_version: version } = build.parse(info).info;
  return { server, state, software: clio === undefined ? `xrpld ${version ?? 'of unknown version'}` : `clio ${clio}` };
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

/** Each ledger server by itself, and whether they agree. */
export const ledgerCheck = defineCheck({
  name: 'ledger',
  needs: ['XRPL_URLS', 'XRPL_NETWORK_ID'],
  timeoutMs: 20_000,
  run: async ({ XRPL_URLS, XRPL_NETWORK_ID }, world) => {
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
      return [...findings, ...(await agreement(seen))];
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
