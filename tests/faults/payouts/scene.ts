import { decodeAccountID } from 'ripple-address-codec';
import { type Client, ECDSA, Wallet } from 'xrpl';
import { GENESIS_SEED } from 'xrpl-sandbox/index.ts';
import type { Draw } from '#tests/faults/draw.ts';
import type { Ledgers } from '#tests/faults/ledgers.ts';
import { actsOf, CURRENCY, DECIMALS, type Send, submitBy } from './acts.ts';
import { changesOf, drawAuthorisation, type Holder } from './changes.ts';
import { HOLDER_MANNERS } from './manners.ts';
import { endAnyEscrow, spendTicket } from './strangers.ts';
import type { World } from './worlds.ts';

const ISSUANCE = { canLock: 0x02, requireAuth: 0x04, canEscrow: 0x08, canTransfer: 0x20 };
/** Where anybody ends escrows after their time. */
const ENDED_BY_STRANGERS: ReadonlySet<World> = new Set(['strangers', 'vesting']);
/** An account must be that old before it can be deleted. */
const DELETABLE_AFTER_LEDGERS = 256;
const DELETE_FEE_DROPS = '2000000';

/** The accounts of one run on the ledger, and what they do by themselves. */
export interface Scene {
  world: World;
  client: Client;
  issuer: Wallet;
  distributor: Wallet;
  deposit: Wallet;
  issuanceId: string;
  holders: readonly [Holder, ...Holder[]];
  /** Transactions that the scene itself made: payments among them are no payouts. */
  own: ReadonlySet<string>;
  /** The ledger before the first payout. */
  startLedger: number;
  /** Lets everybody do what they do before this round. */
  changeManners(round: number): Promise<void>;
  /** In some worlds, half the time: a stranger ends what escrows of the distributor can be ended. */
  endEscrows(): Promise<void>;
  /** Gives the payers what they lacked, and lifts what stopped them. */
  topUp(): Promise<void>;
}

