const NAMES: Readonly<Record<number, string>> = {
  0: 'the XRP Ledger’s main network',
  1: 'the XRP Ledger Testnet',
  2: 'the XRP Ledger Devnet',
};

/** A network by its id (`network_id` of a server), as a sentence names it. */
export const networkName = (networkId: number): string => NAMES[networkId] ?? `a test network (id ${networkId})`;
