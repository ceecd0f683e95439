import type { Custody } from '@tranche/rules/custody.ts';
import { isNotNull } from 'drizzle-orm';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { ResponseCache } from '#lib/base/response-cache.ts';
import type { Ctx } from '#lib/ctx.ts';
import { readWitnessStatus, WitnessFault, witnessEntry } from '#lib/xrpl/witnesses.ts';
import type { WitnessResource } from './contracts.ts';

const MAX_AGE_MS = 5_000;
const answers = new ResponseCache<{ witnesses: WitnessResource[] }>({ maxAgeMs: MAX_AGE_MS, keeps: () => true });

/** Every witness that a custody or WITNESSES names, with what it says of itself. Never throws for a witness's sake. */
export const listWitnesses = (ctx: Ctx): Promise<{ witnesses: WitnessResource[] }> =>
  answers.get(JSON.stringify(env().WITNESSES.map(({ key, url }) => [key, url])), ctx.clock.nowMs(), async () => {
    const known = await namedWitnesses(ctx.db);
    for (const { key } of env().WITNESSES) {
      if (!known.has(key)) known.set(key, { name: null, operator: null, accounts: [] });
    }
    return { witnesses: await Promise.all([...known].map(([key, named]) => look(key, named))) };
  });

type Named = Pick<WitnessResource, 'name' | 'operator' | 'accounts'>;

/** Witnesses by their keys, as the custody of each account names them. */
async function namedWitnesses(db: Db): Promise<Map<string, Named>> {
  const ofAccounts = await db
    .select({ account: depositAccounts.address, custody: depositAccounts.custody })
    .from(depositAccounts)
    .where(isNotNull(depositAccounts.custody));
  const ofSales = await db
    .selectDistinct({ account: projects.depositAddress, custody: projects.custody })
    .from(projects)
    .where(isNotNull(projects.custody));
  const known = new Map<string, Named>();
  const all: { account: string; custody: Custody | null }[] = [...ofAccounts, ...ofSales];
  for (const { account, custody } of all) {
    for (const { account: key, name, operator } of custody?.witnesses ?? []) {
      const named = known.get(key) ?? { name, operator, accounts: [] };
      if (!named.accounts.includes(account)) named.accounts.push(account);
      known.set(key, named);
    }
  }
  return known;
}

async function look(key: string, named: Named): Promise<WitnessResource> {
  const entry = witnessEntry(key);
  const silent = (fault: string): WitnessResource => ({
    key,
    ...named,
    configured: entry !== null,
    reachable: false,
    fault,
    version: null,
    ledger_index: null,
    ledger_time: null,
    servers: [],
    halted: null,
    refusing: [],
    signed_24h: null,
    refused_24h: null,
    recent_refusals: [],
  });
  if (entry === null) return silent('WITNESSES does not say where it listens');
  try {
    const status = await readWitnessStatus(entry);
    return {
      ...silent(''),
      reachable: true,
      fault: status.key === key ? null : 'has another key than WITNESSES says',
      version: status.version,
      ledger_index: status.ledger_index,
      ledger_time: status.ledger_time,
      servers: status.servers,
      halted: status.halted,
      refusing: status.accounts.flatMap(({ account, refuses }) =>
        refuses === null ? [] : [{ account, reason: refuses.reason, detail: refuses.detail }],
      ),
      signed_24h: status.signed_24h,
      refused_24h: status.refused_24h,
      recent_refusals: status.recent_refusals,
    };
  } catch (error) {
    if (!(error instanceof WitnessFault)) throw error;
    return silent(error.message);
  }
}
