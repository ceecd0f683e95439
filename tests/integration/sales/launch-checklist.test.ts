import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TrustSetFlags, Wallet } from 'xrpl';
import { actions } from '#drizzle/schema/sale.ts';
import type { FieldError } from '#lib/base/errors.ts';
import { readLaunchChecklist } from '#lib/sales/actions/launch-readiness.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { changeRows } from '#tests/support/rows.ts';
import { CURRENCY, openStage, type ProjectBody, type Sale, type Stage } from './stage.ts';

/** Tokens that a distributor of these tests holds, and that its sale sells. */
const HELD = '6000';
/** AccountDelete asks for an account that is this many ledgers old. */
const LEDGERS_BEFORE_DELETION = 256;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

/** A draft whose distributor is not the issuer and holds just what the sale sells. */
interface DistributedSale extends Sale {
  distributor: Wallet;
}

const amount = (issuer: Wallet, value: string) => ({ currency: CURRENCY, issuer: issuer.address, value });

async function trust(holder: Wallet, issuer: Wallet): Promise<void> {
  await stage.desk.send(holder, {
    TransactionType: 'TrustSet',
    Account: holder.address,
    LimitAmount: amount(issuer, '1000000000000000'),
  });
  stage.desk.close();
}

/** What the issuer says of one holder's line. */
async function setLine(issuer: Wallet, holder: Wallet, flags: TrustSetFlags): Promise<void> {
  await stage.desk.send(issuer, {
    TransactionType: 'TrustSet',
    Account: issuer.address,
    LimitAmount: { currency: CURRENCY, issuer: holder.address, value: '0' },
    Flags: flags,
  });
  stage.desk.close();
}

async function give(issuer: Wallet, holder: Wallet, value = HELD): Promise<void> {
  await stage.desk.send(issuer, {
    TransactionType: 'Payment',
    Account: issuer.address,
    Destination: holder.address,
    Amount: amount(issuer, value),
  });
  stage.desk.close();
}

/** New accounts, set up as they should be. */
async function parties(): Promise<Pick<DistributedSale, 'deposit' | 'issuer' | 'distributor'>> {
  const [deposit, distributor] = (await stage.desk.accounts(2)) as [Wallet, Wallet];
  const issuer = await stage.issuer();
  stage.entrust(distributor);
  await trust(distributor, issuer);
  await give(issuer, distributor);
  return { deposit, issuer, distributor };
}

async function draftOf(
  given: Pick<DistributedSale, 'deposit' | 'issuer' | 'distributor'>,
  body: Partial<ProjectBody> = {},
): Promise<DistributedSale> {
  const sale = await stage.draft({ distributor: given.distributor.address, ...body }, given);
  return { ...sale, distributor: given.distributor };
}

const draft = async (body?: Partial<ProjectBody>) => draftOf(await parties(), body);

/** Every fault that stands between this draft and its launch, as field and message. */
async function faultsOf(sale: Sale): Promise<string[]> {
  try {
    await stage.act(sale, 'launch');
  } catch (error) {
    const { code, errors } = error as { code: string; errors: FieldError[] };
    expect(code).toBe('launch_not_ready');
    // A launch that is refused leaves nothing behind.
    expect(await stage.database.db.$count(actions, eq(actions.projectId, sale.project.id))).toBe(0);
    expect((await getProject(stage.ctx, sale.project.id)).terms_hash).toBeNull();
    return errors.map(({ field, message }) => `${field} ${message}`);
  }
  return [];
}

describe('the checklist', () => {
  it.each([
    ['none', null, /is not set: a payment of one drop buys/],
    ['one below the refund minimum', '0.000999', /is below the refund minimum of 0\.001000 XRP/],
    ['one of the refund minimum', '0.001', null],
    ['1 XRP', '1', null],
  ])('warns of a sale without a smallest purchase, and lets it launch: %s', async (_, minimum, says) => {
    const sale = await stage.draft({ min_investment_xrp: minimum });
    const warning = { field: 'min_investment_xrp', message: expect.stringMatching(says ?? '') };
    expect(await readLaunchChecklist(stage.ctx, sale.project.id)).toEqual({
      faults: [],
      warnings: says === null ? [] : [warning],
    });
    expect(await faultsOf(sale)).toEqual([]);
  });
});

