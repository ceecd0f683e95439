import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AccountSetAsfFlags,
  MPTokenIssuanceCreateFlags as Create,
  MPTokenIssuanceSetFlags as Lock,
  Wallet,
} from 'xrpl';
import { getProjectToken } from '#lib/sales/projects/get-token.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import * as route from '../../../app/api/projects/[id]/token/route.ts';
import { authorize, issue, payUnits, setLock } from './issuance.ts';
import { CURRENCY, openStage, type Sale, type Stage } from './stage.ts';

/** Its key is known to nobody. */
const KEYLESS = 'rrrrrrrrrrrrrrrrrrrrBZbvji';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

/** Asks after what was remembered is forgotten. */
const tokenOf = async (sale: Pick<Sale, 'project'>) => {
  stage.ctx.clock.advance(30_000);
  return (await getProjectToken(stage.ctx, sale.project.id)).token;
};

/** An account that nobody can sign for any more, but for its signer list if it has one. */
async function giveUpKeys(account: Wallet): Promise<void> {
  await stage.desk.send(account, {
    TransactionType: 'SetRegularKey',
    Account: account.address,
    RegularKey: KEYLESS,
  });
  await stage.setFlag(account, 'asfDisableMaster');
}

describe('the issuer of an issued currency', () => {
  it('can do what a new account can: mint, freeze and charge, but not claw back', async () => {
    const sale = await stage.draft();
    const { validatedIndex } = await stage.ctx.ledger.serverState();
    const { status, body } = await call(route, 'GET', { params: { id: sale.project.id } });
    expect([status, body]).toEqual([
      200,
      {
        project_id: sale.project.id,
        token: {
          kind: 'iou',
          currency: CURRENCY,
          issuer: sale.issuer.address,
          ledger_index: validatedIndex,
          issuer_black_holed: false,
          can_mint: true,
          can_freeze: true,
          global_freeze: false,
          can_claw_back: false,
          requires_authorization: false,
          transfer_fee_percent: 0,
          can_charge_transfer_fee: true,
          default_ripple: true,
        },
      },
    ]);
  });

  it('shows each of its settings', async () => {
    const frozen = await stage.draft();
    await stage.setFlag(frozen.issuer, 'asfGlobalFreeze');
    await stage.setFlag(frozen.issuer, 'asfRequireAuth');
    await stage.desk.send(frozen.issuer, {
      TransactionType: 'AccountSet',
      Account: frozen.issuer.address,
      TransferRate: 1_012_500_000,
      ClearFlag: AccountSetAsfFlags.asfDefaultRipple,
    });
    stage.desk.close();
    expect(await tokenOf(frozen)).toMatchObject({
      global_freeze: true,
      requires_authorization: true,
      transfer_fee_percent: 1.25,
      default_ripple: false,
    });
    const clawing = await stage.draft();
    await stage.setFlag(clawing.issuer, 'asfAllowTrustLineClawback');
    expect(await tokenOf(clawing)).toMatchObject({ can_claw_back: true, can_freeze: true });
    const unfrozen = await stage.draft();
    await stage.setFlag(unfrozen.issuer, 'asfNoFreeze');
    expect(await tokenOf(unfrozen)).toMatchObject({ can_freeze: false, global_freeze: false });
  });

  it('can do nothing once nobody can sign for it', async () => {
    const sale = await stage.draft();
    await stage.setFlag(sale.issuer, 'asfAllowTrustLineClawback');
    await giveUpKeys(sale.issuer);
    expect(await tokenOf(sale)).toMatchObject({
      issuer_black_holed: true,
      can_mint: false,
      can_freeze: false,
      can_claw_back: false,
      can_charge_transfer_fee: false,
      default_ripple: true,
    });
  });

  it.each(['a regular key', 'a signer list'])('can do everything as long as it has %s', async (means) => {
    const sale = await stage.draft();
    const signer = Wallet.generate().address;
    if (means === 'a signer list') {
      await stage.desk.send(sale.issuer, {
        TransactionType: 'SignerListSet',
        Account: sale.issuer.address,
        SignerQuorum: 1,
        SignerEntries: [{ SignerEntry: { Account: signer, SignerWeight: 1 } }],
      });
      await giveUpKeys(sale.issuer);
    } else {
      await stage.desk.send(sale.issuer, {
        TransactionType: 'SetRegularKey',
        Account: sale.issuer.address,
        RegularKey: signer,
      });
      await stage.setFlag(sale.issuer, 'asfDisableMaster');
    }
    expect(await tokenOf(sale)).toMatchObject({ issuer_black_holed: false, can_mint: true });
  });
});

