import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SubmittableTransaction, Wallet } from 'xrpl';
import { auditEntries } from '#drizzle/schema/access.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { HoldingToken } from '#lib/payouts/token-setup/contracts.ts';
import { openHolding } from '#lib/payouts/token-setup/open-holding.ts';
import { readTokenSetup } from '#lib/payouts/token-setup/read-setup.ts';
import type { SetupStep, TokenPlan } from '#lib/payouts/token-setup/steps.ts';
import { readLaunchChecklist } from '#lib/sales/actions/launch-readiness.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import { countingLedger } from '#tests/support/counting-ledger.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import * as route from '../../../app/api/admin/accounts/[address]/token-holding/route.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const SUPPLY = 6_000_000_000n;
const currency = 'DMO';

interface Accounts {
  issuer: Wallet;
  distributor: Wallet;
}

/** Accounts with nothing but XRP; the platform can sign for the distributor. */
async function newAccounts(): Promise<Accounts> {
  const [issuer, distributor] = [await stage.account(), await stage.account()];
  stage.entrust(distributor);
  return { issuer, distributor };
}

const iouPlan = ({ issuer, distributor }: Accounts): TokenPlan => ({
  kind: 'iou',
  currency,
  issuer: issuer.address,
  distributor: distributor.address,
  decimals: 6,
  supplyUnits: SUPPLY,
});

const mptPlan = (
  { issuer, distributor }: Accounts,
  issuanceId: string | null,
  flags = ['can_transfer'],
): TokenPlan => ({
  kind: 'mpt',
  issuer: issuer.address,
  distributor: distributor.address,
  decimals: 2,
  supplyUnits: 600_000n,
  issuanceId,
  newIssuance: {
    assetScale: 2,
    maximum: 1_000_000n,
    flags: flags as never,
    metadata: { t: 'DMO', n: 'Demo', ac: 'other' },
  },
});

const line = (limit = '6000'): HoldingToken => ({ kind: 'iou', currency, issuer: '', limit_tokens: limit });
const lineTo = ({ issuer }: Accounts, limit?: string): HoldingToken =>
  ({ ...line(limit), issuer: issuer.address }) as HoldingToken;

const open = ({ distributor }: Accounts, token: HoldingToken, over: { dryRun?: boolean; ctx?: Ctx } = {}) =>
  openHolding(over.ctx ?? stage.ctx, {
    address: distributor.address,
    token,
    dryRun: over.dryRun ?? false,
    reason: 'the sale begins in May',
  });

/** Does whatever step is open, exactly as it is shown, until none is. Gives the steps that it did, in order. */
async function follow(accounts: Accounts, planned: () => Promise<TokenPlan> | TokenPlan): Promise<string[]> {
  const done: string[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const plan = await planned();
    const { steps } = await readTokenSetup(stage.ctx, plan);
    const step = steps.find(({ state }) => state === 'open');
    if (step === undefined) {
      expect(steps.map(({ state }) => state)).toEqual(steps.map(() => 'done'));
      return done;
    }
    done.push(step.id);
    if (step.signedBy === 'distributor') {
      const token: HoldingToken =
        plan.kind === 'iou' ? lineTo(accounts) : { kind: 'mpt', issuance_id: plan.issuanceId ?? '' };
      await open(accounts, token);
    } else {
      await stage.desk.send(accounts.issuer, step.transaction as SubmittableTransaction);
    }
    stage.desk.close();
  }
  throw new Error('The steps lead nowhere');
}

const stateOf = (steps: readonly SetupStep[]) => Object.fromEntries(steps.map(({ id, state }) => [id, state]));

