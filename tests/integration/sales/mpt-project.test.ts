import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MPTokenIssuanceCreateFlags as Create, MPTokenIssuanceSetFlags as Lock, type Wallet } from 'xrpl';
import type { FieldError } from '#lib/base/errors.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { rowsOf } from '#tests/support/rows.ts';
import * as projectsRoute from '../../../app/api/admin/projects/route.ts';
import { authorize, type IssuanceTerms, issue, payUnits, setLock } from './issuance.ts';
import { openStage, type ProjectBody, type Sale, type Stage } from './stage.ts';

/** Units that the tiers of these tests sell: 6,000 tokens with two decimals. */
const SUPPLY = '600000';
const LOCKABLE = Create.tfMPTCanTransfer | Create.tfMPTCanLock;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

interface MptSale extends Sale {
  issuanceId: string;
  distributor: Wallet;
}

const tokenOf = (issuanceId: string, decimals = 2) => ({ kind: 'mpt' as const, issuance_id: issuanceId, decimals });

/** A draft that its issuer pays out by itself. */
async function ownDraft(terms: IssuanceTerms = {}, body: Partial<ProjectBody> = {}): Promise<MptSale> {
  const issuer = await stage.account();
  const issuanceId = await issue(stage, issuer, terms);
  const sale = await stage.draft({ token: tokenOf(issuanceId), ...body }, { issuer });
  return { ...sale, issuanceId, distributor: issuer };
}

/** A draft that a distributor pays out, which holds just what the sale sells. */
async function distributedDraft(terms: IssuanceTerms = {}, held = SUPPLY): Promise<MptSale> {
  const issuer = await stage.account();
  const distributor = await stage.account();
  stage.entrust(distributor);
  const issuanceId = await issue(stage, issuer, terms);
  await authorize(stage, distributor, issuanceId);
  if (held !== '0') await payUnits(stage, issuer, distributor, issuanceId, held);
  const sale = await stage.draft({ token: tokenOf(issuanceId), distributor: distributor.address }, { issuer });
  return { ...sale, issuanceId, distributor };
}

async function faultsOf(sale: Sale): Promise<string[]> {
  try {
    await stage.act(sale, 'launch');
    return [];
  } catch (error) {
    const { code, errors } = error as { code: string; errors: FieldError[] };
    expect(code).toBe('launch_not_ready');
    return errors.map(({ field, message }) => `${field} ${message}`);
  }
}

/** Runs slices of payouts and closes ledgers until nothing is under way. */
async function payOut(): Promise<void> {
  for (let slices = 0; slices < 30; slices++) {
    const { remaining } = await runPayouts(stage.ctx, { deadlineMs: stage.ctx.clock.nowMs() + 60_000 });
    if (!remaining) return;
    stage.desk.close();
  }
  throw new Error('Payouts are still under way after 30 slices');
}

describe.each([
  ['its issuer', () => ownDraft()],
  ['a distributor', () => distributedDraft()],
])('an MPT that %s pays out', (_, draft) => {
  it('is sold and arrives, to the unit', async () => {
    const sale = await draft();
    const investor = await stage.account();
    await authorize(stage, investor, sale.issuanceId);
    expect(await faultsOf(sale)).toEqual([]);
    await stage.settle(sale.deposit);
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({
      status: 'active',
      token: tokenOf(sale.issuanceId),
    });
    // The first tier's 1,000 tokens for 100 XRP, then 123.45 tokens at 0.2.
    await stage.pay(investor, sale, 124.69);
    await stage.settle(sale.deposit);
    await payOut();
    const held = await stage.ctx.ledger.mptHolding(investor.address, sale.issuanceId);
    expect(held?.amount).toBe(112_345n);
    const paid = await rowsOf(stage.database.db, 'payouts', { projectId: sale.project.id });
    expect(paid.map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
      ['distribution', 'validated', 112_345n],
    ]);
  });
});

