import { and, eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountSetAsfFlags, MPTokenIssuanceCreateFlags, type SubmittableTransaction, Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { EVENT_CATALOGUE } from '#lib/events/catalogue.ts';
import { checkAccounts } from '#lib/payouts/monitor/check-accounts.ts';
import { type AccountHealth, accountHealth } from '#lib/payouts/monitor/contracts.ts';
import { addRows, changeRows } from '#tests/support/rows.ts';
import { addDepositAccount } from '#tests/support/sale.ts';
import { NETWORK_ID } from '../xrpl/desk.ts';
import { addProject, moveTo } from './monitor-scene.ts';
import { openWorld, putKeysInForce, TOKEN, type World } from './world.ts';

let world: World;
let keys = '';

/** A running sale of 1,000 tokens with accounts of its own: whole, until a test breaks something. */
interface Sale {
  id: string;
  issuer: Wallet;
  distributor: Wallet;
  deposit: Wallet;
}

beforeAll(async () => {
  world = await openWorld();
}, 60_000);
afterAll(() => world.end());

async function act(wallet: Wallet, transaction: Record<string, unknown>): Promise<string> {
  const hash = await world.desk.send(wallet, { Account: wallet.address, ...transaction } as SubmittableTransaction);
  world.desk.close();
  return hash;
}
const setFlag = (wallet: Wallet, flag: number) => act(wallet, { TransactionType: 'AccountSet', SetFlag: flag });
const clearFlag = (wallet: Wallet, flag: number) => act(wallet, { TransactionType: 'AccountSet', ClearFlag: flag });

function entrust(wallet: Wallet, key = wallet): void {
  keys += `${wallet.address}=ed25519:${key.seed},`;
  putKeysInForce(world, keys);
}

async function addSale(deposit: Wallet, distributor: Wallet, token: Parameters<typeof addProject>[1]): Promise<string> {
  const { db } = world.database;
  await addDepositAccount(db, deposit.address, { networkId: NETWORK_ID });
  const id = await addProject(world, token, { depositAddress: deposit.address, distributor: distributor.address });
  await addRows(db, 'tiers', { projectId: id, tier: 1, price: 10n ** 11n, totalUnits: 1_000_000_000n });
  return id;
}

async function openSale({ tokens = '1000', flags = [] as number[], authorize = true } = {}): Promise<Sale> {
  const [issuer, distributor, deposit] = (await world.desk.accounts(3, 200)) as [Wallet, Wallet, Wallet];
  for (const flag of [AccountSetAsfFlags.asfDefaultRipple, ...flags]) await setFlag(issuer, flag);
  const amount = (value: string) => ({ currency: TOKEN.currency, issuer: issuer.address, value });
  await act(distributor, { TransactionType: 'TrustSet', LimitAmount: amount('1000000') });
  if (flags.includes(AccountSetAsfFlags.asfRequireAuth) && authorize) {
    const LimitAmount = { currency: TOKEN.currency, issuer: distributor.address, value: '0' };
    await act(issuer, { TransactionType: 'TrustSet', LimitAmount, Flags: 0x10000 });
  }
  if (authorize)
    await act(issuer, { TransactionType: 'Payment', Destination: distributor.address, Amount: amount(tokens) });
  entrust(distributor);
  entrust(deposit);
  const id = await addSale(deposit, distributor, { tokenKind: 'iou', issuer: issuer.address });
  return { id, issuer, distributor, deposit };
}

async function openMptSale({ flags = MPTokenIssuanceCreateFlags.tfMPTCanTransfer as number, transferFee = 0 } = {}) {
  const [issuer, distributor, deposit] = (await world.desk.accounts(3, 200)) as [Wallet, Wallet, Wallet];
  const hash = await act(issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    AssetScale: 6,
    Flags: flags,
    ...(transferFee === 0 ? {} : { TransferFee: transferFee }),
  });
  const { result } = await world.desk.client.request({ command: 'tx', transaction: hash });
  const { mpt_issuance_id: issuanceId } = result.meta as { mpt_issuance_id: string };
  const give = async () => {
    await act(distributor, { TransactionType: 'MPTokenAuthorize', MPTokenIssuanceID: issuanceId });
    const Amount = { mpt_issuance_id: issuanceId, value: '1000000000' };
    await act(issuer, { TransactionType: 'Payment', Destination: distributor.address, Amount });
  };
  entrust(distributor);
  entrust(deposit);
  const id = await addSale(deposit, distributor, { tokenKind: 'mpt', issuer: issuer.address, issuanceId });
  return { id, issuer, distributor, deposit, issuanceId, give };
}

async function healthOf(wallet: Wallet): Promise<AccountHealth> {
  const { accounts } = await checkAccounts(world.ctx);
  const found = accounts.find(({ address }) => address === wallet.address)!;
  return accountHealth.parse(found);
}
/** Codes of what is worse than worth knowing. */
const alarming = async (wallet: Wallet) =>
  (await healthOf(wallet)).findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