describe('a launch', () => {
  it('goes when the distributor holds exactly what the sale sells', async () => {
    expect(await faultsOf(await draft())).toEqual([]);
  });

  it('needs neither line nor tokens when the issuer pays out by itself', async () => {
    expect(await faultsOf(await stage.draft())).toEqual([]);
  });

  it('names every fault at once', async () => {
    const sale = await draft();
    await stage.setFlag(sale.deposit, 'asfDepositAuth');
    await stage.setFlag(sale.issuer, 'asfGlobalFreeze');
    await setLine(sale.issuer, sale.distributor, TrustSetFlags.tfSetFreeze);
    stage.entrust(sale.distributor, sale.deposit);
    expect((await faultsOf(sale)).map((fault) => fault.split(' ')[0])).toEqual([
      'distributor',
      'deposit_address',
      'token.issuer',
      'distributor',
    ]);
  });
});

describe('a launch is refused for its keys', () => {
  it('when the seed beside the distributor belongs to another account', async () => {
    const sale = await draft();
    stage.entrust(sale.distributor, sale.deposit);
    expect(await faultsOf(sale)).toEqual([
      `distributor cannot be signed for (SIGNING_KEYS): The signing key of account ${sale.distributor.address} is neither its master key nor its regular key on the ledger`,
    ]);
  });

  it('when the seed beside the deposit account belongs to another account', async () => {
    const sale = await draft();
    stage.entrust(sale.deposit, sale.distributor);
    expect(await faultsOf(sale)).toEqual([
      `deposit_address cannot be signed for (SIGNING_KEYS): The signing key of account ${sale.deposit.address} is neither its master key nor its regular key on the ledger`,
    ]);
  });

  it('when nobody can sign for the distributor', async () => {
    const given = await parties();
    const stranger = await stage.account();
    await trust(stranger, given.issuer);
    await give(given.issuer, stranger);
    expect(await faultsOf(await draftOf({ ...given, distributor: stranger }))).toEqual([
      `distributor cannot be signed for (SIGNING_KEYS): No signing key is configured for account ${stranger.address}`,
    ]);
  });

  it.each(['deposit', 'distributor'] as const)('when the master key of the %s is disabled', async (role) => {
    const sale = await draft();
    const account = sale[role];
    await stage.desk.send(account, {
      TransactionType: 'SetRegularKey',
      Account: account.address,
      RegularKey: Wallet.generate().address,
    });
    await stage.setFlag(account, 'asfDisableMaster');
    expect(await faultsOf(sale)).toEqual([
      `${role === 'deposit' ? 'deposit_address' : 'distributor'} cannot be signed for (SIGNING_KEYS): The master key of account ${account.address} is disabled, and no regular key of it is configured`,
    ]);
  });
});

