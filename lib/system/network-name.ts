/** Public networks by network id, as rippled's `network_id` numbers them. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'mainnet'],
  [1, 'testnet'],
  [2, 'devnet'],
]);

/** The usual name of a network; one without a name is called by its number. */
export const networkName = (networkId: number): string => NAMES.get(networkId) ?? `network-${networkId}`;