const found = async (wallet: Wallet, code: string) =>
  (await healthOf(wallet)).findings.find((finding) => finding.code === code);

it('a sale with everything in place has healthy accounts, whose figures are the ledger’s and the books’', async () => {
  const sale = await openSale();
  const distributor = await healthOf(sale.distributor);
  expect(distributor).toMatchObject({
    roles: ['distributor'],
    healthy: true,
    exists: true,
    reserve_xrp: '1.200000',
    liabilities_xrp: '0.000000',
    tickets: 0,
    tokens: [{ kind: 'iou', currency: 'DMO', issuer: sale.issuer.address, held: '1000.000000', owed: '1000.000000' }],
  });
  expect(await healthOf(sale.deposit)).toMatchObject({ roles: ['deposit'], healthy: true, tokens: [] });
});

it('a draft’s accounts are not looked at', async () => {
  const sale = await openSale();
  await changeRows(world.database.db, 'projects', { id: sale.id }, { status: 'draft' });
  const { accounts } = await checkAccounts(world.ctx);
  expect(accounts.map(({ address }) => address)).not.toContain(sale.deposit.address);
});

it('an account that is not on the ledger is critical', async () => {
  const deposit = Wallet.generate();
  entrust(deposit);
  await addSale(deposit, world.distributor, { tokenKind: 'iou', issuer: world.issuer.address });
  expect(await healthOf(deposit)).toMatchObject({ exists: false, healthy: false, balance_xrp: null });
  expect(await alarming(deposit)).toEqual(['account_missing']);
});

it('an account without a configured key is critical', async () => {
  const [deposit] = (await world.desk.accounts(1)) as [Wallet];
  await addSale(deposit, world.distributor, { tokenKind: 'iou', issuer: world.issuer.address });
  expect(await alarming(deposit)).toEqual(['key_missing']);
});

it('a sale that is over and owes nothing may close its accounts: no alarm', async () => {
  const deposit = Wallet.generate();
  const id = await addSale(deposit, world.distributor, { tokenKind: 'iou', issuer: world.issuer.address });
  await changeRows(world.database.db, 'projects', { id }, { status: 'completed' });
  expect(await healthOf(deposit)).toMatchObject({
    healthy: true,
    findings: [
      { code: 'key_missing', severity: 'info' },
      { code: 'account_missing', severity: 'info' },
    ],
  });
});

it('a master key that the ledger no longer takes is critical, and its regular key heals it', async () => {
  const { deposit } = await openSale();
  const regular = Wallet.generate();
  await act(deposit, { TransactionType: 'SetRegularKey', RegularKey: regular.address });
  await setFlag(deposit, AccountSetAsfFlags.asfDisableMaster);
  expect(await found(deposit, 'key_unfit')).toMatchObject({ message: expect.stringContaining('disabled') });
  entrust(deposit, regular);
  expect(await healthOf(deposit)).toMatchObject({
    healthy: true,
    regular_key: regular.address,
    flags: { master_key_disabled: true },
  });
});

it('a configured key that is neither master nor regular key is critical', async () => {
  const [deposit] = (await world.desk.accounts(1)) as [Wallet];
  entrust(deposit, Wallet.generate());
  await addSale(deposit, world.distributor, { tokenKind: 'iou', issuer: world.issuer.address });
  expect(await found(deposit, 'key_unfit')).toMatchObject({ message: expect.stringContaining('neither') });
});

it('DepositAuth on a deposit account that sells is critical, RequireDest missing worth knowing', async () => {
  const { deposit } = await openSale();
  expect(await found(deposit, 'destination_tag_optional')).toMatchObject({ severity: 'info' });
  await setFlag(deposit, AccountSetAsfFlags.asfRequireDest);
  expect(await found(deposit, 'destination_tag_optional')).toBeUndefined();
  await setFlag(deposit, AccountSetAsfFlags.asfDepositAuth);
  expect(await alarming(deposit)).toEqual(['deposit_authorization']);
});

it('a deposit account that cannot pay its refunds, held ones included, is told how much it lacks', async () => {
  const sale = await openSale();
  const id = await world.owe({ kind: 'refund', to: world.issuer.address, amount: 300_000_000n });
  await moveTo(world, [id], sale.id, sale.deposit.address);
  const { db } = world.database;
  await changeRows(db, 'payouts', { id }, { status: 'held', reason: 'destination_tag_required' });
  // 200 XRP less a reserve of 1 and a float of 1; a refund of 300, a fee of 12 drops, one ticket of 0.2.
  expect(await found(sale.deposit, 'xrp_short')).toMatchObject({
    severity: 'critical',
    message: expect.stringContaining('Send it at least 102.200012 XRP'),
  });
  expect(await healthOf(sale.deposit)).toMatchObject({
    liabilities_xrp: '300.000000',
    needed_xrp: '300.200012',
    spendable_xrp: '198.000000',
    outstanding_payouts: 1,
  });
});

