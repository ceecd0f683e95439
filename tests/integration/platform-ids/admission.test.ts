import { createHash, randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { encodeAccountID } from 'ripple-address-codec';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holderSyncs, platformIds } from '#drizzle/schema/holders.ts';
import { investments, listEntries, lists } from '#drizzle/schema/sale.ts';
import { createListFromPlatformIds } from '#lib/accounts/platform-ids/make-list.ts';
import { ALPHABET, withCheck } from '#lib/accounts/platform-ids/platform-id-form.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import { getList } from '#lib/sales/lists/get-list.ts';
import { ask } from '#tests/integration/operations/ask.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { writeSnapshot } from './snapshots.ts';

let stage: Stage;
let platformToken: string;
const token = TEST_ADMIN_TOKEN;
const reason = 'the round of the members';

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

/** Starts anew: a token without snapshots. */
const newToken = (): void => {
  platformToken = `PLT.${encodeAccountID(randomBytes(20))}`;
  stage.set({ PLATFORM_TOKEN: platformToken });
};
const snapshot = (held: { account: string; balance: string; excluded?: boolean }[]) =>
  writeSnapshot(stage.database.db, platformToken, held);

let given = 0;

/** Numbered: among thousands of draws two may be alike. */
async function giveIds(wallets: readonly string[]): Promise<void> {
  const rows = wallets.map((wallet) => {
    given += 1;
    const digits = [...given.toString(ALPHABET.length).padStart(7, '0')];
    return { id: withCheck(digits.map((digit) => ALPHABET[parseInt(digit, ALPHABET.length)]).join('')), wallet };
  });
  await stage.database.db.execute(sql`
    insert into ${platformIds} (id, wallet_address, created_at) select p.id, p.wallet, now()
    from ${bulkRows('p', { id: 'text', wallet: 'text' }, rows)}`);
}

const make = (sale: Sale, body: Record<string, unknown>) =>
  ask('createAllowlistFromPlatformIds', { token, params: { id: sale.project.id }, body: { reason, ...body } });
const draftsOf = (sale: Sale) => stage.database.db.$count(lists, eq(lists.projectId, sale.project.id));

describe('an allowlist of 5,000 Platform IDs', () => {
  test('holds exactly the wallets of the level at the snapshot, and is published and anchored like any list', async () => {
    newToken();
    const [admitted, refused] = [await stage.account(), await stage.account()];
    const members = Array.from({ length: 5_000 }, () => encodeAccountID(randomBytes(20)));
    // Around the level, to the last digit; some hold nothing, some hold much and have no Platform ID.
    const balances = ['999.999999999999999', '1000', '1000.000000000001', '0.5', '25000', null];
    const reaching = new Set(['1000', '1000.000000000001', '25000']);
    const held = members.flatMap((account, index) => {
      const balance = balances[index % balances.length] ?? null;
      return balance === null ? [] : [{ account, balance }];
    });
    const strangers = Array.from({ length: 500 }, () => ({
      account: encodeAccountID(randomBytes(20)),
      balance: '9999',
    }));
    const treasury = { account: encodeAccountID(randomBytes(20)), balance: '9999', excluded: true };
    await giveIds([...members, admitted.address, refused.address, treasury.account]);
    await snapshot(members.map((account) => ({ account, balance: '5000' })));
    const ledger = await snapshot([
      ...held,
      ...strangers,
      treasury,
      { account: admitted.address, balance: '1000' },
      { account: refused.address, balance: '999.9' },
    ]);
    const expected = [
      admitted.address,
      ...held.filter(({ balance }) => reaching.has(balance)).map(({ account }) => account),
    ].toSorted();

    const sale = await stage.draft();
    await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { access: 'allowlist' });
    const looked = await make(sale, { min_level: 'silver', dry_run: true });
    expect(looked).toMatchObject({
      status: 200,
      body: {
        dry_run: true,
        wallets: expected.length,
        required_balance: '1000.000000',
        ledger_index: ledger,
        list: null,
      },
    });
    expect(await draftsOf(sale)).toBe(0);
    const made = await make(sale, { min_level: 'silver', cap_xrp: '12.5', ledger_index: ledger });
    expect(made).toMatchObject({
      status: 201,
      body: { wallets: expected.length, list: { status: 'draft', entries: expected.length, hash: null } },
    });
    const list = made.body.list as { id: string };

    const committed = await ask('commitAllowlist', {
      token,
      params: { id: sale.project.id, list_id: list.id },
      body: { reason },
    });
    expect(committed).toMatchObject({ status: 202, body: { pending_action: { action: 'list' } } });
    await stage.settle(sale.deposit);
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    const published = await getList(stage.ctx, { projectId: sale.project.id, listId: list.id });
    let text = '';
    for await (const lines of published.lines) text += lines;
    expect(text).toBe(expected.map((wallet) => `{"wallet_address":"${wallet}","cap_xrp":"12.500000"}\n`).join(''));
    expect(createHash('sha256').update(text).digest('hex')).toBe(published.hash);

    await stage.pay(admitted, sale, 10);
    await stage.pay(refused, sale, 10);
    await stage.settle(sale.deposit);
    const rows = await stage.database.db
      .select({ wallet: investments.investorAccount, status: investments.status, reason: investments.reason })
      .from(investments)
      .where(eq(investments.projectId, sale.project.id));
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ wallet: admitted.address, status: 'confirmed', reason: null });
    expect(rows).toContainEqual({ wallet: refused.address, status: 'failed', reason: 'not_admitted' });
  });
});

