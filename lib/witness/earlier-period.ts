import path from 'node:path';
import { decodeAction } from '@tranche/rules/action-memo.ts';
import { toFeedEntry } from '@tranche/rules/feed-entry.ts';
import type { ParsedTerms } from '@tranche/verifier/terms.ts';
import * as z from 'zod';
import type { Config } from './config.ts';
import { Credentials } from './credentials.ts';
import { Derivation, inNewestPeriods, periodOf } from './derive.ts';
import { LISTS } from './folder.ts';
import { Lists } from './lists.ts';
import { loadInputs } from './load-inputs.ts';
import { beginningOf, hostOf, openServers, readHistories, readOn, type Server } from './read-ledger.ts';

const INPUTS_WITHIN = { listsMs: 10_000, credentialsMs: 15 * 60_000 };
/** Named one by one. */
const MOST_NAMED = 5;

/**
 * Why a custody period with these terms must not begin: what of the account's approved sales was not over, paid and released
 * in the ledger after which it would. Empty where the terms are of the account's newest period. Reads the ledger, and says
 * so when it cannot: what a witness cannot tell, it does not approve.
 */
export async function unfinishedBefore(
  { terms }: Pick<ParsedTerms, 'terms'>,
  approved: readonly ParsedTerms[],
  { config, folder }: { config: Config; folder: string },
): Promise<string[]> {
  const { deposit_address: address, custody } = terms;
  const sales = inNewestPeriods(approved).filter(({ terms: own }) => own.deposit_address === address);
  const [sale] = sales;
  const begins = custody?.from_ledger ?? 0;
  if (sale === undefined || periodOf(sale) === begins) return [];
  if (periodOf(sale) > begins) {
    return [`${sale.projectId} is approved of a later custody period of ${address}, after ledger ${periodOf(sale)}`];
  }
  const named = (found: readonly string[]): string[] =>
    found.map((one) => `in ledger ${begins}, after which their custody period of ${address} begins, ${one}`);
  const servers = openServers(config.ledger, config.network_id);
  try {
    const derivation = new Derivation(sales);
    const lists = new Lists({ sources: config.lists, keptIn: config.log === 'file' ? path.join(folder, LISTS) : null });
    const credentials = new Credentials(servers);
    const reading = {
      servers,
      networkId: config.network_id,
      minServerVersion: config.min_server_version,
      derivation,
      positions: beginningOf(derivation),
      loadInputs: () => loadInputs(derivation.books.values(), { lists, credentials }, INPUTS_WITHIN),
    };
    await readHistories(reading, begins);
    const found = derivation.unfinishedOf(address);
    const launched = () => derivation.launchedOf(address);
    const before = new Set(launched());
    // What was launched since runs on under the earlier signers.
    await readOn(reading);
    found.push(...launched().flatMap((id) => (before.has(id) ? [] : [`${id} was still to be launched`])));
    const more = found.length - MOST_NAMED;
    return named([...found.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more things were open`] : [])]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return named([`what is owed of the earlier one could not be read: ${why}`]);
  } finally {
    for (const { ledger } of servers) ledger.close();
  }
}

/**
 * What this witness cannot tell of the time before these terms' custody period: earlier launches of sales that it has no
 * approval of, and ledgers that no server shows to a witness that knows nothing of the account. Empty when it can tell all.
 */
export async function unknownBefore(
  { terms, projectId }: Pick<ParsedTerms, 'terms' | 'projectId'>,
  approved: readonly ParsedTerms[],
  config: Config,
): Promise<string[]> {
  const { deposit_address: address, custody } = terms;
  const begins = custody?.from_ledger ?? 0;
  const known = approved.filter(({ terms: own }) => own.deposit_address === address);
  if (known.some((sale) => periodOf(sale) === begins && sale.projectId !== projectId)) return [];
  const servers = openServers(config.ledger, config.network_id);
  try {
    const unknown = new Set<string>();
    for (const server of servers) {
      const { launched, isWhole } = await launchedThrough(server, address, begins);
      for (const id of launched) {
        if (!known.some((sale) => sale.projectId === id)) unknown.add(`${id} was launched on ${address} before`);
      }
      if (!isWhole && known.length === 0)
        unknown.add(`${hostOf(server.url)} does not show ${address} from its beginning`);
    }
    return [...unknown];
  } catch (error) {
    return [`what ${address} did before could not be read: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    for (const { ledger } of servers) ledger.close();
  }
}

const historyPage = z.object({ marker: z.unknown().optional(), transactions: z.array(z.unknown()) });
const creation = z.object({
  meta: z.object({
    AffectedNodes: z.array(
      z.looseObject({
        CreatedNode: z
          .looseObject({ LedgerEntryType: z.string(), NewFields: z.looseObject({ Account: z.unknown() }).optional() })
          .optional(),
      }),
    ),
  }),
});
const creates = (raw: unknown, address: string): boolean =>
  creation
    .safeParse(raw)
    .data?.meta.AffectedNodes.some(
      ({ CreatedNode: node }) => node?.LedgerEntryType === 'AccountRoot' && node.NewFields?.Account === address,
    ) === true;

/** Sales launched on an account up to a ledger as a server shows it, and whether it shows the account from its beginning. */
async function launchedThrough({ ledger }: Server, account: string, through: number) {
  const launched: string[] = [];
  let isWhole: boolean | undefined;
  let marker: unknown;
  do {
    const page = historyPage.parse(
      await ledger.request({
        command: 'account_tx',
        account,
        ledger_index_min: -1,
        ledger_index_max: through,
        forward: true,
        ...(marker === undefined ? {} : { marker }),
      }),
    );
    for (const raw of page.transactions) {
      isWhole ??= creates(raw, account);
      const entry = toFeedEntry(account, raw);
      const action = entry.kind === 'self' ? decodeAction(entry) : null;
      if (action?.action === 'launch') launched.push(action.projectId);
    }
    marker = page.marker;
  } while (marker !== undefined);
  return { launched, isWhole: isWhole === true };
}

/** Whether the ledger shows an approved sale launched; null when it cannot be read. */
export async function isLaunched({ terms, projectId }: ParsedTerms, config: Config): Promise<boolean | null> {
  const servers = openServers(config.ledger, config.network_id);
  try {
    for (const server of servers) {
      const { launched } = await launchedThrough(server, terms.deposit_address, -1);
      if (launched.includes(projectId)) return true;
    }
    return false;
  } catch {
    return null;
  } finally {
    for (const { ledger } of servers) ledger.close();
  }
}
