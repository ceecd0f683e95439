import type { ProjectResource } from '#lib/sales/schemas.ts';

type Destination = Pick<ProjectResource, 'deposit_address' | 'destination_tag'>;

const MAIN_NET = 0;

/** Links name the main network or none: a wallet app then uses the network that it is set to. */
export const isMainNet = (networkId: number): boolean => networkId === MAIN_NET;

/** `amountXrp`: decimal XRP, as wire amounts are written. */
const query = ({ destination_tag }: Destination, amountXrp: string, networkId: number): string =>
  new URLSearchParams({
    ...(isMainNet(networkId) && { network: 'XRPL' }),
    dt: String(destination_tag),
    amount: amountXrp,
  }).toString();

/** The form any wallet may claim (docs.xaman.dev, "Payment request link", universal variant). */
export const paymentUri = (destination: Destination, amountXrp: string, networkId: number): string =>
  `xrpl://${destination.deposit_address}?${query(destination, amountXrp, networkId)}`;

/** The same for one widely used wallet, with a page for those who do not have it. Main net only. */
export const walletLink = (destination: Destination, amountXrp: string): string =>
  `https://xaman.app/detect/request:${destination.deposit_address}?${query(destination, amountXrp, MAIN_NET)}`;

/** A trust line to sign, as that wallet reads it: the transaction as JSON in hex. */
export const signLink = (transaction: object): string =>
  `https://xaman.app/detect/${Buffer.from(JSON.stringify(transaction)).toString('hex')}`;