describe('a list from Platform IDs', () => {
  const holding = async (...balances: string[]) => {
    newToken();
    const wallets = balances.map(() => encodeAccountID(randomBytes(20)));
    await giveIds(wallets);
    const ledger = await snapshot(wallets.map((account, index) => ({ account, balance: balances[index] ?? '1' })));
    return { wallets, ledger, sale: await stage.draft() };
  };

  test('leaves an entry that says by whom, why, and of which snapshot it was made', async () => {
    const { sale, ledger } = await holding('2', '0.1');
    const made = await make(sale, { min_level: 'holder' });
    const [entry] = await rowsOf(stage.database.db, 'auditEntries', { requestId: made.requestId });
    expect(entry).toMatchObject({
      actor: 'administrator:operator',
      action: 'list.create_from',
      subject: (made.body.list as { id: string }).id,
      reason,
      after: { entries: 2, source: { platform_ids: { min_level: 'holder', ledger_index: ledger } } },
    });
  });

  test('asks for what a Platform ID itself asks for, also at a lower level', async () => {
    const { sale } = await holding('2', '60');
    stage.set({ PLATFORM_ID_MIN_BALANCE: '50', PLATFORM_ID_LEVELS: 'one:1,hundred:100' });
    const looked = await make(sale, { min_level: 'one', dry_run: true });
    stage.set({ PLATFORM_ID_MIN_BALANCE: '', PLATFORM_ID_LEVELS: '' });
    expect(looked.body).toMatchObject({ wallets: 1, required_balance: '50.000000' });
  });

  test('leaves out who counts as no holder, also when that was said after the snapshot', async () => {
    const { sale, wallets } = await holding('2', '3');
    stage.set({ HOLDERS_EXCLUDED: wallets[0] });
    const looked = await make(sale, { min_level: 'bronze', dry_run: true });
    stage.set({ HOLDERS_EXCLUDED: '' });
    expect(looked.body).toMatchObject({ wallets: 1 });
  });

  test('is not made without a wallet, a snapshot, or the snapshot that was asked for', async () => {
    const { sale, ledger } = await holding('2');
    expect(await make(sale, { min_level: 'platinum' })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const older = await make(sale, { min_level: 'bronze', ledger_index: ledger - 1 });
    expect(older).toMatchObject({ status: 409, body: { detail: expect.stringContaining(String(ledger)) } });
    newToken();
    expect(await make(sale, { min_level: 'bronze' })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    stage.set({ PLATFORM_TOKEN: '' });
    expect(await make(sale, { min_level: 'bronze' })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('PLATFORM_TOKEN') },
    });
    expect(await draftsOf(sale)).toBe(0);
  });

  test('names the levels that there are to who asks for another, and asks for a cap above 0', async () => {
    const { sale } = await holding('2');
    for (const [body, field, message] of [
      [{ min_level: 'diamond' }, 'min_level', /holder, bronze, silver, gold, platinum/],
      [{ min_level: 'bronze', cap_xrp: '0' }, 'cap_xrp', /more than 0/],
    ] as const) {
      expect(await make(sale, body)).toMatchObject({
        status: 400,
        body: { errors: [{ field, message: expect.stringMatching(message) }] },
      });
    }
    const denied = await ask('createAllowlistFromPlatformIds', {
      token: TEST_READ_ONLY_TOKEN,
      params: { id: sale.project.id },
      body: { min_level: 'bronze', reason },
    });
    expect(denied.status).toBe(403);
  });

  test('is not made for a project that is not there, or is over', async () => {
    const { sale } = await holding('2');
    const params = { id: 'proj_0000000000000000000000' };
    const body = { min_level: 'bronze', reason };
    expect(await ask('createAllowlistFromPlatformIds', { token, params, body })).toMatchObject({ status: 404 });
    await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { status: 'completed' });
    expect(await make(sale, body)).toMatchObject({ status: 409, body: { code: 'transition_not_allowed' } });
  });

  test('is not made of a snapshot that another one has taken the place of while its balances were read', async () => {
    const { sale, wallets } = await holding('2');
    const before = await draftsOf(sale);
    // The newer one becomes whole between the two looks.
    let overtaken = false;
    const db = new Proxy(stage.database.db, {
      get(target, name) {
        if (name !== 'transaction' || overtaken) return Reflect.get(target, name);
        return async (...given: Parameters<typeof target.transaction>) => {
          overtaken = true;
          await snapshot([{ account: wallets[0] ?? '', balance: '3' }]);
          return target.transaction(...given);
        };
      },
    });
    const input = { projectId: sale.project.id, min_level: 'bronze', dry_run: false, reason };
    await expect(createListFromPlatformIds({ ...stage.ctx, db }, input)).rejects.toThrow(/newer snapshot/);
    expect(overtaken).toBe(true);
    expect(await draftsOf(sale)).toBe(before);
    expect(await stage.database.db.$count(listEntries, eq(listEntries.walletAddress, wallets[0] ?? ''))).toBe(0);
    expect(await stage.database.db.$count(holderSyncs, eq(holderSyncs.token, platformToken))).toBe(2);
  });
});
