import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OfferCreate, Payment, SubmittableTransaction, Wallet } from 'xrpl';
import { offerIndex, permissionedDomainIndex } from '../keylets.ts';
import { fundedWallets, pay, type Rig, send, settle, startRig } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const CredentialType = '4B5943';
const PARTIAL = 0x00020000;
const HYBRID = 0x00100000;

/** An issuer, the owner of a domain and three members of it, who hold 100 USD each. */
type Market = Record<'issuer' | 'owner' | 'alice' | 'bob' | 'carol', Wallet> & { readonly DomainID: string };

async function admit(owner: Wallet, member: Wallet): Promise<void> {
  const credential = { Subject: member.address, CredentialType };
  await settle(rig, owner, { TransactionType: 'CredentialCreate', Account: owner.address, ...credential });
  const accept = { Issuer: owner.address, CredentialType };
  await settle(rig, member, { TransactionType: 'CredentialAccept', Account: member.address, ...accept });
}

async function dismiss(owner: Wallet, member: Wallet): Promise<void> {
  const credential = { Subject: member.address, CredentialType };
  await settle(rig, owner, { TransactionType: 'CredentialDelete', Account: owner.address, ...credential });
}

async function openDomain(owner: Wallet): Promise<string> {
  const { filled } = await settle(rig, owner, {
    TransactionType: 'PermissionedDomainSet',
    Account: owner.address,
    AcceptedCredentials: [{ Credential: { Issuer: owner.address, CredentialType } }],
  });
  return permissionedDomainIndex(owner.address, filled.Sequence ?? 0);
}

async function openMarket(currencies: readonly string[] = ['USD']): Promise<Market> {
  const [issuer, owner, alice, bob, carol] = (await fundedWallets(rig, 5, 10_000)) as [
    Wallet,
    Wallet,
    Wallet,
    Wallet,
    Wallet,
  ];
  await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 8 });
  const DomainID = await openDomain(owner);
  for (const member of [alice, bob, carol]) {
    await admit(owner, member);
    for (const currency of currencies) {
      const limit = { currency, issuer: issuer.address, value: '1000' };
      await settle(rig, member, { TransactionType: 'TrustSet', Account: member.address, LimitAmount: limit });
      await settle(rig, issuer, pay(issuer.address, member.address, { ...limit, value: '100' }));
    }
  }
  return { issuer, owner, alice, bob, carol, DomainID };
}

const money = ({ issuer }: Market, value: string, currency = 'USD') => ({ currency, issuer: issuer.address, value });
const xrp = (amount: number): string => String(amount * 1_000_000);

/** Makes an offer and answers its key. */
async function offer(wallet: Wallet, sides: Pick<OfferCreate, 'TakerGets' | 'TakerPays'>, more: object = {}) {
  const made = { TransactionType: 'OfferCreate', Account: wallet.address, ...sides, ...more } as OfferCreate;
  const { filled, meta } = await settle(rig, wallet, made);
  return { index: offerIndex(wallet.address, filled.Sequence ?? 0), result: meta.TransactionResult };
}

async function rests({ index }: { index: string }): Promise<boolean> {
  const request = { command: 'ledger_entry', index, ledger_index: 'validated' } as const;
  return rig.client.request(request).then(
    () => true,
    () => false,
  );
}

/** The final result of a transaction, or that of its submission when it is refused. */
async function outcome(wallet: Wallet, transaction: SubmittableTransaction): Promise<string> {
  const { result, hash } = await send(rig, wallet, transaction);
  rig.ledger.accept();
  if (!/^te[sc]/.test(result)) return result;
  const { meta } = (await rig.client.request({ command: 'tx', transaction: hash })).result;
  return typeof meta === 'object' ? meta.TransactionResult : result;
}

/** Alice pays carol USD with XRP over the order book of that currency. */
function buying(market: Market, value: string, most: number, more: Partial<Payment> = {}): Payment {
  const { alice, carol, issuer } = market;
  const path = [{ currency: 'USD', issuer: issuer.address }];
  return pay(alice.address, carol.address, money(market, value), { SendMax: xrp(most), Paths: [path], ...more });
}

test('a payment in a domain takes no offer from outside it or from another domain', async () => {
  const market = await openMarket();
  const { alice, bob, DomainID } = market;
  const [stranger] = await fundedWallets(rig, 1);
  const other = await openDomain(stranger!);
  await admit(stranger!, bob);
  const sides = { TakerGets: money(market, '10'), TakerPays: xrp(10) };
  const outside = await offer(bob, sides);
  const elsewhere = await offer(bob, sides, { DomainID: other });
  const payment = buying(market, '10', 10, { DomainID });
  expect(await outcome(alice, payment)).toBe('tecPATH_PARTIAL');
  const inside = await offer(bob, sides, { DomainID });
  expect(await outcome(alice, payment)).toBe('tesSUCCESS');
  expect([await rests(outside), await rests(elsewhere), await rests(inside)]).toEqual([true, true, false]);
});