it('a distributor is told what the escrows of its locks will keep in reserve, beside the tickets for all else', async () => {
  const sale = await openSale();
  const { db } = world.database;
  const locks = (count: number, lockedUntil: Date) =>
    addRows(
      db,
      'payouts',
      Array.from({ length: count }, (_, index) => ({
        id: `pay_${lockedUntil.getTime()}_${index}`,
        kind: 'lock' as const,
        projectId: sale.id,
        part: lockedUntil.getUTCFullYear() + index,
        account: sale.distributor.address,
        destination: sale.distributor.address,
        amount: 1_000_000n,
        lockedUntil,
        dueAt: new Date(),
      })),
    );
  await locks(12, new Date('2100-01-01'));
  // 12 entries of 0.2, and as many fees of 12 drops.
  expect((await healthOf(sale.distributor)).needed_xrp).toBe('2.400144');
  // Too late to be made: only tickets for up to ten of them, should a person settle or release them.
  await locks(11, new Date('2001-01-01'));
  expect((await healthOf(sale.distributor)).needed_xrp).toBe('4.400276');
});

it('an account that sells with nothing beyond its reserve is warned about before anything waits', async () => {
  const { deposit } = await openSale();
  const Amount = '198500000';
  await act(deposit, { TransactionType: 'Payment', Destination: world.issuer.address, Amount });
  expect(await found(deposit, 'xrp_low')).toMatchObject({ severity: 'warning' });
});

it('a distributor with fewer tokens than all its sales owe is told how many it lacks', async () => {
  const sale = await openSale({ tokens: '999' });
  expect(await found(sale.distributor, 'tokens_short')).toMatchObject({
    severity: 'critical',
    token: `DMO.${sale.issuer.address}`,
    message: expect.stringContaining('Give it 1.000000 more'),
  });
  const id = await world.owe({ to: world.issuer.address, amount: 5_000_000n });
  await moveTo(world, [id], sale.id, sale.distributor.address);
  expect(await found(sale.distributor, 'tokens_short')).toMatchObject({
    message: expect.stringContaining('Give it 6.000000 more'),
  });
});

it('a transfer fee, a global freeze and a missing DefaultRipple of the issuer are critical, each by itself', async () => {
  const sale = await openSale();
  await act(sale.issuer, { TransactionType: 'AccountSet', TransferRate: 1_010_000_000 });
  expect(await alarming(sale.distributor)).toEqual(['transfer_fee']);
  await act(sale.issuer, { TransactionType: 'AccountSet', TransferRate: 0 });
  await setFlag(sale.issuer, AccountSetAsfFlags.asfGlobalFreeze);
  expect(await alarming(sale.distributor)).toEqual(['issuer_frozen']);
  await clearFlag(sale.issuer, AccountSetAsfFlags.asfGlobalFreeze);
  await clearFlag(sale.issuer, AccountSetAsfFlags.asfDefaultRipple);
  expect(await alarming(sale.distributor)).toEqual(['default_ripple_off']);
  await setFlag(sale.issuer, AccountSetAsfFlags.asfDefaultRipple);
  expect(await alarming(sale.distributor)).toEqual([]);
});

it('a frozen, unauthorised or missing line of the distributor is critical', async () => {
  const sale = await openSale();
  const LimitAmount = { currency: TOKEN.currency, issuer: sale.distributor.address, value: '0' };
  await act(sale.issuer, { TransactionType: 'TrustSet', LimitAmount, Flags: 0x100000 });
  expect(await alarming(sale.distributor)).toEqual(['payer_frozen']);
  const strict = await openSale({ flags: [AccountSetAsfFlags.asfRequireAuth], authorize: false });
  expect(await alarming(strict.distributor)).toEqual(['payer_unauthorised', 'tokens_short']);
  const [bare] = (await world.desk.accounts(1)) as [Wallet];
  entrust(bare);
  const id = await addProject(world, { tokenKind: 'iou', issuer: sale.issuer.address }, { distributor: bare.address });
  await addRows(world.database.db, 'tiers', { projectId: id, tier: 1, price: 1n, totalUnits: 1n });
  expect(await alarming(bare)).toEqual(['payer_not_opted_in', 'tokens_short']);
});

