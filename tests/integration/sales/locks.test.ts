import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MPTokenIssuanceCreateFlags, type Wallet } from 'xrpl';
import { startLedger } from 'xrpl-sandbox/index.ts';
import type { FieldError } from '#lib/base/errors.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import { projectInput } from '#lib/sales/projects/project-input.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import {
  CONDITION,
  endEscrow,
  type LockScene,
  ledgerSeconds,
  lockScene,
  passLedgerSeconds,
  teamLock,
  UNTIL,
  UNTIL_SECONDS,
} from './escrows.ts';
import { authorize, issue, payUnits } from './issuance.ts';
import { openStage, type ProjectBody, type Sale, type Stage } from './stage.ts';

let stage: Stage;
let scene: LockScene;

beforeAll(async () => {
  stage = await openStage();
  scene = await lockScene(stage);
});
afterAll(() => stage?.end());

const draft = (locks: ProjectBody['locks'], body: Partial<ProjectBody> = {}) =>
  stage.draft({ locks, ...body }, { issuer: scene.issuer });

const patch = (sale: Sale, locks: ProjectBody['locks']) =>
  patchProject(stage.ctx, {
    id: sale.project.id,
    patch: { locks: projectInput.shape.locks.parse(locks) },
    reason: 'locks',
  });

const faultsOf = async (asked: Promise<unknown>): Promise<FieldError[]> => {
  const error = (await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )) as { code?: string; errors?: FieldError[] } | null;
  expect(error?.code).toBe('invalid_request');
  return error?.errors ?? [];
};

describe('a lock of a draft', () => {
  it('stands in the terms and in the project with the ledgers of its escrows, and a sale without locks has none', async () => {
    const hash = await scene.lock();
    const sale = await draft([teamLock(scene, [hash.toLowerCase()])]);
    const lock = {
      label: 'Team',
      receiver: scene.team.address,
      amount: '100.000000',
      until: UNTIL,
      escrows: [{ transaction_hash: hash, ledger_index: expect.any(Number) }],
    };
    expect(sale.project.locks).toEqual([lock]);
    expect(JSON.parse((await getTerms(stage.ctx, sale.project.id)).canonical).locks).toEqual([lock]);
    const { project } = await draft([]);
    expect(JSON.parse((await getTerms(stage.ctx, project.id)).canonical)).not.toHaveProperty('locks');
  });

  it('needs an amount of the token and a time ahead, and no escrow proves two locks', async () => {
    const hash = await scene.lock();
    const wrong = [
      teamLock(scene, [hash], { amount: '0' }),
      teamLock(scene, [hash], { amount: '0.0000001' }),
      teamLock(scene, [], { until: '2020-01-01T00:00:00Z' }),
    ];
    expect(await faultsOf(draft(wrong))).toEqual([
      { field: 'locks[0].amount', message: expect.stringContaining('positive decimal') },
      { field: 'locks[1].amount', message: expect.stringContaining('at most 6 fractional digits') },
      { field: 'locks[1].escrows[0]', message: expect.stringContaining('is named already') },
      { field: 'locks[2].until', message: 'must be in the future' },
    ]);
  });

  it('changes with the draft, which stays whole when an escrow does not last as long as the lock then asks', async () => {
    const hash = await scene.lock();
    const sale = await draft([]);
    expect((await patch(sale, [teamLock(scene, [hash])])).locks).toHaveLength(1);
    const later = new Date(Date.parse(UNTIL) + 1000).toISOString();
    expect(await faultsOf(patch(sale, [teamLock(scene, [hash], { until: later })]))).toEqual([
      { field: 'locks[0].escrows[0]', message: `can be finished after ${UNTIL}, before ${later}` },
    ]);
    expect((await getProject(stage.ctx, sale.project.id)).locks[0]?.until).toBe(UNTIL);
  });

  it('is not written while no ledger server answers', async () => {
    const hash = await scene.lock();
    const { project } = await draft([teamLock(scene, [hash])]);
    const { token, deposit_address, distributor } = project;
    const input = projectInput.parse({
      name: 'Sale',
      token,
      tiers: [{ price_per_token: '1', total_tokens: '1' }],
      deposit_address,
      distributor,
      locks: [teamLock(scene, [hash])],
    });
    await expect(createProject(stage.cutOff, input)).rejects.toMatchObject({ code: 'ledger_unavailable' });
  });
});