describe('a launch is refused for the paying accounts', () => {
  it('when nobody could pay in (DepositAuth)', async () => {
    const sale = await draft();
    await stage.setFlag(sale.deposit, 'asfDepositAuth');
    expect(await faultsOf(sale)).toEqual(['deposit_address has DepositAuth set, so nobody can pay it']);
  });

  it('when they cannot afford reserves, ten more objects and fees', async () => {
    const issuer = await stage.issuer();
    const [deposit, distributor] = (await stage.desk.accounts(2, 7.9)) as [Wallet, Wallet];
    stage.entrust(distributor);
    await trust(distributor, issuer);
    await give(issuer, distributor);
    // 1 XRP the account, 0.2 each object, 5 for fees; the distributor owns its line besides.
    expect(await faultsOf(await draftOf({ deposit, issuer, distributor }))).toEqual([
      'deposit_address needs at least 8.000000 XRP for reserves, tickets and fees',
      'distributor needs at least 8.200000 XRP for reserves, tickets and fees',
    ]);
  });

  it('when they or the issuer are gone since the draft was made', async () => {
    const given = {
      deposit: await stage.account(),
      distributor: await stage.account(),
      issuer: await stage.issuer(),
    };
    stage.entrust(given.distributor);
    const sale = await draftOf(given);
    const heir = await stage.account();
    stage.desk.close(LEDGERS_BEFORE_DELETION);
    for (const account of Object.values(given)) {
      await stage.desk.send(account, {
        TransactionType: 'AccountDelete',
        Account: account.address,
        Destination: heir.address,
      });
    }
    stage.desk.close();
    expect(await faultsOf(sale)).toEqual([
      'deposit_address does not exist on the ledger',
      'distributor does not exist on the ledger',
      'treasury does not exist on the ledger',
      'token.issuer does not exist on the ledger',
    ]);
  });
});

describe('a launch is refused for the treasury', () => {
  it('when none is named: what the sale raises could never be released', async () => {
    const sale = await stage.draft({ treasury: null });
    await expect(stage.act(sale, 'launch')).rejects.toMatchObject({
      code: 'launch_not_ready',
      errors: [{ field: 'treasury', message: expect.stringContaining('could never be released') }],
    });
    expect(await faultsOf(sale)).toHaveLength(1);
  });

  it('when it is gone since the draft was made', async () => {
    const treasury = await stage.account();
    const sale = await stage.draft({ treasury: treasury.address });
    stage.desk.close(LEDGERS_BEFORE_DELETION);
    await stage.desk.send(treasury, {
      TransactionType: 'AccountDelete',
      Account: treasury.address,
      Destination: sale.issuer.address,
    });
    stage.desk.close();
    expect(await faultsOf(sale)).toEqual(['treasury does not exist on the ledger']);
  });
});

describe('a launch is refused for the token', () => {
  it('when holders could not receive from the distributor (no DefaultRipple)', async () => {
    const [deposit, distributor, issuer] = (await stage.desk.accounts(3)) as [Wallet, Wallet, Wallet];
    stage.entrust(distributor);
    await trust(distributor, issuer);
    await give(issuer, distributor);
    expect(await faultsOf(await draftOf({ deposit, issuer, distributor }))).toEqual([
      'token.issuer must have DefaultRipple set, or holders cannot receive from the distributor',
    ]);
  });

  it('when its transfer would cost a fee', async () => {
    const sale = await draft();
    await stage.desk.send(sale.issuer, {
      TransactionType: 'AccountSet',
      Account: sale.issuer.address,
      TransferRate: 1_000_000_001,
    });
    stage.desk.close();
    expect(await faultsOf(sale)).toEqual([
      'token.issuer charges a transfer fee: then the distributor must be the issuer itself',
    ]);
  });

  it('when it is frozen for everybody, even if the issuer pays out by itself', async () => {
    const sale = await draft();
    const byIssuer = await stage.draft();
    for (const { issuer } of [sale, byIssuer]) await stage.setFlag(issuer, 'asfGlobalFreeze');
    for (const each of [sale, byIssuer]) {
      expect(await faultsOf(each)).toEqual(['token.issuer has frozen its tokens globally']);
    }
  });

  it('when the distributor has no line to its issuer', async () => {
    const [deposit, distributor] = (await stage.desk.accounts(2)) as [Wallet, Wallet];
    stage.entrust(distributor);
    const sale = await draftOf({ deposit, distributor, issuer: await stage.issuer() });
    expect(await faultsOf(sale)).toEqual(['distributor has no trust line to the issuer of the token']);
  });

  it('when the issuer has frozen the distributor’s line', async () => {
    const sale = await draft();
    await setLine(sale.issuer, sale.distributor, TrustSetFlags.tfSetFreeze);
    expect(await faultsOf(sale)).toEqual(['distributor its trust line is frozen by the issuer']);
  });

  it('when the issuer wants to authorise lines and has not authorised the distributor’s', async () => {
    const [deposit, distributor] = (await stage.desk.accounts(2)) as [Wallet, Wallet];
    const issuer = await stage.issuer();
    await stage.setFlag(issuer, 'asfRequireAuth');
    stage.entrust(distributor);
    await trust(distributor, issuer);
    const sale = await draftOf({ deposit, issuer, distributor });
    expect(await faultsOf(sale)).toEqual([
      'distributor its trust line is not authorised by the issuer',
      'distributor holds 0.000000 tokens; the sales that it pays for owe up to 6000.000000: send it 6000.000000 more, or lower total_tokens',
    ]);
    await setLine(issuer, distributor, TrustSetFlags.tfSetfAuth);
    await give(issuer, distributor);
    expect(await faultsOf(sale)).toEqual([]);
  });

  it('when the distributor lacks a single unit of it', async () => {
    const sale = await draft({ tiers: [{ price_per_token: '0.10', total_tokens: '6000.000001' }] });
    expect(await faultsOf(sale)).toEqual([
      'distributor holds 6000.000000 tokens; the sales that it pays for owe up to 6000.000001: send it 0.000001 more, or lower total_tokens',
    ]);
  });
});