it('what the issuer may do to holders is worth knowing: freeze, claw back', async () => {
  const sale = await openSale({ flags: [] });
  expect(await found(sale.distributor, 'issuer_can_freeze')).toMatchObject({ severity: 'info' });
  await setFlag(sale.issuer, AccountSetAsfFlags.asfNoFreeze);
  expect(await found(sale.distributor, 'issuer_can_freeze')).toBeUndefined();
  const { distributor, give } = await openMptSale({
    flags: MPTokenIssuanceCreateFlags.tfMPTCanTransfer | MPTokenIssuanceCreateFlags.tfMPTCanClawback,
  });
  await give();
  expect(await found(distributor, 'issuer_can_claw_back')).toMatchObject({ severity: 'info' });
});

it('an issuer that can claw issued currency back is worth knowing', async () => {
  const [issuer, distributor, deposit] = (await world.desk.accounts(3, 200)) as [Wallet, Wallet, Wallet];
  await setFlag(issuer, AccountSetAsfFlags.asfAllowTrustLineClawback);
  entrust(distributor);
  await addSale(deposit, distributor, { tokenKind: 'iou', issuer: issuer.address });
  expect(await found(distributor, 'issuer_can_claw_back')).toMatchObject({ severity: 'info' });
});

it('an issuer or issuance that is not there is critical', async () => {
  const nobody = Wallet.generate().address;
  const [distributor, deposit, other] = (await world.desk.accounts(3, 200)) as [Wallet, Wallet, Wallet];
  entrust(distributor);
  await addSale(deposit, distributor, { tokenKind: 'iou', issuer: nobody });
  expect(await alarming(distributor)).toEqual(['issuer_missing', 'tokens_short']);
  await addSale(other, distributor, { tokenKind: 'mpt', issuer: nobody, issuanceId: '0'.repeat(48) });
  expect((await alarming(distributor)).filter((code) => code === 'issuer_missing')).toHaveLength(2);
});

it('an MPT that is locked, not given to its distributor, or locked for it, is critical', async () => {
  const flags = MPTokenIssuanceCreateFlags.tfMPTCanTransfer | MPTokenIssuanceCreateFlags.tfMPTCanLock;
  const { issuer, distributor, issuanceId, give } = await openMptSale({ flags });
  expect(await alarming(distributor)).toEqual(['payer_not_opted_in', 'tokens_short']);
  await give();
  expect(await alarming(distributor)).toEqual([]);
  const lock = (Flags: number, Holder?: string) =>
    act(issuer, {
      TransactionType: 'MPTokenIssuanceSet',
      MPTokenIssuanceID: issuanceId,
      Flags,
      ...(Holder === undefined ? {} : { Holder }),
    });
  await lock(1);
  expect(await alarming(distributor)).toEqual(['issuer_frozen']);
  await lock(2);
  await lock(1, distributor.address);
  expect(await alarming(distributor)).toEqual(['payer_frozen']);
});

it('an MPT that cannot be transferred, or costs a fee, is critical for a distributor that is not its issuer', async () => {
  const fixed = await openMptSale({ flags: 0 });
  await fixed.give();
  expect(await alarming(fixed.distributor)).toEqual(['not_transferable']);
  const dear = await openMptSale({ transferFee: 100 });
  await dear.give();
  expect(await alarming(dear.distributor)).toEqual(['transfer_fee']);
});

it('an answer of the ledger that cannot be read is one account’s finding, and the others are still looked at', async () => {
  const { deposit, distributor } = await openSale();
  const { PlatformError } = await import('#lib/base/errors.ts');
  const ledger = {
    ...world.ctx.ledger,
    async tickets(address: string) {
      if (address === deposit.address) throw new PlatformError('service_unavailable', 'no usable answer');
      return world.ctx.ledger.tickets(address);
    },
  };
  const { accounts } = await checkAccounts({ ...world.ctx, ledger });
  const of = (wallet: Wallet) => accounts.find(({ address }) => address === wallet.address);
  expect(of(deposit)).toMatchObject({ exists: null, healthy: false, findings: [{ code: 'unreadable' }] });
  expect(of(distributor)).toMatchObject({ healthy: true });
});

it('a finding is alerted once a day, what is only worth knowing never', async () => {
  const { db } = world.database;
  const sale = await openSale({ tokens: '999' });
  const alerts = () =>
    db
      .select({ body: events.body })
      .from(events)
      .where(and(eq(events.type, 'system.alert'), like(events.body, `%"account":"${sale.distributor.address}"%`)));
  await checkAccounts(world.ctx);
  await checkAccounts(world.ctx);
  const sent = await alerts();
  expect(sent).toHaveLength(1);
  const { data } = JSON.parse(sent[0]!.body) as { data: unknown };
  expect(EVENT_CATALOGUE['system.alert'].parse(data)).toMatchObject({
    kind: 'account_health',
    details: { finding: 'tokens_short', severity: 'critical', token: `DMO.${sale.issuer.address}` },
  });
  world.ctx.clock.advance(86_400_000);
  await checkAccounts(world.ctx);
  expect(await alerts()).toHaveLength(2);
});
