import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountSetAsfFlags, type Wallet } from 'xrpl';
import { startQStash } from '#sandbox/qstash/index.ts';
import { type Answered, ask } from '#tests/integration/operations/ask.ts';
import { TEST_ADMIN_TOKEN, TEST_CRON_SECRET, testEnv } from '#tests/support/env.ts';
import { type Owners, openOwners, type SignedIn } from './stage.ts';

const CURRENCY = 'DMO';
const PRICE_OF_ALL_XRP = 100;

let owners: Owners;
let qstash: Awaited<ReturnType<typeof startQStash>>;
beforeAll(async () => {
  owners = await openOwners();
  const { QSTASH_TOKEN = '', QSTASH_CURRENT_SIGNING_KEY = '', QSTASH_NEXT_SIGNING_KEY = '' } = testEnv();
  qstash = await startQStash({
    token: QSTASH_TOKEN,
    currentSigningKey: QSTASH_CURRENT_SIGNING_KEY,
    nextSigningKey: QSTASH_NEXT_SIGNING_KEY,
  });
  // No callback arrives: the test calls the scheduler's address itself.
  owners.stage.set({ BASE_URL: 'http://127.0.0.1:9', QSTASH_URL: qstash.url });
});
afterAll(async () => {
  await owners.stage.end();
  await qstash.close();
});

/** Closes ledgers and has the platform work, as the scheduler does, until `read` gives what is waited for. */
async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  for (let beats = 0; beats < 40; beats++) {
    const found = await read();
    if (found !== undefined) return found;
    owners.stage.desk.close(2);
    const worked = await ask('processPayments', { token: TEST_CRON_SECRET });
    expect(worked).toMatchObject({ status: 200, body: { faults: [] } });
  }
  throw new Error(`40 beats were not enough for ${what}`);
}

const done = (status: number) => (answer: Answered) => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body;
};
const balanceOf = async ({ address }: Wallet) => Number(await owners.stage.desk.client.getXrpBalance(address));

/** What an operator does for an owner, and all that they do. */
async function approve(approvalId: unknown): Promise<Record<string, unknown>> {
  const params = { id: String(approvalId), decision: 'approve' };
  return ask('decideApproval', { token: TEST_ADMIN_TOKEN, params, body: { reason: 'checked, and agreed' } }).then(
    done(200),
  );
}

test('a new wallet takes its sale from a draft to the released treasury, with no operator’s hand but the two approvals', async () => {
  const { desk } = owners.stage;
  const [wallet, deposit, issuer, treasury, investor] = (await desk.accounts(5)) as [
    Wallet,
    Wallet,
    Wallet,
    Wallet,
    Wallet,
  ];
  await desk.write([
    issuer,
    { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: AccountSetAsfFlags.asfDefaultRipple },
  ]);
  await desk.write([
    investor,
    {
      TransactionType: 'TrustSet',
      Account: investor.address,
      LimitAmount: { currency: CURRENCY, issuer: issuer.address, value: '1000000' },
    },
  ]);
  owners.stage.set({
    SIGNING_KEYS: [deposit, issuer].map(({ address, seed }) => `${address}=ed25519:${seed}`).join(),
    OWNER_DEPOSIT_ACCOUNTS: deposit.address,
  });

  const owner: SignedIn = await owners.signIn(wallet);
  const { token } = owner;
  const draft = await ask('createOwnProject', {
    token,
    body: {
      name: 'Their sale',
      token: { kind: 'iou', currency: CURRENCY, issuer: issuer.address },
      distributor: issuer.address,
      deposit_address: deposit.address,
      treasury: treasury.address,
      tiers: [{ price_per_token: '0.10', total_tokens: '1000' }],
    },
  }).then(done(201));
  const params = { id: String(draft.id) };
  const read = () => ask('getOwnProject', { token, params }).then(done(200));
  const untilStatus = (status: string) =>
    until(status, async () => ((await read()).status === status ? true : undefined));

  // An owner launches nothing alone.
  const launch = await ask('askForOwnApproval', {
    token,
    params,
    body: { action: 'launch', reason: 'it is ready' },
  }).then(done(201));
  expect(launch).toMatchObject({ status: 'open', requested_by: { kind: 'member', name: wallet.address } });
  expect((await read()).status).toBe('draft');
  expect(await approve(launch.id)).toMatchObject({ status: 'approved' });
  await untilStatus('active');

  await desk.send(investor, {
    TransactionType: 'Payment',
    Account: investor.address,
    Destination: deposit.address,
    DestinationTag: Number(draft.destination_tag),
    Amount: String(PRICE_OF_ALL_XRP * 1_000_000),
  });
  await untilStatus('completed');
  const paid = async (kind: string) => {
    const { payouts } = await ask('listOwnPayouts', { token, params, query: `?status=all&kind=${kind}` }).then(
      done(200),
    );
    return (payouts as { status: string }[]).some(({ status }) => status === 'validated') ? true : undefined;
  };
  await until('the tokens', () => paid('distribution'));
  const investors = await ask('listOwnInvestors', { token, params }).then(done(200));
  expect(investors.investors).toMatchObject([
    { wallet_address: investor.address, invested_xrp: '100.000000', tokens: '1000.000000', payments: 1 },
  ]);
  expect((await ask('listOwnInvestments', { token, params }).then(done(200))).investments).toHaveLength(1);
  expect((await ask('listOwnPayments', { token, params }).then(done(200))).payments).toHaveLength(1);

  const before = await balanceOf(treasury);
  const release = await ask('askForOwnApproval', {
    token,
    params,
    body: { action: 'release', reason: 'the sale is over' },
  }).then(done(201));
  const { amount_xrp: amount, destination } = release.release as { amount_xrp: string; destination: string };
  expect(destination).toBe(treasury.address);
  expect(Number(amount)).toBeGreaterThan(PRICE_OF_ALL_XRP / 2);
  expect(await approve(release.id)).toMatchObject({ status: 'approved' });
  await until('the release', () => paid('release'));
  expect(await balanceOf(treasury)).toBeCloseTo(before + Number(amount), 6);

  // All of it stands in the tenant's audit, and all that an operator did are two decisions.
  const { entries } = (await ask('listOwnAudit', { token }).then(done(200))) as {
    entries: { actor: string; action: string }[];
  };
  expect(entries.map(({ actor, action }) => `${actor} ${action}`).toReversed()).toEqual([
    `member:${wallet.address} member.found`,
    `member:${wallet.address} project.create`,
    `member:${wallet.address} approval.ask`,
    expect.stringMatching(/^administrator /),
    expect.stringMatching(/^administrator /),
    `member:${wallet.address} approval.ask`,
    expect.stringMatching(/^administrator /),
    expect.stringMatching(/^administrator /),
  ]);
  const decided = entries.filter(({ actor }) => actor === 'administrator').map(({ action }) => action);
  expect(decided.toSorted()).toEqual(['approval.approve', 'approval.approve', 'project.launch', 'project.release']);
  const listed = await ask('listOwnApprovals', { token, params }).then(done(200));
  expect(listed.approvals).toMatchObject([
    { action: 'release', status: 'approved', closed_by: { name: 'An administrator' } },
    { action: 'launch', status: 'approved', closed_by: { name: 'An administrator' } },
  ]);
});
