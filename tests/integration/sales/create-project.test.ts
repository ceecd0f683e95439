import { randomBytes } from 'node:crypto';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Wallet } from 'xrpl';
import { auditEntries } from '#drizzle/schema/access.ts';
import { depositAccounts, projects, tiers } from '#drizzle/schema/sale.ts';
import type { FieldError } from '#lib/base/errors.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { termsOf } from '#lib/sales/projects/get-terms.ts';
import { projectInput } from '#lib/sales/projects/project-input.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { rowsOf } from '#tests/support/rows.ts';
import * as projectRoute from '../../../app/api/admin/projects/[id]/route.ts';
import * as projectsRoute from '../../../app/api/admin/projects/route.ts';
import { CURRENCY, openStage, type ProjectBody, type Stage } from './stage.ts';

/** Somebody's secret. */
const SEED = String(Wallet.generate().seed);

let stage: Stage;
let deposit: Wallet;
let issuer: Wallet;
let distributor: Wallet;

beforeAll(async () => {
  stage = await openStage();
  [deposit, issuer, distributor] = (await stage.desk.accounts(3)) as [Wallet, Wallet, Wallet];
  stage.entrust(deposit);
});
afterAll(() => stage?.end());

/** What creates a project when nothing is changed in it. */
const valid = (): ProjectBody & Record<string, unknown> => ({
  name: 'Lighthouse',
  token: { kind: 'iou', currency: CURRENCY, issuer: issuer.address },
  distributor: distributor.address,
  deposit_address: deposit.address,
  tiers: [
    { price_per_token: '0.10', total_tokens: '1000' },
    { price_per_token: '0.20', total_tokens: '5000' },
  ],
});
type Change = (body: ReturnType<typeof valid>) => Record<string, unknown>;

const create = (body: unknown) => call(projectsRoute, 'POST', { apiKey: TEST_ADMIN_TOKEN, body });
const fieldsOf = (body: Record<string, unknown>) => ((body.errors ?? []) as FieldError[]).map(({ field }) => field);

const written = async () => {
  const { db } = stage.database;
  const [accounts, drafts, steps, entries] = await Promise.all(
    [depositAccounts, projects, tiers, auditEntries].map((table) => db.$count(table)),
  );
  return { accounts, drafts, steps, entries };
};

/** Creating with this change is refused for exactly this field, and writes nothing. */
async function expectRefused(change: Change, field: string): Promise<void> {
  const before = await written();
  const { status, body } = await create({ ...valid(), ...change(valid()) });
  expect({ status, code: body.code, fields: fieldsOf(body) }).toEqual({
    status: 400,
    code: 'invalid_request',
    fields: [field],
  });
  expect(await written()).toEqual(before);
}

const token =
  (over: Record<string, unknown>): Change =>
  (body) => ({ token: { ...body.token, ...over } });
const tier =
  (over: Record<string, unknown>): Change =>
  () => ({ tiers: [{ price_per_token: '0.10', total_tokens: '1000', ...over }] });
const field =
  (name: string, value: unknown): Change =>
  () => ({ [name]: value });
const atEnd =
  (over: Record<string, unknown>): Change =>
  () => ({ distribution: 'at_end', ...over });
const vesting =
  (over: Record<string, unknown>): Change =>
  () => ({ vesting: { immediate_bps: 5_000, ...over } });
const starts = (...times: (string | null)[]) => ({
  tiers: times.map((time) => ({ price_per_token: '0.10', total_tokens: '1000', starts_at: time })),
});