/** The fault of naming this transaction as the only escrow of the team's lock. */
const faultOf = async (hash: string): Promise<string> => {
  const [fault, ...others] = await faultsOf(draft([teamLock(scene, [hash])]));
  expect(others).toEqual([]);
  expect(fault?.field).toBe('locks[0].escrows[0]');
  return fault?.message ?? '';
};

describe('an escrow counts for nothing', () => {
  it('when it holds a token of the same code by another issuer, or XRP', async () => {
    const other = await lockScene(stage);
    expect(await faultOf(await other.lock({ Destination: scene.team.address }))).toContain('another asset');
    expect(await faultOf(await scene.lock({ Amount: '100000000' }))).toContain('another asset');
  });

  it('when it can be finished a second before the lock ends', async () => {
    expect(await faultOf(await scene.lock({ FinishAfter: UNTIL_SECONDS - 1 }))).toContain('before');
    await draft([teamLock(scene, [await scene.lock({ FinishAfter: UNTIL_SECONDS })])]);
  });

  it('when it goes to somebody else than the lock says', async () => {
    expect(await faultOf(await scene.lock({ Destination: scene.holder.address }))).toContain('and the lock to');
  });

  it('when a fulfilment that the team knows could release it at any time; with a FinishAfter a condition only makes it later', async () => {
    const until = { FinishAfter: undefined, CancelAfter: UNTIL_SECONDS + 1, Condition: CONDITION };
    expect(await faultOf(await scene.lock(until as object))).toContain('has no FinishAfter');
    await draft([teamLock(scene, [await scene.lock({ Condition: CONDITION })])]);
  });

  it('when it has been finished or cancelled before', async () => {
    const now = await ledgerSeconds(stage);
    const finished = await scene.lock({ FinishAfter: now + 20 });
    const cancelled = await scene.lock({ FinishAfter: now + 20, CancelAfter: now + 21 });
    await passLedgerSeconds(stage, now + 21);
    await endEscrow(stage, scene.holder, finished, 'EscrowFinish');
    await endEscrow(stage, scene.holder, cancelled, 'EscrowCancel');
    for (const hash of [finished, cancelled]) expect(await faultOf(hash)).toContain('can be finished after');
  });

  it('when its creation failed, is not validated yet, is something else, or never was', async () => {
    const failed = await scene.lock({ Amount: scene.amount('1000000') });
    const paid = await stage.desk.send(scene.holder, {
      TransactionType: 'Payment',
      Account: scene.holder.address,
      Destination: scene.team.address,
      Amount: '1',
    });
    expect(await faultOf(paid)).toContain('no validated, successful EscrowCreate');
    stage.desk.close();
    for (const hash of [failed, paid, 'F'.repeat(64)]) {
      expect(await faultOf(hash)).toContain('no validated, successful EscrowCreate');
    }
  });
});