describe('a launch is refused for what its distributor owes already', () => {
  const half: Partial<ProjectBody> = { tiers: [{ price_per_token: '0.10', total_tokens: '3000' }] };
  const most: Partial<ProjectBody> = { tiers: [{ price_per_token: '0.10', total_tokens: '5000' }] };
  const tooMuch = [
    'distributor holds 6000.000000 tokens; the sales that it pays for owe up to 10000.000000: send it 4000.000000 more, or lower total_tokens',
  ];

  it('when another launch on the same tokens is on its way, and still when that sale runs', async () => {
    const given = await parties();
    const [first, second] = [await draftOf(given, most), await draftOf(given, most)];
    await stage.act(first, 'launch');
    expect(await faultsOf(second)).toEqual(tooMuch);
    await stage.settle(first.deposit);
    expect(await faultsOf(second)).toEqual(tooMuch);
  });

  it('also when both are asked for at once, from deposit accounts of their own', async () => {
    const given = await parties();
    for (let round = 0; round < 3; round++) {
      const pair = [
        await draftOf({ ...given, deposit: await stage.account() }, most),
        await draftOf({ ...given, deposit: await stage.account() }, most),
      ];
      const settled = await Promise.allSettled(pair.map((sale) => stage.act(sale, 'launch')));
      expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const refused = settled.find((each) => each.status === 'rejected');
      expect(refused?.reason).toMatchObject({ code: 'launch_not_ready' });
      // The winner ends, so that the next round begins with nothing owed.
      for (const sale of pair) {
        await stage.settle(sale.deposit);
        if ((await getProject(stage.ctx, sale.project.id)).status === 'active') await stage.act(sale, 'end');
        await stage.settle(sale.deposit);
      }
    }
  });

  it('not when there is enough for both, or when the other is a mere draft or sells other tokens', async () => {
    const given = await parties();
    const [first, second] = [await draftOf(given, half), await draftOf(given, half)];
    expect(await faultsOf(first)).toEqual([]);
    expect(await faultsOf(second)).toEqual([]);
    const others = await parties();
    await draftOf(others, most);
    expect(await faultsOf(await draftOf(others, most))).toEqual([]);
    const otherToken = { kind: 'iou', currency: 'OTH', issuer: others.issuer.address } as const;
    const otherSale = await draftOf(others, { ...most, token: otherToken });
    expect(await faultsOf(otherSale)).toEqual(['distributor has no trust line to the issuer of the token']);
  });

  it('when the other sale counts the same tokens with other decimals', async () => {
    const given = await parties();
    const token = { kind: 'iou', currency: CURRENCY, issuer: given.issuer.address } as const;
    const whole = await draftOf(given, { ...most, token: { ...token, decimals: 0 } });
    await stage.act(whole, 'launch');
    await stage.settle(whole.deposit);
    expect(await faultsOf(await draftOf(given, most))).toEqual(tooMuch);
    // As many tokens as there can be at no decimals do not overflow the count at six.
    const vast = await parties();
    await give(vast.issuer, vast.distributor, '999999999994000');
    const tokenOfVast = { kind: 'iou', currency: CURRENCY, issuer: vast.issuer.address, decimals: 0 } as const;
    const all = await draftOf(vast, {
      token: tokenOfVast,
      tiers: [{ price_per_token: '0.000001', total_tokens: '1000000000000000' }],
    });
    expect(await faultsOf(all)).toEqual([]);
    const oneMore = await draftOf(vast, { tiers: [{ price_per_token: '0.10', total_tokens: '0.000001' }] });
    expect(await faultsOf(oneMore)).toEqual([
      'distributor holds 1000000000000000.000000 tokens; the sales that it pays for owe up to 1000000000000000.000001: send it 0.000001 more, or lower total_tokens',
    ]);
  });

  it.each(['immediate', 'at_end'] as const)(
    'when tokens sold before, %s, are not paid out yet',
    async (distribution) => {
      const given = await parties();
      const earlier = await draftOf(given, { ...half, distribution });
      await stage.act(earlier, 'launch');
      const investor = await stage.account();
      await stage.settle(earlier.deposit);
      await stage.pay(investor, earlier, 150);
      stage.desk.close();
      await stage.act(earlier, 'end');
      await stage.settle(earlier.deposit);
      // 1,500 tokens are owed; the sale's other 1,500 are free again.
      expect(await faultsOf(await draftOf(given, most))).toEqual([
        'distributor holds 6000.000000 tokens; the sales that it pays for owe up to 6500.000000: send it 500.000000 more, or lower total_tokens',
      ]);
      const rest = { tiers: [{ price_per_token: '0.10', total_tokens: '4500' }] };
      expect(await faultsOf(await draftOf(given, rest))).toEqual([]);
    },
  );
});