describe('a new project', () => {
  it('is a draft, and registers its deposit account after the ledger validated now', async () => {
    const { validatedIndex, validatedHash } = await stage.ctx.ledger.serverState();
    const { status, body } = await create({ ...valid(), slug: 'lighthouse', treasury: issuer.address });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'draft',
      slug: 'lighthouse',
      treasury: issuer.address,
      destination_tag: expect.any(Number),
      terms_hash: null,
      pending_action: null,
      launched_at: null,
      tiers: [
        { tier: 1, price_per_token: '0.10', total_tokens: '1000.000000', sold_tokens: '0.000000' },
        { tier: 2, price_per_token: '0.20', total_tokens: '5000.000000', sold_tokens: '0.000000' },
      ],
    });
    const registered = async () =>
      (await rowsOf(stage.database.db, 'depositAccounts', { address: deposit.address })).map((row) => [
        row.registeredLedger,
        row.cursorLedger,
        row.cursorHash,
        row.confirmedLedger,
      ]);
    const position = [validatedIndex, validatedIndex, validatedHash, validatedIndex];
    expect(await registered()).toEqual([position]);

    // A second project on the account leaves the feed where it is.
    stage.desk.close(3);
    expect((await create(valid())).status).toBe(201);
    expect(await registered()).toEqual([position]);
  });

  it('may use every rule there is', async () => {
    const body = {
      tiers: [
        { price_per_token: '0.10', total_tokens: '1000', access: 'allowlist', starts_at: '2100-01-01T00:00:00Z' },
        { price_per_token: '0.20', total_tokens: '5000', starts_at: '2100-01-03T02:00:00+02:00' },
      ],
      starts_at: '2100-01-01T00:00:00Z',
      ends_at: '2100-02-01T00:00:00Z',
      soft_cap_xrp: '1100',
      min_investment_xrp: '5',
      max_per_wallet_xrp: '5',
      access: 'allowlist',
      distribution: 'at_end',
      vesting: { immediate_bps: 2_500, cliff_days: 50, period_days: 30, periods: 120 },
    };
    const created = await create({ ...valid(), ...body });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      tiers: [
        { access: 'allowlist', starts_at: '2100-01-01T00:00:00.000Z' },
        { access: 'open', starts_at: '2100-01-03T00:00:00.000Z' },
      ],
      soft_cap_xrp: '1100.000000',
      min_investment_xrp: '5.000000',
      max_per_wallet_xrp: '5.000000',
      access: 'allowlist',
      distribution: 'at_end',
      vesting: body.vesting,
    });
    // What is read again is what was answered.
    const read = await call(projectRoute, 'GET', { apiKey: TEST_ADMIN_TOKEN, params: { id: String(created.body.id) } });
    expect(read).toEqual({ status: 200, body: created.body });
  });

  it.each([
    ['what is left out becomes 1 XRP', {}, '1.000000'],
    ['null is none', { min_investment_xrp: null }, null],
    ['at most what a wallet may invest', { max_per_wallet_xrp: '0.4' }, '0.400000'],
    ['at most what the whole sale costs', { tiers: [{ price_per_token: '0.10', total_tokens: '2.5' }] }, '0.250000'],
  ])('has a smallest purchase unless its operator wants none: %s', async (_, fields, minimum) => {
    const created = await create({ ...valid(), ...fields });
    expect([created.status, created.body.min_investment_xrp]).toEqual([201, minimum]);
    const id = String(created.body.id);
    // A change of something else neither sets nor clears it.
    const params = { id };
    const patched = await call(projectRoute, 'PATCH', {
      apiKey: TEST_ADMIN_TOKEN,
      params,
      body: { name: 'Another name', reason: 'a test' },
    });
    expect(patched.body).toMatchObject({ name: 'Another name', min_investment_xrp: minimum });
    const [row] = await rowsOf(stage.database.db, 'projects', { id });
    const tierRows = await rowsOf(stage.database.db, 'tiers', { projectId: id });
    expect(JSON.parse(termsOf(row!, tierRows).terms)).toMatchObject({ min_investment_xrp: minimum });
  });

  it('has the smallest purchase that the settings name, or none', async () => {
    stage.set({ DEFAULT_MIN_INVESTMENT_DROPS: '2500000' });
    expect((await create(valid())).body).toMatchObject({ min_investment_xrp: '2.500000' });
    stage.set({ DEFAULT_MIN_INVESTMENT_DROPS: '0' });
    expect((await create(valid())).body).toMatchObject({ min_investment_xrp: null });
    stage.set({ DEFAULT_MIN_INVESTMENT_DROPS: undefined });
  });

  it('takes an X-address of this network for the account it names', async () => {
    const { status, body } = await create({ ...valid(), treasury: issuer.getXAddress(false, true) });
    expect([status, body.treasury]).toEqual([201, issuer.address]);
  });

  it('may sell as much as its token can hold exactly', async () => {
    const most = { price_per_token: '0.0001', total_tokens: '500000000' };
    expect((await create({ ...valid(), tiers: [most, most] })).status).toBe(201);
  });
});

