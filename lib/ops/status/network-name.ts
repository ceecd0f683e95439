/** Networks by network id: the public ones as rippled's `network_id` numbers them, and the sandbox's own. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'mainnet'],
  [1, 'testnet'],
  [2, 'devnet'],
  [1000, 'sandbox'],
]);

/** The usual name of a network; one without a name is called by its number. */
export const networkName = (networkId: number): string => NAMES.get(networkId) ?? `network-${networkId}`;