test('a payment in a domain passes two of its books, and one of hybrid offers', async () => {
  const market = await openMarket(['USD', 'EUR']);
  const { alice, bob, carol, issuer, DomainID } = market;
  const path = ['USD', 'EUR'].map((currency) => ({ currency, issuer: issuer.address }));
  const payment = pay(alice.address, carol.address, money(market, '5', 'EUR'), {
    SendMax: xrp(5),
    Paths: [path],
    DomainID,
  });
  const first = await offer(bob, { TakerGets: money(market, '10'), TakerPays: xrp(10) }, { DomainID });
  const second = { TakerGets: money(market, '10', 'EUR'), TakerPays: money(market, '10') };
  const outside = await offer(bob, second);
  expect(await outcome(alice, payment)).toBe('tecPATH_PARTIAL');
  const hybrid = await offer(bob, second, { DomainID, Flags: HYBRID });
  expect(await outcome(alice, payment)).toBe('tesSUCCESS');
  expect(await outcome(alice, payment)).toBe('tesSUCCESS');
  expect([await rests(first), await rests(outside), await rests(hybrid)]).toEqual([false, true, false]);
});

test('a hybrid offer is taken from inside and outside, and from nowhere once its owner is no member', async () => {
  const market = await openMarket();
  const { alice, bob, owner, DomainID } = market;
  const sides = { TakerGets: money(market, '50'), TakerPays: xrp(50) };
  const hybrid = await offer(bob, sides, { DomainID, Flags: HYBRID });
  expect(await outcome(alice, buying(market, '5', 5, { DomainID }))).toBe('tesSUCCESS');
  expect(await outcome(alice, buying(market, '5', 5))).toBe('tesSUCCESS');
  await dismiss(owner, bob);
  expect(await outcome(alice, buying(market, '5', 5, { DomainID }))).toBe('tecPATH_PARTIAL');
  expect(await outcome(alice, buying(market, '5', 5))).toBe('tecPATH_PARTIAL');
  expect(await rests(hybrid)).toBe(true);
  const open = await offer(bob, { TakerGets: money(market, '10'), TakerPays: xrp(10) });
  expect(await outcome(alice, buying(market, '5', 5))).toBe('tesSUCCESS');
  expect([await rests(hybrid), await rests(open)]).toEqual([false, true]);
});

test('offers in a domain are bridged by XRP there', async () => {
  const market = await openMarket(['USD', 'EUR']);
  const { alice, bob, carol, DomainID } = market;
  const offers = [
    await offer(alice, { TakerGets: money(market, '1'), TakerPays: xrp(100) }, { DomainID }),
    await offer(bob, { TakerGets: xrp(100), TakerPays: money(market, '1', 'EUR') }, { DomainID }),
    await offer(carol, { TakerGets: money(market, '1', 'EUR'), TakerPays: money(market, '1') }, { DomainID }),
  ];
  expect(await Promise.all(offers.map(rests))).toEqual([false, false, false]);
});

test('the owner of a domain trades in it without a credential; issuers and those whom money ripples through need none', async () => {
  const market = await openMarket();
  const { owner, alice, bob, carol, DomainID } = market;
  await offer(bob, { TakerGets: money(market, '10'), TakerPays: xrp(10) }, { DomainID });
  const toAlice = pay(owner.address, alice.address, money(market, '1'), { SendMax: xrp(1), DomainID });
  expect(await outcome(owner, toAlice)).toBe('tesSUCCESS');

  const eur = (issuer: Wallet, value: string) => ({ currency: 'EUR', issuer: issuer.address, value });
  for (const [holder, issuer] of [
    [bob, alice],
    [carol, bob],
  ] as const) {
    await settle(rig, holder, {
      TransactionType: 'TrustSet',
      Account: holder.address,
      LimitAmount: eur(issuer, '100'),
    });
  }
  await dismiss(owner, bob);
  // Bob lets money pass from one line to the other: he has no NoRipple on either.
  for (const [peer, flag] of [
    [alice, 0x00040000],
    [carol, 0x00040000],
  ] as const) {
    const LimitAmount = eur(peer, peer === alice ? '100' : '0');
    await settle(rig, bob, { TransactionType: 'TrustSet', Account: bob.address, LimitAmount, Flags: flag });
  }
  const through = pay(alice.address, carol.address, eur(bob, '10'), { Paths: [[{ account: bob.address }]], DomainID });
  expect(await outcome(alice, through)).toBe('tesSUCCESS');
});

test('a partial payment in a domain delivers what its members offer', async () => {
  const market = await openMarket();
  const { alice, bob, DomainID } = market;
  await offer(bob, { TakerGets: money(market, '3'), TakerPays: xrp(3) }, { DomainID });
  await offer(bob, { TakerGets: money(market, '30'), TakerPays: xrp(30) });
  const { meta } = await settle(rig, alice, buying(market, '10', 10, { DomainID, Flags: PARTIAL }));
  expect(meta).toMatchObject({ TransactionResult: 'tesSUCCESS', delivered_amount: money(market, '3') });
});