describe('the steps of setting a token up', () => {
  it('lead an empty issuer to a distributor with the supply, which the launch then takes', async () => {
    const accounts = await newAccounts();
    const { steps } = await readTokenSetup(stage.ctx, iouPlan(accounts));
    expect(stateOf(steps)).toEqual({
      issuer_account: 'done',
      default_ripple: 'open',
      distributor_account: 'done',
      holding: 'waits',
      supply: 'waits',
    });
    expect(await follow(accounts, () => iouPlan(accounts))).toEqual(['default_ripple', 'holding', 'supply']);

    const treasury = await stage.account();
    const { project } = await stage.draft(
      {
        token: { kind: 'iou', currency, issuer: accounts.issuer.address, decimals: 6 },
        distributor: accounts.distributor.address,
        treasury: treasury.address,
        tiers: [{ price_per_token: '0.5', total_tokens: '6000' }],
      },
      { issuer: accounts.issuer },
    );
    expect((await readLaunchChecklist(stage.ctx, project.id)).faults).toEqual([]);
  });

  it('ask an issuer that requires authorisation to authorise its distributor, and one with a fee to end it', async () => {
    const accounts = await newAccounts();
    await stage.setFlag(accounts.issuer, 'asfRequireAuth');
    await stage.desk.send(accounts.issuer, {
      TransactionType: 'AccountSet',
      Account: accounts.issuer.address,
      TransferRate: 1_010_000_000,
    });
    stage.desk.close();
    expect(await follow(accounts, () => iouPlan(accounts))).toEqual([
      'default_ripple',
      'no_transfer_fee',
      'holding',
      'authorization',
      'supply',
    ]);
  });

  it('create an MPT with what was chosen, find it with its issuer, and end with the supply at the distributor', async () => {
    const accounts = await newAccounts();
    const issuances = () => stage.ctx.ledger.mptIssuancesOf(accounts.issuer.address);
    expect(await issuances()).toEqual([]);
    const planned = async () =>
      mptPlan(accounts, (await issuances())[0]?.issuanceId ?? null, ['can_transfer', 'requires_authorization']);
    expect(await follow(accounts, planned)).toEqual(['issuance', 'holding', 'authorization', 'supply']);
    expect(await issuances()).toEqual([
      { issuanceId: expect.any(String), assetScale: 2, outstanding: 600_000n, maximum: 1_000_000n },
    ]);
  });

  it('stop at an issuance that no sale could distribute, and say why', async () => {
    const accounts = await newAccounts();
    await stage.desk.send(accounts.issuer, {
      TransactionType: 'MPTokenIssuanceCreate',
      Account: accounts.issuer.address,
      AssetScale: 2,
    });
    stage.desk.close();
    const [issuance] = await stage.ctx.ledger.mptIssuancesOf(accounts.issuer.address);
    const { steps } = await readTokenSetup(stage.ctx, mptPlan(accounts, issuance?.issuanceId ?? ''));
    expect(steps.find(({ id }) => id === 'issuance')).toMatchObject({
      state: 'blocked',
      problem: expect.stringContaining('cannot be transferred'),
      transaction: null,
    });
    expect(stateOf(steps).holding).toBe('waits');
  });

  it('stop at a distributor that the platform has no key for', async () => {
    const accounts = { issuer: await stage.issuer(), distributor: await stage.account() };
    const { steps } = await readTokenSetup(stage.ctx, iouPlan(accounts));
    expect(steps.find(({ state }) => state === 'blocked')).toMatchObject({
      id: 'distributor_account',
      problem: expect.stringContaining('SIGNING_KEYS holds no key'),
    });
  });

  it('need the ledger', async () => {
    const accounts = await newAccounts();
    await expect(readTokenSetup(stage.cutOff, iouPlan(accounts))).rejects.toMatchObject({ code: 'ledger_unavailable' });
  });
});