describe('a project is refused for', () => {
  it.each<[what: string, change: Change, field: string]>([
    ['no name', field('name', undefined), 'name'],
    ['a name of blanks', field('name', '   '), 'name'],
    ['a name with NUL', field('name', 'a\u0000b'), 'name'],
    ['a name with half a character', field('name', 'a\ud800b'), 'name'],
    ['a name of two lines', field('name', 'a\nb'), 'name'],
    ['a name too long', field('name', 'a'.repeat(121)), 'name'],
    ['a description with NUL', field('description', 'a\u0000b'), 'description'],
    ['a description too long', field('description', 'a'.repeat(5_001)), 'description'],
    ['a seed as its name', field('name', SEED), 'name'],
    ['a description that holds a seed', field('description', `Pay with ${SEED}.`), 'description'],
    ['a website that holds a seed', field('website', `https://sale.example/?key=${SEED}`), 'website'],
    ['a slug with capitals', field('slug', 'Lighthouse'), 'slug'],
    ['a website without TLS', field('website', 'http://lighthouse.example'), 'website'],
    ['a logo that is no URL', field('logo', 'lighthouse.png'), 'logo'],
    ['a claim time of no days', field('claim_days', 0), 'claim_days'],
    ['a field nobody knows', field('hard_cap_xrp', '1'), 'hard_cap_xrp'],
    ['a soft cap of nothing', atEnd({ soft_cap_xrp: '0' }), 'soft_cap_xrp'],
    ['a soft cap beyond what the sale brings', atEnd({ soft_cap_xrp: '1100.000001' }), 'soft_cap_xrp'],
    ['a soft cap with tokens that are paid out at once', field('soft_cap_xrp', '1'), 'soft_cap_xrp'],
    ['a cap a wallet of nothing', field('max_per_wallet_xrp', '0'), 'max_per_wallet_xrp'],
    [
      'a cap a wallet below the minimum',
      () => ({ min_investment_xrp: '10', max_per_wallet_xrp: '9.999999' }),
      'max_per_wallet_xrp',
    ],
    ['another access', field('access', 'members'), 'access'],
    ['another distribution', field('distribution', 'never'), 'distribution'],
    ['another kind of token', token({ kind: 'nft' }), 'token.kind'],
    ['no token', field('token', undefined), 'token'],
    ['vesting that leaves a rest without periods', vesting({ period_days: 30 }), 'vesting.periods'],
    ['vesting in periods of no days', vesting({ periods: 12 }), 'vesting.period_days'],
    ['vesting of what is due at once', vesting({ immediate_bps: 10_000, cliff_days: 1 }), 'vesting.cliff_days'],
    ['vesting of more than everything', vesting({ immediate_bps: 10_001 }), 'vesting.immediate_bps'],
    ['vesting in too many periods', vesting({ periods: 121, period_days: 1 }), 'vesting.periods'],
    ['vesting over more than ten years', vesting({ periods: 120, period_days: 31 }), 'vesting'],
    ['XRP as its token', token({ currency: 'XRP' }), 'token.currency'],
    ['XRP in small letters', token({ currency: 'xrp' }), 'token.currency'],
    ['a currency of two characters', token({ currency: 'AB' }), 'token.currency'],
    ['a currency of four characters', token({ currency: 'ABCD' }), 'token.currency'],
    ['a currency in hex that begins with 00', token({ currency: `00${'A'.repeat(38)}` }), 'token.currency'],
    ['a hex currency that reads XRP', token({ currency: `585250${'0'.repeat(34)}` }), 'token.currency'],
    ['seven decimals', token({ decimals: 7 }), 'token.decimals'],
    ['half a decimal', token({ decimals: 0.5 }), 'token.decimals'],
    ['an issuer with a wrong checksum', token({ issuer: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi' }), 'token.issuer'],
    ['a seed as its distributor', field('distributor', SEED), 'distributor'],
    ['no deposit address', field('deposit_address', undefined), 'deposit_address'],
    ['no tier', field('tiers', []), 'tiers'],
    ['more than 50 tiers', field('tiers', Array(51).fill({ price_per_token: '1', total_tokens: '1' })), 'tiers'],
    ['tiers that do not count from 1', tier({ tier: 2 }), 'tiers[0].tier'],
    ['a tier of another access', tier({ access: 'members' }), 'tiers[0].access'],
    [
      'a tier that starts before the sale',
      () => ({ starts_at: '2100-01-02T00:00:00Z', ...starts(null, '2100-01-01T00:00:00Z') }),
      'tiers[1].starts_at',
    ],
    [
      'a tier that starts with the end',
      () => ({ ends_at: '2100-01-02T00:00:00Z', ...starts(null, '2100-01-02T00:00:00Z') }),
      'tiers[1].starts_at',
    ],
    [
      'a tier that starts before the one ahead of it',
      () => starts('2100-01-02T00:00:00Z', '2100-01-01T00:00:00Z'),
      'tiers[1].starts_at',
    ],
    ['a price of nothing', tier({ price_per_token: '0' }), 'tiers[0].price_per_token'],
    ['a price below nothing', tier({ price_per_token: '-1' }), 'tiers[0].price_per_token'],
    ['a price with an exponent', tier({ price_per_token: '1e3' }), 'tiers[0].price_per_token'],
    ['a price of 13 fractional digits', tier({ price_per_token: '0.0000000000001' }), 'tiers[0].price_per_token'],
    ['a price that is a number', tier({ price_per_token: 0.1 }), 'tiers[0].price_per_token'],
    ['a tier of no tokens', tier({ total_tokens: '0' }), 'tiers[0].total_tokens'],
    ['a supply finer than the token', tier({ total_tokens: '0.0000001' }), 'tiers[0].total_tokens'],
    ['a supply that is no number', tier({ total_tokens: 'many' }), 'tiers[0].total_tokens'],
    ['a supply beyond 15 digits', tier({ price_per_token: '0.0001', total_tokens: '1000000000.000001' }), 'tiers'],
    ['a sale that costs more than all XRP', tier({ price_per_token: '101', total_tokens: '1000000000' }), 'tiers'],
    ['a start without a zone', field('starts_at', '2030-01-01T00:00:00'), 'starts_at'],
    ['a start in the year 0', field('starts_at', '0000-01-01T00:00:00Z'), 'starts_at'],
    ['an end in the year 10000', field('ends_at', '9999-12-31T23:59:59-23:59'), 'ends_at'],
    ['an end in the past', field('ends_at', '2020-01-01T00:00:00Z'), 'ends_at'],
    [
      'an end that is its start',
      () => ({ starts_at: '2100-01-01T00:00:00Z', ends_at: '2100-01-01T00:00:00Z' }),
      'ends_at',
    ],
    ['a minimum finer than a drop', field('min_investment_xrp', '0.0000001'), 'min_investment_xrp'],
    ['a minimum above what the whole sale costs', field('min_investment_xrp', '1100.000001'), 'min_investment_xrp'],
    ['a treasury that is the deposit address', (body) => ({ treasury: body.deposit_address }), 'treasury'],
    ['a distributor that takes the deposits', (body) => ({ distributor: body.deposit_address }), 'deposit_address'],
    [
      'an issuer that takes the deposits',
      (body) => ({ token: { ...body.token, issuer: body.deposit_address } }),
      'deposit_address',
    ],
    [
      'a deposit address that nobody can sign for',
      (body) => ({ deposit_address: issuer.address, token: { ...body.token, issuer: deposit.address } }),
      'deposit_address',
    ],
  ])('%s', async (_, change, name) => {
    await expectRefused(change, name);
  });

  it('every fault at once, each under its name', async () => {
    const before = await written();
    const { body } = await create({
      ...valid(),
      starts_at: '2100-01-01T00:00:00Z',
      ends_at: '2099-01-01T00:00:00Z',
      treasury: deposit.address,
      tiers: [
        { tier: 2, price_per_token: '1', total_tokens: '0' },
        { price_per_token: '1', total_tokens: '1' },
      ],
    });
    expect(fieldsOf(body)).toEqual(['tiers[0].total_tokens', 'tiers[0].tier', 'ends_at', 'treasury']);
    expect(await written()).toEqual(before);
  });

  it('every account that is not on the ledger', async () => {
    const nobody = Array.from({ length: 4 }, () => Wallet.generate());
    const [newDeposit, newIssuer, newDistributor, treasury] = nobody as [Wallet, Wallet, Wallet, Wallet];
    stage.entrust(newDeposit);
    const before = await written();
    const { status, body } = await create({
      ...valid(),
      token: { kind: 'iou', currency: CURRENCY, issuer: newIssuer.address },
      distributor: newDistributor.address,
      deposit_address: newDeposit.address,
      treasury: treasury.address,
    });
    expect([status, fieldsOf(body)]).toEqual([400, ['deposit_address', 'distributor', 'token.issuer', 'treasury']]);
    expect(await written()).toEqual(before);
  });

  it('a slug that is taken, also when two ask for it at once', async () => {
    const other = await stage.account();
    stage.entrust(other);
    const before = await written();
    const slug = `taken-${randomBytes(4).toString('hex')}`;
    const answers = await Promise.all([create({ ...valid(), slug }), create({ ...valid(), slug })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const between = await written();
    expect(between).toEqual({
      accounts: before.accounts,
      drafts: (before.drafts ?? 0) + 1,
      steps: (before.steps ?? 0) + 2,
      entries: (before.entries ?? 0) + 1,
    });
    const { status, body } = await create({ ...valid(), slug, deposit_address: other.address });
    expect([status, body.code, fieldsOf(body)]).toEqual([409, 'conflict', ['slug']]);
    // Not even its deposit account is registered.
    expect(await written()).toEqual(between);
  });

  it('a ledger that cannot be reached', async () => {
    const before = await written();
    await expect(createProject(stage.cutOff, projectInput.parse(valid()))).rejects.toMatchObject({
      code: 'ledger_unavailable',
    });
    expect(await written()).toEqual(before);
  });
});

describe('a destination tag', () => {
  it('is never 0, never that of bounced refunds, never another project’s and never one that was paid to', async () => {
    const sale = await stage.draft();
    const paidTag = 0x01020304;
    await stage.pay(distributor, sale, 5, paidTag);
    await stage.settle(sale.deposit);
    const free = 0x7fffffff;
    const drawn = [0, REFUND_SOURCE_TAG, sale.project.destination_tag, paidTag, free];
    const ctx = testCtx({
      db: stage.database.db,
      overrides: {
        random(count) {
          if (count !== 4) return randomBytes(count);
          const tag = Buffer.alloc(4);
          tag.writeUInt32BE(drawn.shift() ?? free);
          return tag;
        },
      },
    });
    const body = { ...valid(), deposit_address: sale.deposit.address };
    const second = await createProject(ctx, projectInput.parse(body));
    expect(second.destination_tag).toBe(free);
    // What was paid to the tag stays nobody's and goes back.
    const [paid] = await rowsOf(stage.database.db, 'payments', { destinationTag: paidTag });
    expect(paid).toMatchObject({ projectId: null, outcome: 'refunded', reason: 'unknown_tag' });
  });
});