describe('the issuer of an MPT', () => {
  const ALL =
    Create.tfMPTCanLock |
    Create.tfMPTRequireAuth |
    Create.tfMPTCanEscrow |
    Create.tfMPTCanTrade |
    Create.tfMPTCanTransfer |
    Create.tfMPTCanClawback;

  it('shows what it may do, and what it has done', async () => {
    const issuer = await stage.account();
    const holder = await stage.account();
    const id = await issue(stage, issuer, { flags: ALL, maximum: '600100', transferFee: 1_500 });
    const sale = await stage.draft({ token: { kind: 'mpt', issuance_id: id, decimals: 2 } }, { issuer });
    await authorize(stage, holder, id);
    await authorize(stage, issuer, id, holder);
    await payUnits(stage, issuer, holder, id, '600099');
    const shown = {
      kind: 'mpt',
      issuance_id: id,
      issuer: issuer.address,
      ledger_index: expect.any(Number),
      issuer_black_holed: false,
      can_mint: true,
      outstanding_tokens: '6000.990000',
      maximum_tokens: '6001.000000',
      can_lock: true,
      locked: false,
      can_claw_back: true,
      requires_authorization: true,
      transfer_fee_percent: 1.5,
      can_transfer: true,
      can_trade: true,
      can_escrow: true,
      declared_immutable: [],
    };
    expect(await tokenOf(sale)).toEqual(shown);
    await payUnits(stage, issuer, holder, id, '1');
    await setLock(stage, issuer, id, Lock.tfMPTLock);
    expect(await tokenOf(sale)).toEqual({
      ...shown,
      can_mint: false,
      outstanding_tokens: '6001.000000',
      locked: true,
    });
  });

  it('can do nothing with a plain one but mint, up to all that there can be', async () => {
    const issuer = await stage.account();
    const id = await issue(stage, issuer, { flags: 0, assetScale: 0 });
    const sale = await stage.draft({ token: { kind: 'mpt', issuance_id: id, decimals: 0 } }, { issuer });
    const nothing = {
      can_lock: false,
      can_claw_back: false,
      requires_authorization: false,
      transfer_fee_percent: 0,
      can_transfer: false,
      can_trade: false,
      can_escrow: false,
    };
    const most = { outstanding_tokens: '0.000000', maximum_tokens: '9223372036854775807.000000' };
    expect(await tokenOf(sale)).toMatchObject({ ...nothing, ...most, can_mint: true });
    await giveUpKeys(issuer);
    expect(await tokenOf(sale)).toMatchObject({ ...nothing, ...most, can_mint: false, issuer_black_holed: true });
  });

  it('is not found once the issuance is destroyed', async () => {
    const issuer = await stage.account();
    const id = await issue(stage, issuer);
    const sale = await stage.draft({ token: { kind: 'mpt', issuance_id: id, decimals: 2 } }, { issuer });
    await stage.desk.send(issuer, {
      TransactionType: 'MPTokenIssuanceDestroy',
      Account: issuer.address,
      MPTokenIssuanceID: id,
    });
    stage.desk.close();
    await expect(tokenOf(sale)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the answer', () => {
  it('is remembered for half a minute, and a failure is not', async () => {
    const sale = await stage.draft();
    const ask = (ctx = stage.ctx) => getProjectToken(ctx, sale.project.id);
    await expect(ask(stage.cutOff)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    const first = await ask();
    await stage.setFlag(sale.issuer, 'asfGlobalFreeze');
    stage.ctx.clock.advance(29_999);
    expect(await ask()).toEqual(first);
    stage.ctx.clock.advance(1);
    expect((await ask()).token).toMatchObject({ global_freeze: true });
  });

  it('is none for a project that there is not', async () => {
    const { status, body } = await call(route, 'GET', { params: { id: `proj_${'0'.repeat(22)}` } });
    expect([status, body.code]).toEqual([404, 'project_not_found']);
  });
});
