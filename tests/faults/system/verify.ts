import { setTimeout as pause } from 'node:timers/promises';
import { runVerification } from '@tranche/verifier/command.ts';
import { sql } from 'drizzle-orm';
import { readHistory } from '#tests/faults/ledger-history.ts';
import { verifyMoney } from './verify-money.ts';
import { verifyPayouts } from './verify-payouts.ts';
import type { World } from './world.ts';

/** On a starved machine, too. */
const STATUS_MS = 120_000;
const LET_GO_MS = 30_000;
const POLL_MS = 200;

/** What `npx tranche verify` says of every sale, over HTTP from an app process and from the ledger server without faults. */
export async function verifySales({ platform: { baseUrl, db }, ledgers }: World): Promise<string[]> {
  const wrong: string[] = [];
  const { rows } = await db.execute<{ id: string }>(sql`select id from projects where launched_at is not null`);
  for (const { id } of rows) {
    const said: string[] = [];
    const voice = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
    const code = await runVerification({ baseUrl, project: id, ledger: [ledgers.clean.wsUrl] }, voice);
    if (code !== 0) wrong.push(`tranche verify ends with ${code} for ${id}: ${said.join('\n')}`);
  }
  return wrong;
}

interface Status {
  status: string;
  causes: string[];
  invariants: Record<string, unknown> & { balances: { status: string } };
}

/** What the platform says of its own health: the invariants that an operator watches. */
export async function verifyStatus({ platform: { baseUrl } }: World): Promise<string[]> {
  const answer = await fetch(`${baseUrl}/api/system/status`, { signal: AbortSignal.timeout(STATUS_MS) });
  const { invariants, causes } = (await answer.json()) as Status;
  const { balances, ...counts } = invariants;
  const wrong = Object.entries(counts).flatMap(([name, found]) =>
    found === 0 ? [] : [`the status shows ${name} ${found}`],
  );
  if (balances.status !== 'ok') wrong.push(`the status shows balances ${JSON.stringify(balances)}`);
  return [...wrong, ...causes.map((cause) => `the status shows ${cause}`)];
}

/** Whether everybody lets go of what they hold: a beat may be at work just now, and ends soon. */
export async function verifyLeases({ platform: { db } }: World): Promise<string[]> {
  const endsAt = performance.now() + LET_GO_MS;
  for (;;) {
    const { rows } = await db.execute<{ name: string }>(
      sql`select name from leases where holder is not null and leased_until > now()`,
    );
    if (rows.length === 0) return [];
    if (performance.now() > endsAt) return rows.map(({ name }) => `the lease ${name} is still held`);
    await pause(POLL_MS);
  }
}

/** What the ledger shows of the accounts that pay and are paid, against the records. */
export async function verifyLedger(world: World): Promise<string[]> {
  const { ledgers, ground, startLedger, platform, run } = world;
  const paying = [ground.issuer, ground.distributor, ...ground.deposits].map(({ address }) => address);
  const deposits = new Set(ground.deposits.map(({ address }) => address));
  const { rows } = await platform.db.execute<{ address: string }>(sql`select address from deposit_accounts`);
  const registered = new Set(rows.map(({ address }) => address));
  const all = (
    await Promise.all(
      paying.map(async (account) => {
        const history = await readHistory(ledgers.client, account, { ...ground, startLedger });
        return history.map((shown) => ({ account, shown }));
      }),
    )
  )
    .flat()
    .filter(({ shown }) => shown.result === 'tesSUCCESS');
  const arrived = all.flatMap(({ account, shown }) =>
    deposits.has(account) && registered.has(account) && shown.destination === account && shown.asset === 'xrp'
      ? [shown]
      : [],
  );
  const sent = all.flatMap(({ account, shown }) =>
    shown.type === 'Payment' && shown.sender === account ? [shown] : [],
  );
  run.report.count('figures', 'payments', arrived.length);
  run.report.count('figures', 'payouts paid', sent.length);
  return [...(await verifyMoney(platform.db, arrived)), ...(await verifyPayouts(world, sent))];
}
