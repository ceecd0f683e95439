import { type Client, ECDSA, Wallet } from 'xrpl';
import { GENESIS_SEED } from 'xrpl-sandbox/index.ts';
import type { Draw } from '#tests/faults/draw.ts';
import type { Ledgers } from '#tests/faults/ledgers.ts';
import { actsOf, CURRENCY, DECIMALS, type Fields, submitBy } from '#tests/faults/payouts/acts.ts';

const CAN_TRANSFER = 0x20;
const STOCK_TOKENS = 10_000_000;

/** How the investors of a seed behave; one of each, and several plain ones. */
export const MANNERS = [
  'plain',
  'plain',
  'plain',
  'plain',
  'plain',
  /** Takes the tokens only once everything is mended. */
  'late',
  'late',
  /** Never takes tokens. */
  'never',
  /** Asks for destination tags, and so pays with source tags. */
  'exchange',
  /** The same, and sometimes forgets its own. */
  'careless exchange',
] as const;
export type Manner = (typeof MANNERS)[number];

export interface Investor {
  wallet: Wallet;
  manner: Manner;
}

/** The accounts of a seed on the ledger. */
export interface Environment {
  issuer: Wallet;
  distributor: Wallet;
  deposits: readonly [Wallet, Wallet];
  investors: readonly [Investor, ...Investor[]];
  issuanceId: string;
  /** Signs and submits by the server without faults; gives the hash. Throws unless the ledger takes it. */
  send(wallet: Wallet, fields: Fields): Promise<string>;
  /** Lets those who were late take the tokens. */
  letLateOptIn(): Promise<void>;
}

/** Throws unless the ledger takes it. */
function sender(client: Client): Environment['send'] {
  const submit = submitBy(client);
  return async (wallet, fields) => {
    const { hash, result } = await submit(wallet, fields);
    if (!/^te[sc]/.test(result)) throw new Error(`The campaign's ${fields.TransactionType} got ${result}`);
    return hash;
  };
}

/** Makes everybody there is: the issuer's tokens with the distributor, investors with and without lines. */
export async function openEnvironment(ledgers: Ledgers, draw: Draw): Promise<Environment> {
  const { client } = ledgers;
  const send = sender(client);
  const newWallet = () => Wallet.fromEntropy(draw.bytes(16), { algorithm: ECDSA.ed25519 });
  const [issuer, distributor, ...deposits] = [newWallet(), newWallet(), newWallet(), newWallet()] as [
    Wallet,
    Wallet,
    Wallet,
    Wallet,
  ];
  const investors = MANNERS.map((manner) => ({ wallet: newWallet(), manner })) as [Investor, ...Investor[]];
  const genesis = Wallet.fromSeed(GENESIS_SEED);
  for (const { address } of [issuer, distributor, ...deposits, ...investors.map(({ wallet }) => wallet)]) {
    await send(genesis, { TransactionType: 'Payment', Destination: address, Amount: '10000000000' });
  }
  ledgers.accept();
  const made = await send(issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    AssetScale: DECIMALS,
    Flags: CAN_TRANSFER,
  });
  ledgers.accept();
  const { result } = await client.request({ command: 'tx', transaction: made });
  const { mpt_issuance_id: issuanceId } = result.meta as { mpt_issuance_id: string };
  const acts = actsOf(async (wallet, fields) => void (await send(wallet, fields)), issuer, issuanceId);
  await acts.setFlag(issuer, 'defaultRipple');
  ledgers.accept();
  await acts.optIn(distributor);
  // Issued tokens can reach the first deposit account too: they are nobody's investment.
  await acts.trust(deposits[0], '100000000');
  for (const { wallet, manner } of investors) {
    if (manner !== 'late' && manner !== 'never') await acts.optIn(wallet);
    if (manner.endsWith('exchange')) await acts.setFlag(wallet, 'requireDest');
  }
  ledgers.accept();
  const stock = { TransactionType: 'Payment', Destination: distributor.address };
  const value = String(STOCK_TOKENS);
  await send(issuer, { ...stock, Amount: { currency: CURRENCY, issuer: issuer.address, value } });
  await send(issuer, {
    ...stock,
    Amount: { mpt_issuance_id: issuanceId, value: String(STOCK_TOKENS * 10 ** DECIMALS) },
  });
  // Something to pay by mistake with.
  const own = { currency: CURRENCY, issuer: issuer.address, value: '100' };
  await send(issuer, { TransactionType: 'Payment', Destination: investors[0].wallet.address, Amount: own });
  ledgers.accept();
  return {
    issuer,
    distributor,
    deposits: deposits as [Wallet, Wallet],
    investors,
    issuanceId,
    send,
    async letLateOptIn() {
      for (const { wallet, manner } of investors) if (manner === 'late') await acts.optIn(wallet);
    },
  };
}