export async function openScene(
  servers: Ledgers,
  draw: Draw,
  /** What only some worlds draw is drawn apart: the others' draws stay as they are. */
  apart: Draw,
  { world, rounds }: { world: World; rounds: number },
): Promise<Scene> {
  const { client } = servers;
  const own = new Set<string>();
  const signed = submitBy(client);
  const submit: typeof signed = async (...given) => {
    const made = await signed(...given);
    own.add(made.hash);
    return made;
  };
  const send: Send = async (wallet, fields) => {
    const { result } = await submit(wallet, fields);
    if (result !== 'tesSUCCESS') throw new Error(`The scene's ${fields.TransactionType} got ${result}`);
  };

  const wallets = Array.from({ length: 3 + HOLDER_MANNERS.length }, () =>
    Wallet.fromEntropy(draw.bytes(16), { algorithm: ECDSA.ed25519 }),
  );
  const [issuer, distributor, deposit, ...others] = wallets as [Wallet, Wallet, Wallet, ...Wallet[]];
  const holders = others.map((wallet, index) => {
    const manner = HOLDER_MANNERS[index] ?? 'plain';
    const changesIn = draw.between(1, rounds * 2);
    return { wallet, manner, changesIn, authorisedIn: drawAuthorisation(manner, changesIn, apart, rounds) };
  }) as [Holder, ...Holder[]];
  const poor = draw.chance(0.3);

  const genesis = Wallet.fromSeed(GENESIS_SEED);
  const fund = (to: Wallet, xrp: number) =>
    send(genesis, { TransactionType: 'Payment', Destination: to.address, Amount: String(xrp * 1_000_000) });
  await fund(issuer, 10_000);
  await fund(distributor, 10_000);
  await fund(deposit, poor ? 40 : 10_000);
  for (const { wallet } of holders) await fund(wallet, 1_000);
  servers.accept();

  const token = (value: string) => ({ currency: CURRENCY, issuer: issuer.address, value });
  const { result } = await client.request({
    command: 'account_info',
    account: issuer.address,
    ledger_index: 'current',
  });
  // Authorisation can be asked for by an issuer that owns nothing yet: the flags come before the issuance.
  const flags = [
    ...(['defaultRipple', 'allowLocking'] as const),
    ...(world === 'authorisation' ? (['requireAuth'] as const) : []),
  ];
  const sequence = (result.account_data.Sequence + flags.length).toString(16).padStart(8, '0');
  const issuanceId = `${sequence}${Buffer.from(decodeAccountID(issuer.address)).toString('hex')}`.toUpperCase();
  const acts = actsOf(send, issuer, issuanceId);
  for (const flag of flags) await acts.setFlag(issuer, flag);
  await send(issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    AssetScale: DECIMALS,
    Flags:
      ISSUANCE.canTransfer +
      ISSUANCE.canEscrow +
      (world === 'locks' ? ISSUANCE.canLock : 0) +
      (world === 'authorisation' ? ISSUANCE.requireAuth : 0),
  });
  servers.accept();

  await acts.optIn(distributor);
  for (const { wallet, manner } of holders) {
    if (manner === 'tight') await acts.optIn(wallet, '0.000001');
    else if (!['late', 'never', 'deleted'].includes(manner)) await acts.optIn(wallet);
    if (manner === 'tagged') await acts.setFlag(wallet, 'requireDest');
    if (manner === 'guarded' || manner === 'preauthorised') await acts.setFlag(wallet, 'depositAuth');
    if (manner !== 'preauthorised') continue;
    for (const { address } of [issuer, distributor, deposit]) {
      await send(wallet, { TransactionType: 'DepositPreauth', Authorize: address });
    }
  }
  servers.accept();
  if (world === 'authorisation') {
    await acts.authorise(distributor);
    for (const { wallet, authorisedIn } of holders) if (authorisedIn === 0) await acts.authorise(wallet);
  }
  for (const { wallet, manner } of holders) {
    if (manner !== 'frozen') continue;
    await acts.freeze(wallet);
    if (world === 'locks') await acts.lock(wallet);
  }
  servers.accept();
  const stock = async (tokens: number) => {
    const to = { TransactionType: 'Payment', Destination: distributor.address };
    await send(issuer, { ...to, Amount: token(String(tokens)) });
    await send(issuer, { ...to, Amount: { mpt_issuance_id: issuanceId, value: String(tokens * 10 ** DECIMALS) } });
  };
  await stock(poor ? 50_000 : 10_000_000);
  servers.accept(DELETABLE_AFTER_LEDGERS);
  for (const { wallet, manner } of holders) {
    if (manner !== 'deleted') continue;
    await send(wallet, { TransactionType: 'AccountDelete', Destination: genesis.address, Fee: DELETE_FEE_DROPS });
  }
  const startLedger = servers.accept();

  const changes = changesOf(acts, holders, world, apart, rounds);
  const [{ wallet: stranger }] = holders;
  const tryTo: Send = async (...given) => void (await submit(...given));
  const endEscrows = async () => {
    if (ENDED_BY_STRANGERS.has(world) && apart.chance(0.5)) await endAnyEscrow(client, tryTo, distributor, stranger);
  };

  return {
    world,
    client,
    issuer,
    distributor,
    deposit,
    issuanceId,
    holders,
    own,
    startLedger,
    async changeManners(round) {
      await changes.before(round);
      await endEscrows();
      if (world !== 'strangers') return;
      for (const payer of [issuer, distributor, deposit]) {
        // Too late for a ticket that the open ledger has used up.
        await spendTicket(client, tryTo, payer, stranger, apart);
      }
    },
    endEscrows,
    async topUp() {
      await changes.end();
      if (!poor) return;
      await fund(deposit, 10_000);
      // Tokens cannot be given out in the ledger that lifts the freeze, if they come before it.
      servers.accept();
      await stock(10_000_000);
    },
  };
}