describe('a distributor', () => {
  const refusalOf = (opening: Promise<unknown>) =>
    opening.then(
      () => 'not refused',
      (err) => (err instanceof PlatformError ? `${err.code}: ${err.detail}` : String(err)),
    );

  it('signs nothing in a dry run, and then just what the dry run showed, under an audit entry', async () => {
    const accounts = await newAccounts();
    const { ledger, submissions } = countingLedger(stage.ctx.ledger);
    const shown = await open(accounts, lineTo(accounts), { dryRun: true, ctx: { ...stage.ctx, ledger } });
    expect(shown).toMatchObject({
      dry_run: true,
      transaction: {
        TransactionType: 'TrustSet',
        Account: accounts.distributor.address,
        LimitAmount: { currency, issuer: accounts.issuer.address, value: '6000' },
        Flags: 0x0002_0000,
      },
    });
    expect(submissions).toEqual([]);
    const done = await open(accounts, lineTo(accounts));
    expect(done.transaction).toEqual(shown.transaction);
    stage.desk.close();
    const hash = done.dry_run ? '' : done.transaction_hash;
    expect(await stage.ctx.ledger.lookUp(hash)).toMatchObject({ state: 'validated', result: 'tesSUCCESS' });
    const [entry] = await stage.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, accounts.distributor.address));
    expect(entry).toMatchObject({
      action: 'account.token_holding',
      reason: 'the sale begins in May',
      after: { transaction_hash: hash },
    });
  });

  it('that can hold the token already signs nothing, and raises the limit of its line where that is too low', async () => {
    const accounts = await newAccounts();
    await open(accounts, lineTo(accounts, '10'));
    stage.desk.close();
    expect(await refusalOf(open(accounts, lineTo(accounts, '10')))).toMatch(/^conflict: .*limit of 10 already/);
    await open(accounts, lineTo(accounts, '6000'));
    stage.desk.close();
    expect(
      await stage.ctx.ledger.trustLine(accounts.distributor.address, accounts.issuer.address, currency),
    ).toMatchObject({ limit: '6000' });
  });

  it('is refused: without a key, as a deposit account, as the issuer, unfunded, and for a token that is not there', async () => {
    const accounts = await newAccounts();
    const stranger = { ...accounts, distributor: await stage.account() };
    expect(await refusalOf(open(stranger, lineTo(accounts)))).toMatch(/^not_found: .*SIGNING_KEYS holds no key/);
    const { deposit } = await stage.draft();
    expect(await refusalOf(open({ ...accounts, distributor: deposit }, lineTo(accounts)))).toMatch(
      /^conflict: address: is a deposit account/,
    );
    const itself = { issuer: accounts.distributor, distributor: accounts.distributor };
    expect(await refusalOf(open(itself, lineTo(itself)))).toMatch(/^conflict: address: is the issuer/);
    expect(await refusalOf(open(accounts, { kind: 'mpt', issuance_id: `0000000A${'0'.repeat(40)}` }))).toMatch(
      /^conflict: token.issuance_id: does not exist/,
    );
  });

  it('is refused a limit with more digits than the ledger keeps', async () => {
    const accounts = await newAccounts();
    await expect(open(accounts, lineTo(accounts, '1234567890.123456'))).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'token.limit_tokens', message: expect.stringContaining('15 significant digits') }],
    });
  });

  it('submits nothing when the ledger cannot be asked', async () => {
    const accounts = await newAccounts();
    expect(await refusalOf(open(accounts, lineTo(accounts), { ctx: stage.cutOff }))).toMatch(/^ledger_unavailable/);
    expect(
      await stage.ctx.ledger.trustLine(accounts.distributor.address, accounts.issuer.address, currency),
    ).toBeNull();
  });

  it('says what the ledger server answered when that refuses the transaction', async () => {
    const accounts = await newAccounts();
    const { ledger } = countingLedger(stage.ctx.ledger, { engineResult: 'telINSUF_FEE_P' });
    expect(await refusalOf(open(accounts, lineTo(accounts), { ctx: { ...stage.ctx, ledger } }))).toMatch(
      /^conflict: The ledger server answered telINSUF_FEE_P/,
    );
  });

  it('asked for twice at once signs one after the other, and never with one sequence twice', async () => {
    const accounts = await newAccounts();
    const opened = await Promise.all([open(accounts, lineTo(accounts)), open(accounts, lineTo(accounts))]);
    const sequences = opened.map(({ transaction }) => transaction.Sequence);
    expect(new Set(sequences).size).toBe(2);
    stage.desk.close();
    const line = await stage.ctx.ledger.trustLine(accounts.distributor.address, accounts.issuer.address, currency);
    expect(line).toMatchObject({ limit: '6000', balance: '0' });
  });

  it('is an operator’s to command, over the API too', async () => {
    const accounts = await newAccounts();
    const ask = (apiKey?: string) =>
      call(route as never, 'POST', {
        ...(apiKey !== undefined && { apiKey }),
        params: { address: accounts.distributor.address },
        body: { token: lineTo(accounts), reason: 'the sale begins in May' },
      });
    expect(await ask()).toMatchObject({ status: 401 });
    expect(await ask(TEST_READ_ONLY_TOKEN)).toMatchObject({ status: 403 });
    expect(await ask(TEST_ADMIN_TOKEN)).toMatchObject({
      status: 202,
      body: { dry_run: false, transaction: { TransactionType: 'TrustSet' } },
    });
  });
});
