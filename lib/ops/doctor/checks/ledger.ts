import { LedgerFault, lacksCommand } from '@tranche/verifier/errors.ts';
import { z } from 'zod';
import { mapBounded } from '#lib/base/bounded.ts';
import { envSchema, isLoopbackUrl } from '#lib/base/env.ts';
import { formatDrops } from '#lib/base/money.ts';
import { CAUSES } from '#lib/ops/status/causes.ts';
import { compareServers } from '#lib/ops/status/get-status.ts';
import { BEHIND_LEDGERS, STALE_LEDGER_SECONDS } from '#lib/ops/status/judge.ts';
import { readAccountFacts } from '#lib/payouts/monitor/check-accounts.ts';
import { type LedgerServer, ledgerServers } from '#lib/xrpl/connection.ts';
import { checkSigningKeys } from '#lib/xrpl/keys.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { readServerState } from '#lib/xrpl/server-state.ts';
import type { Ledger, ServerState } from '#lib/xrpl/types.ts';
import { defineCheck, type Finding, fault, ok, reasonOf, type World, warning } from '../finding.ts';

const AHEAD_SECONDS = 15;
/** About a day: what a deployment that stood still has to read after. */
const SHALLOW_LEDGERS = 20_000;

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
  if (ageSeconds > STALE_LEDGER_SECONDS) return fault(check, found, 'Put a server that is in step first in XRPL_URLS.');
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

/** Whether all servers show the same chain, and how far one is behind, as the status compares them. */
async function agreement(ledgers: readonly Ledger[]): Promise<Finding[]> {
  const check = 'ledger agreement';
  if (ledgers.length < 2) return [];
  const servers = (await compareServers(ledgers)).filter(({ status }) => status === 'up');
  const common = Math.min(...servers.map(({ validated_index: index }) => index ?? 0));
  const lag = Math.max(...servers.map(({ behind }) => behind ?? 0));
  if (servers.some(({ agrees }) => agrees === false)) {
    const { remedy } = CAUSES.ledger_servers_disagree;
    return [fault(check, `ledger ${common} differs between the servers`, remedy)];
  }
  if (servers.length < ledgers.length || servers.some(({ agrees }) => agrees === null)) {
    return [warning(check, `not checked: a server did not show ledger ${common} in time`, 'Run the doctor again.')];
  }
  if (lag <= BEHIND_LEDGERS) return [ok(check, `${servers.length} show the same ledger ${common}`)];
  const advice = 'Replace the one that lags: nothing is confirmed beyond it.';
  return [warning(check, `one server is ${lag} ledgers behind`, advice)];
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
  run: async ({ XRPL_URLS, XRPL_NETWORK_ID: networkId, PLATFORM_TOKEN }, world) => {
    const seen: Seen[] = [];
    const findings = await Promise.all(
      XRPL_URLS.map(async (url): Promise<Finding> => {
        const servers = ledgerServers({ urls: [url], networkId });
        try {
          const one = await servers.use(look);
          seen.push(one);
          return serverFinding(one, world);
        } catch (error) {
          return unusable(url, error);
        } finally {
          await servers.close();
        }
      }),
    );
    const ledgers = seen.map(({ server }) => openLedger({ urls: [server.url], networkId }));
    try {
      return [...findings, ...(await agreement(ledgers)), ...mptHoldersFinding(seen, PLATFORM_TOKEN)];
    } finally {
      await Promise.all(ledgers.map((ledger) => ledger.close()));
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

const ACCOUNTS = 'signing accounts';
const CONCURRENT = 4;
/** Room for fees, and for the reserve of a few tickets. */
const LITTLE_DROPS = 5_000_000n;

async function accountFinding(
  ledger: Ledger,
  server: ServerState,
  address: string,
  keyKinds: string,
): Promise<Finding> {
  const name = `signing account ${address}`;
  const { state, tickets, keyFault } = await readAccountFacts(ledger, address);
  if (keyFault !== null) return fault(name, keyFault.code, keyFault.message);
  if (state === null) {
    return fault(name, 'does not exist on the ledger', `Send it at least ${formatDrops(server.reserveBaseDrops)} XRP.`);
  }
  const reserve = server.reserveBaseDrops + server.reserveIncrementDrops * BigInt(state.ownerCount);
  const above = state.balanceDrops - reserve;
  if (above < 0n) {
    const advice = `Send it at least ${formatDrops(-above)} XRP: below its reserve it can pay nothing.`;
    return fault(name, `${formatDrops(-above)} XRP below its reserve`, advice);
  }
  const found = `signs with its ${keyKinds}, ${formatDrops(above)} XRP above its reserve, ${tickets} tickets`;
  return above < LITTLE_DROPS
    ? warning(name, found, 'Send it some XRP: fees and tickets come from there.')
    : ok(name, found);
}

/**
 * Every account of SIGNING_KEYS: its keys derive, it exists, they sign for it, it has its reserve. The keys are those of
 * the settings in force, since one module alone may read them: and in force they are when all of them are valid.
 */
export const accountsCheck = defineCheck({
  name: ACCOUNTS,
  needs: envSchema().keyof().options,
  timeoutMs: 30_000,
  run: async ({ SIGNING_KEYS, XRPL_URLS, XRPL_NETWORK_ID }) => {
    if (SIGNING_KEYS.length === 0) {
      const advice =
        'Set SIGNING_KEYS for deposit and distributor accounts: without them nothing is launched or paid out.';
      return [warning(ACCOUNTS, 'none', advice)];
    }
    const ledger = openLedger({ urls: XRPL_URLS, networkId: XRPL_NETWORK_ID });
    try {
      const keys = Map.groupBy(await checkSigningKeys(), ({ account }) => account);
      const server = await ledger.serverState();
      return await mapBounded([...keys], CONCURRENT, async ([account, own]) => {
        const listed = new Set((await ledger.account(account))?.signerList?.signers.map((signer) => signer.account));
        const kinds = own.map(({ keyAddress }) => {
          if (keyAddress === account) return 'master key';
          return listed.has(keyAddress ?? '') ? 'key of its signer list' : 'regular key';
        });
        return accountFinding(ledger, server, account, [...new Set(kinds)].join(' or '));
      });
    } catch (error) {
      return [warning(ACCOUNTS, `not checked: ${reasonOf(error)}`, 'See the findings of the ledger first.')];
    } finally {
      await ledger.close();
    }
  },
});
