import { mapBounded } from '#lib/base/bounded.ts';
import { formatDrops } from '#lib/base/money.ts';
import { readAccountFacts } from '#lib/payouts/monitor/check-accounts.ts';
import { checkSigningKeys } from '#lib/xrpl/key-check.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import type { Ledger, ServerState } from '#lib/xrpl/types.ts';
import { reasonOf } from '../reason.ts';
import { SETTING_NAMES } from '../settings.ts';
import { defineCheck, type Finding, fault, ok, warning } from '../types.ts';

const check = 'signing accounts';
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
  name: check,
  needs: SETTING_NAMES,
  timeoutMs: 30_000,
  run: async ({ SIGNING_KEYS, XRPL_URLS, XRPL_NETWORK_ID }) => {
    if (SIGNING_KEYS.length === 0) {
      const advice =
        'Set SIGNING_KEYS for deposit and distributor accounts: without them nothing is launched or paid out.';
      return [warning(check, 'none', advice)];
    }
    const ledger = openLedger({ urls: XRPL_URLS, networkId: XRPL_NETWORK_ID });
    try {
      const keys = Map.groupBy(await checkSigningKeys(), ({ account }) => account);
      const server = await ledger.serverState();
      return await mapBounded([...keys], CONCURRENT, ([account, own]) => {
        const kinds = own.map(({ keyAddress }) => (keyAddress === account ? 'master key' : 'regular key'));
        return accountFinding(ledger, server, account, [...new Set(kinds)].join(' or '));
      });
    } catch (error) {
      return [warning(check, `not checked: ${reasonOf(error)}`, 'See the findings of the ledger first.')];
    } finally {
      await ledger.close();
    }
  },
});