describe('a launch is refused for its list', () => {
  const message = 'asks for an allowlist, and none is in force: upload one and commit it first';
  const tiers = (...access: ('open' | 'allowlist')[]) => ({
    tiers: access.map((each) => ({ price_per_token: '0.10', total_tokens: '1000', access: each })),
  });

  it('when the sale or its first tier asks for one and none is in force', async () => {
    const whole = await stage.draft({ access: 'allowlist' });
    const first = await stage.draft(tiers('allowlist', 'open'));
    expect(await faultsOf(whole)).toEqual([`access ${message}`]);
    expect(await faultsOf(first)).toEqual([`tiers[0].access ${message}`]);
    for (const sale of [whole, first]) {
      await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { listHash: '0'.repeat(64) });
      expect(await faultsOf(sale)).toEqual([]);
    }
  });

  it('not for a later tier: its list may still come', async () => {
    expect(await faultsOf(await stage.draft(tiers('open', 'allowlist')))).toEqual([]);
  });
});

describe('a launch is refused for its dates', () => {
  it('when the end has come while the draft lay', async () => {
    const endsAtMs = stage.ctx.clock.nowMs() + 60_000;
    const sale = await draft({ ends_at: new Date(endsAtMs).toISOString() });
    stage.ctx.clock.set(endsAtMs);
    try {
      expect(await faultsOf(sale)).toEqual(['ends_at lies in the past']);
    } finally {
      stage.ctx.clock.set(endsAtMs - 60_000);
    }
  });
});