describe('the terms of an MPT project', () => {
  it('name the issuance, and its issuer among the operating accounts, whose XRP is not an investment', async () => {
    const sale = await distributedDraft();
    const { canonical } = await getTerms(stage.ctx, sale.project.id);
    expect(JSON.parse(canonical)).toMatchObject({
      token: tokenOf(sale.issuanceId),
      operating_accounts: [sale.distributor.address, sale.issuer.address].toSorted(),
    });
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    const txHash = await stage.pay(sale.issuer, sale, 3, null);
    await stage.settle(sale.deposit);
    const [paid] = await rowsOf(stage.database.db, 'payments', { txHash });
    expect(paid).toMatchObject({ outcome: 'held', reason: 'operating_funds' });
  });
});

describe('an MPT project is refused for', () => {
  const create = async (token: unknown, body: Record<string, unknown> = {}) => {
    const [deposit, distributor] = (await stage.desk.accounts(2)) as [Wallet, Wallet];
    stage.entrust(deposit);
    const answer = await call(projectsRoute, 'POST', {
      apiKey: TEST_ADMIN_TOKEN,
      body: {
        name: 'Sale',
        token,
        distributor: distributor.address,
        deposit_address: deposit.address,
        tiers: [{ price_per_token: '0.10', total_tokens: '1000' }],
        ...body,
      },
    });
    return {
      status: answer.status,
      faults: ((answer.body.errors ?? []) as FieldError[]).map(({ field, message }) => `${field} ${message}`),
    };
  };

  it('decimals that are not its AssetScale', async () => {
    const id = await issue(stage, await stage.account(), { assetScale: 4 });
    expect(await create(tokenOf(id, 2))).toEqual({
      status: 400,
      faults: ['token.decimals must be 4, the AssetScale of the issuance'],
    });
    // The id in small letters is the same id.
    expect(await create(tokenOf(id.toLowerCase(), 4))).toEqual({ status: 201, faults: [] });
  });

  it('an issuance that does not exist', async () => {
    expect(await create(tokenOf('0'.repeat(47).concat('1')))).toEqual({
      status: 400,
      faults: ['token.issuance_id does not exist on the ledger'],
    });
  });

  it('an id that is none', async () => {
    expect((await create(tokenOf('0'.repeat(47)))).faults).toEqual([
      'token.issuance_id must be an MPT issuance id: 48 hex digits',
    ]);
  });

  it('more than may be issued, and takes exactly that', async () => {
    const id = await issue(stage, await stage.account(), { maximum: '100000' });
    expect(await create(tokenOf(id))).toEqual({ status: 201, faults: [] });
    expect(await create(tokenOf(id), { tiers: [{ price_per_token: '0.10', total_tokens: '1000.01' }] })).toEqual({
      status: 400,
      faults: ['tiers sell more than the 1000.000000 tokens that the issuance allows (MaximumAmount)'],
    });
  });

  it('more than an MPT can have, and takes exactly that, without decimals', async () => {
    const id = await issue(stage, await stage.account(), { assetScale: 0 });
    const most = (total_tokens: string) => ({ tiers: [{ price_per_token: '0.000000001', total_tokens }] });
    expect(await create(tokenOf(id, 0), most('9223372036854775807'))).toEqual({ status: 201, faults: [] });
    expect(await create(tokenOf(id, 0), most('9223372036854775808'))).toEqual({
      status: 400,
      faults: ['tiers sell more than 2^63 - 1 units in all, which is the most that an MPT can have'],
    });
  });

  it('a deposit address that is its issuer', async () => {
    const deposit = await stage.account();
    stage.entrust(deposit);
    const id = await issue(stage, deposit);
    expect((await create(tokenOf(id), { deposit_address: deposit.address })).faults).toEqual([
      'deposit_address must not be the issuer of the token',
    ]);
  });
});

