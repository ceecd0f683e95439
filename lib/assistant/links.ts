import { env } from '#lib/base/env.ts';
import { accountUrl, transactionUrl } from '#lib/base/explorer.ts';
import type { Source } from './answerer.ts';

/** A page of this deployment by its path. */
export const ownUrl = (path: string): string => new URL(path, env().BASE_URL).href;

export const ownSource = (title: string, path: string): Source => ({ title, url: ownUrl(path) });

/** The page of a sale. */
export const saleSource = ({ name, slug }: { name: string; slug: string }): Source =>
  ownSource(`${name}: the sale`, `/sales/${encodeURIComponent(slug)}`);

/** A transaction in the explorer; nothing where there is none. */
export function transactionSources(hash: string | null): Source[] {
  const url = hash === null ? null : transactionUrl(hash);
  return url === null || hash === null ? [] : [{ title: `Transaction ${hash.slice(0, 8)}… on the ledger`, url }];
}

/** An account in the explorer; nothing where there is none. */
export function accountSources(title: string, address: string): Source[] {
  const url = accountUrl(address);
  return url === null ? [] : [{ title, url }];
}
