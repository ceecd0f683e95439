import path from 'node:path';
import type { ParsedTerms } from '@tranche/verifier/terms.ts';
import { Derivation, inNewestPeriods, periodOf } from './derive.ts';
import { LISTS } from './folder.ts';
import { Lists, loadLists } from './lists.ts';
import { beginningOf, openServers, readHistories, readOn } from './read-ledger.ts';
import type { Config } from './witness.ts';

const LISTS_WITHIN_MS = 10_000;
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
    const reading = {
      servers,
      networkId: config.network_id,
      minServerVersion: config.min_server_version,
      derivation,
      positions: beginningOf(derivation),
      loadLists: () => loadLists(derivation.books.values(), lists, LISTS_WITHIN_MS),
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