describe('the launch of an MPT is refused', () => {
  it('when its issuer has destroyed it', async () => {
    const sale = await ownDraft();
    await stage.desk.send(sale.issuer, {
      TransactionType: 'MPTokenIssuanceDestroy',
      Account: sale.issuer.address,
      MPTokenIssuanceID: sale.issuanceId,
    });
    stage.desk.close();
    expect(await faultsOf(sale)).toEqual(['token.issuance_id does not exist on the ledger']);
  });

  it('while it is locked for everybody', async () => {
    const sale = await distributedDraft({ flags: LOCKABLE });
    await setLock(stage, sale.issuer, sale.issuanceId, Lock.tfMPTLock);
    expect(await faultsOf(sale)).toEqual(['token.issuance_id is locked by its issuer for all holders']);
    await setLock(stage, sale.issuer, sale.issuanceId, Lock.tfMPTUnlock);
    expect(await faultsOf(sale)).toEqual([]);
  });

  it('while the distributor’s tokens are locked', async () => {
    const sale = await distributedDraft({ flags: LOCKABLE });
    await setLock(stage, sale.issuer, sale.issuanceId, Lock.tfMPTLock, sale.distributor);
    expect(await faultsOf(sale)).toEqual(['distributor its tokens are locked by the issuer']);
  });

  it('when only its issuer could pay it out', async () => {
    const sale = await distributedDraft({ flags: 0 });
    expect(await faultsOf(sale)).toEqual([
      'token.issuance_id cannot be transferred (CanTransfer): then the distributor must be the issuer itself',
    ]);
    expect(await faultsOf(await ownDraft({ flags: 0 }))).toEqual([]);
  });

  it('when its transfer would cost a fee', async () => {
    const sale = await distributedDraft({ transferFee: 1 });
    expect(await faultsOf(sale)).toEqual([
      'token.issuance_id charges a transfer fee: then the distributor must be the issuer itself',
    ]);
    expect(await faultsOf(await ownDraft({ transferFee: 1 }))).toEqual([]);
  });

  it('when the distributor has not opted in', async () => {
    const issuer = await stage.account();
    const distributor = await stage.account();
    stage.entrust(distributor);
    const id = await issue(stage, issuer);
    const sale = await stage.draft({ token: tokenOf(id), distributor: distributor.address }, { issuer });
    expect(await faultsOf(sale)).toEqual(['distributor has not opted in to the token (MPTokenAuthorize)']);
  });

  it('when the issuer wants to authorise holders and has not authorised the distributor', async () => {
    const sale = await distributedDraft({ flags: Create.tfMPTCanTransfer | Create.tfMPTRequireAuth }, '0');
    expect(await faultsOf(sale)).toEqual([
      'distributor is not authorised by the issuer to hold the token',
      'distributor holds 0.000000 tokens; the sales that it pays for owe up to 6000.000000: send it 6000.000000 more, or lower total_tokens',
    ]);
    await authorize(stage, sale.issuer, sale.issuanceId, sale.distributor);
    await payUnits(stage, sale.issuer, sale.distributor, sale.issuanceId, SUPPLY);
    expect(await faultsOf(sale)).toEqual([]);
  });

  it('when the distributor lacks a single unit', async () => {
    expect(await faultsOf(await distributedDraft({}, '599999'))).toEqual([
      'distributor holds 5999.990000 tokens; the sales that it pays for owe up to 6000.000000: send it 0.010000 more, or lower total_tokens',
    ]);
  });

  it('when all sales of its issuer together need more than may still be issued', async () => {
    const first = await ownDraft({ maximum: '1200000' });
    const second = await stage.draft({ token: tokenOf(first.issuanceId) }, first);
    const holder = await stage.account();
    await authorize(stage, holder, first.issuanceId);
    await payUnits(stage, first.issuer, holder, first.issuanceId, '1');
    expect(await faultsOf(first)).toEqual([]);
    expect(await faultsOf(second)).toEqual([
      'token.issuance_id allows 11999.990000 tokens more (MaximumAmount); the sales that its issuer pays for owe up to 12000.000000: lower total_tokens by 0.010000',
    ]);
  });
});
