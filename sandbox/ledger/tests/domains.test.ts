import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OfferCreate, TransactionMetadata, Wallet } from 'xrpl';
import { fundedWallets, pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const TYPE = '4B5943';

function created(meta: TransactionMetadata, type: string): string {
  const nodes = meta.AffectedNodes.flatMap((node) => ('CreatedNode' in node ? [node.CreatedNode] : []));
  return nodes.find(({ LedgerEntryType: each }) => each === type)?.LedgerIndex ?? '';
}

/** A domain of the owner, who issues the credential it accepts; answers its ID. */
async function openDomain(owner: Wallet): Promise<string> {
  const { meta } = await settle(rig, owner, {
    TransactionType: 'PermissionedDomainSet',
    Account: owner.address,
    AcceptedCredentials: [{ Credential: { Issuer: owner.address, CredentialType: TYPE } }],
  });
  return created(meta, 'PermissionedDomain');
}

async function admit(owner: Wallet, member: Wallet, Expiration?: number): Promise<void> {
  await settle(rig, owner, {
    TransactionType: 'CredentialCreate',
    Account: owner.address,
    Subject: member.address,
    CredentialType: TYPE,
    ...(Expiration === undefined ? {} : { Expiration }),
  });
  await settle(rig, member, {
    TransactionType: 'CredentialAccept',
    Account: member.address,
    Issuer: owner.address,
    CredentialType: TYPE,
  });
}

/** The final result of a transaction whose submission may be refused. */
async function outcome(...[wallet, transaction]: [Wallet, Parameters<typeof send>[2]]): Promise<string> {
  const { result } = await send(rig, wallet, transaction);
  rig.ledger.accept();
  return result;
}

test('a domain is changed and deleted by its owner only, and is made by a ticket too', async () => {
  const [owner, other] = await threeWallets(rig);
  const DomainID = await openDomain(owner);
  const AcceptedCredentials = [{ Credential: { Issuer: other.address, CredentialType: TYPE } }];
  const change = { TransactionType: 'PermissionedDomainSet', AcceptedCredentials, DomainID } as const;
  const remove = { TransactionType: 'PermissionedDomainDelete', DomainID } as const;
  expect(await outcome(other, { ...change, Account: other.address })).toBe('tecNO_PERMISSION');
  expect(await outcome(other, { ...remove, Account: other.address })).toBe('tecNO_PERMISSION');
  expect(await outcome(owner, { ...change, Account: owner.address })).toBe('tesSUCCESS');
  expect(await outcome(owner, { ...remove, Account: owner.address })).toBe('tesSUCCESS');
  expect(await outcome(owner, { ...remove, Account: owner.address })).toBe('tecNO_ENTRY');

  const { filled } = await settle(rig, owner, {
    TransactionType: 'TicketCreate',
    Account: owner.address,
    TicketCount: 1,
  });
  const ticket = (filled.Sequence ?? 0) + 1;
  await settle(rig, owner, {
    TransactionType: 'PermissionedDomainSet',
    Account: owner.address,
    AcceptedCredentials,
    Sequence: 0,
    TicketSequence: ticket,
  });
  const { account_objects: objects } = (
    await rig.client.request({ command: 'account_objects', account: owner.address, type: 'permissioned_domain' })
  ).result;
  expect(objects).toMatchObject([{ Owner: owner.address, Sequence: ticket, AcceptedCredentials }]);
});

test('who is no member of a domain neither offers nor pays nor is paid in it', async () => {
  const [owner, member, stranger] = await threeWallets(rig);
  const DomainID = await openDomain(owner);
  await admit(owner, member);
  const TakerPays = { currency: 'USD', issuer: owner.address, value: '1' };
  const offer = { TransactionType: 'OfferCreate', TakerGets: '1000000', TakerPays, DomainID } as const;
  expect(await outcome(stranger, { ...offer, Account: stranger.address })).toBe('tecNO_PERMISSION');
  expect(await outcome(stranger, { ...offer, Account: stranger.address, DomainID: 'AB'.repeat(32) })).toBe(
    'tecNO_PERMISSION',
  );
  const inDomain = (from: Wallet, to: Wallet) => pay(from.address, to.address, '1000000', { DomainID });
  expect(await outcome(stranger, inDomain(stranger, member))).toBe('tecNO_PERMISSION');
  expect(await outcome(member, inDomain(member, stranger))).toBe('tecNO_PERMISSION');
  expect(await outcome(member, inDomain(member, owner))).toBe('tesSUCCESS');
});

test('a token of a domain is for its members, until their credential expires', async () => {
  const [issuer, member, stranger] = await threeWallets(rig);
  const DomainID = await openDomain(issuer);
  const { ledger } = (await rig.client.request({ command: 'ledger', ledger_index: 'validated' })).result;
  await admit(issuer, member, ledger.close_time + 20);
  const { meta } = await settle(rig, issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    Account: issuer.address,
    Flags: 0x24,
    DomainID,
  });
  const { mpt_issuance_id: id = '' } = meta as { mpt_issuance_id?: string };
  for (const holder of [member, stranger]) {
    await settle(rig, holder, {
      TransactionType: 'MPTokenAuthorize',
      Account: holder.address,
      MPTokenIssuanceID: id,
    });
  }
  const issue = (to: Wallet) => pay(issuer.address, to.address, { mpt_issuance_id: id, value: '5' });
  expect(await outcome(issuer, issue(member))).toBe('tesSUCCESS');
  expect(await outcome(issuer, issue(stranger))).toBe('tecNO_AUTH');
  for (let i = 0; i < 25; i++) rig.ledger.accept();
  expect(await outcome(issuer, issue(member))).toBe('tecNO_AUTH');
});

