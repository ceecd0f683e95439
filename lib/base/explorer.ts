import { env } from './env.ts';

/** Explorers of the public networks, by network id; other networks have none of their own. */
const EXPLORERS: ReadonlyMap<number, string> = new Map([
  [0, 'https://livenet.xrpl.org'],
  [1, 'https://testnet.xrpl.org'],
  [2, 'https://devnet.xrpl.org'],
]);

/** Where the ledger explorer of this network stands, without a slash at the end; null where there is none. */
export function explorerUrl(): string | null {
  const url = env().EXPLORER_URL ?? EXPLORERS.get(env().XRPL_NETWORK_ID);
  return url === undefined ? null : url.replace(/\/+$/, '');
}

const within = (path: string): string | null => {
  const base = explorerUrl();
  return base === null ? null : `${base}${path}`;
};

/** Where it shows a transaction or an account; null where the network has no explorer. */
export const transactionUrl = (hash: string): string | null => within(`/transactions/${hash}`);
export const accountUrl = (address: string): string | null => within(`/accounts/${address}`);