describe('a launch', () => {
  const faultsAtLaunch = async (sale: Sale): Promise<FieldError[]> => {
    const error = (await stage.act(sale, 'launch').then(
      () => null,
      (thrown: unknown) => thrown,
    )) as { code?: string; errors?: FieldError[] } | null;
    expect(error?.code).toBe('launch_not_ready');
    return error?.errors ?? [];
  };

  it('is refused until the escrows of each lock its amount, and says what to sign', async () => {
    const first = await scene.lock({ Amount: scene.amount('60.5') });
    const sale = await draft([teamLock(scene, [first])]);
    const [fault, ...others] = await faultsAtLaunch(sale);
    expect(others).toEqual([]);
    expect(fault).toMatchObject({
      field: 'locks[0]',
      message: expect.stringContaining('its escrows lock 60.500000 of 100.000000 tokens'),
    });
    const toSign = JSON.parse(fault?.message.slice(fault.message.indexOf('{')) ?? '');
    expect(toSign).toEqual({
      TransactionType: 'EscrowCreate',
      Destination: scene.team.address,
      Amount: scene.amount('39.5'),
      FinishAfter: UNTIL_SECONDS,
    });
    const second = await scene.lock(toSign);
    await patch(sale, [teamLock(scene, [first, second])]);
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    const { status, locks } = await getProject(stage.ctx, sale.project.id);
    expect(status).toBe('active');
    expect(locks[0]?.escrows.map(({ transaction_hash: hash }) => hash)).toEqual([first, second]);
    await expect(patch(sale, [])).rejects.toMatchObject({ code: 'conflict' });
  });

  it('says that the issuer must allow escrows where it does not', async () => {
    const issuer = await stage.issuer();
    const sale = await stage.draft({ locks: [teamLock(scene)] }, { issuer });
    expect((await faultsAtLaunch(sale)).map(({ field }) => field)).toEqual(['locks[0]', 'token.issuer']);
  });

  it('is refused when a lock has ended meanwhile', async () => {
    const until = new Date(stage.ctx.clock.nowMs() + 1).toISOString();
    const hash = await scene.lock();
    const sale = await draft([teamLock(scene, [hash], { until })]);
    stage.ctx.clock.advance(1);
    expect(await faultsAtLaunch(sale)).toEqual([{ field: 'locks[0].until', message: 'lies in the past' }]);
  });

  it('counts an MPT that an account has escrowed to itself, and says when an issuance cannot be', async () => {
    const { tfMPTCanTransfer, tfMPTCanEscrow } = MPTokenIssuanceCreateFlags;
    const issuer = await stage.account();
    const id = await issue(stage, issuer, { flags: tfMPTCanTransfer | tfMPTCanEscrow });
    const fixed = await issue(stage, issuer);
    const { team } = scene;
    await authorize(stage, team, id);
    await payUnits(stage, issuer, team, id, '10000');
    const mine = { Account: team.address, Destination: team.address, FinishAfter: UNTIL_SECONDS };
    const hash = await stage.desk.send(team as Wallet, {
      TransactionType: 'EscrowCreate',
      ...mine,
      Amount: { mpt_issuance_id: id, value: '10000' },
    });
    stage.desk.close();
    const token = { kind: 'mpt', decimals: 2 } as const;
    const sale = await stage.draft(
      { token: { ...token, issuance_id: id }, locks: [teamLock(scene, [hash])] },
      { issuer },
    );
    await stage.act(sale, 'launch');
    const other = await stage.draft({ token: { ...token, issuance_id: fixed }, locks: [teamLock(scene)] }, { issuer });
    expect(await faultsAtLaunch(other)).toContainEqual({
      field: 'token.issuance_id',
      message: 'cannot be held in escrow (CanEscrow): remove the locks',
    });
  });
});

describe('with two ledger servers', () => {
  it('an escrow counts only when both show it alike, and nothing is written while one of them is silent', async () => {
    const sale = await draft([]);
    const peer = await startLedger({ peerOf: stage.desk.ledger });
    const urls = [stage.desk.ledger.wsUrl, peer.wsUrl];
    stage.set({ XRPL_URLS: urls.join(',') });
    const ledger = openLedger({ urls, networkId: NETWORK_ID });
    try {
      const hash = await scene.lock();
      const ctx = { ...stage.ctx, ledger };
      const write = (port = ledger) =>
        patchProject(
          { ...ctx, ledger: port },
          {
            id: sale.project.id,
            patch: { locks: projectInput.shape.locks.parse([teamLock(scene, [hash])]) },
            reason: 'locks',
          },
        );
      const shown = await ledger.createdEscrow(hash, null);
      const twoSay = (answers: unknown[]) =>
        ({ ...ledger, createdEscrowEverywhere: async () => answers }) as typeof ledger;
      for (const answers of [
        [shown, null],
        [shown, { ...shown, finishAfterMs: 0 }],
      ]) {
        expect(await faultsOf(write(twoSay(answers)))).toMatchObject([{ field: 'locks[0].escrows[0]' }]);
      }
      await expect(write(twoSay([shown]))).rejects.toMatchObject({ code: 'ledger_unavailable' });
      expect((await write()).locks).toHaveLength(1);
    } finally {
      stage.set({ XRPL_URLS: stage.desk.ledger.wsUrl });
      await ledger.close();
      await peer.close();
    }
  });
});