/** An issuer whose currency every holder trusts and has 100 of. */
async function issueTo(issuer: Wallet, holders: readonly Wallet[]): Promise<void> {
  await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 8 });
  const usd = (value: string) => ({ currency: 'USD', issuer: issuer.address, value });
  for (const holder of holders) {
    await settle(rig, holder, { TransactionType: 'TrustSet', Account: holder.address, LimitAmount: usd('1000') });
    await settle(rig, issuer, pay(issuer.address, holder.address, usd('100')));
  }
}

const HYBRID = 0x00100000;

test('offers in a domain and outside do not meet, but for hybrid ones, which meet both', async () => {
  const [owner, seller, stranger] = await threeWallets(rig);
  const [buyer] = await fundedWallets(rig, 1);
  const DomainID = await openDomain(owner);
  for (const member of [seller, buyer!]) await admit(owner, member);
  await issueTo(owner, [seller, buyer!, stranger]);
  const usd = (value: string) => ({ currency: 'USD', issuer: owner.address, value });
  const sell = (wallet: Wallet, xrp: number, value: string, more: object): OfferCreate => ({
    TransactionType: 'OfferCreate',
    Account: wallet.address,
    TakerGets: usd(value),
    TakerPays: String(xrp * 1_000_000),
    ...more,
  });
  const buy = (wallet: Wallet, xrp: number, value: string, more: object): OfferCreate => ({
    TransactionType: 'OfferCreate',
    Account: wallet.address,
    TakerGets: String(xrp * 1_000_000),
    TakerPays: usd(value),
    ...more,
  });
  const restingOf = async ({ address }: Wallet) =>
    (await rig.client.request({ command: 'account_offers', account: address })).result.offers?.length;

  await settle(rig, seller, sell(seller, 10, '10', { DomainID }));
  await settle(rig, stranger, buy(stranger, 10, '10', {}));
  expect([await restingOf(seller), await restingOf(stranger)]).toEqual([1, 1]);
  await settle(rig, buyer!, buy(buyer!, 10, '10', { DomainID }));
  expect([await restingOf(seller), await restingOf(buyer!)]).toEqual([0, 0]);

  await settle(rig, seller, sell(seller, 10, '5', { DomainID, Flags: HYBRID }));
  await settle(rig, stranger, buy(stranger, 4, '2', {}));
  await settle(rig, buyer!, buy(buyer!, 6, '3', { DomainID }));
  expect([await restingOf(seller), await restingOf(stranger), await restingOf(buyer!)]).toEqual([0, 1, 0]);
});

test('an offer whose owner is no member any more is taken by nobody, and goes when somebody would', async () => {
  const [owner, seller, buyer] = await threeWallets(rig);
  const DomainID = await openDomain(owner);
  const { ledger } = (await rig.client.request({ command: 'ledger', ledger_index: 'validated' })).result;
  await admit(owner, seller, ledger.close_time + 30);
  await admit(owner, buyer);
  await issueTo(owner, [seller]);
  const USD = { currency: 'USD', issuer: owner.address, value: '10' };
  const offer = { TransactionType: 'OfferCreate', Account: seller.address, TakerGets: USD } as const;
  await settle(rig, seller, { ...offer, TakerPays: '10000000', DomainID });
  for (let i = 0; i < 35; i++) rig.ledger.accept();
  const { meta } = await settle(rig, buyer, {
    TransactionType: 'OfferCreate',
    Account: buyer.address,
    TakerGets: '10000000',
    TakerPays: USD,
    DomainID,
  });
  expect(meta.TransactionResult).toBe('tesSUCCESS');
  const { offers } = (await rig.client.request({ command: 'account_offers', account: seller.address })).result;
  expect(offers).toEqual([]);
  const info = await rig.client.request({ command: 'account_info', account: buyer.address });
  expect(BigInt(info.result.account_data.Balance)).toBeGreaterThan(990_000_000n);
});
