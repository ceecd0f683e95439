import { setTimeout as pause } from 'node:timers/promises';
import { runVerification } from '@tranche/verifier/command.ts';
import { sql } from 'drizzle-orm';
import { readHistory } from './ledger-history.ts';
import type { Report } from './report.ts';
import type { Scene } from './scene.ts';
import { verifyDeliveries } from './verify-deliveries.ts';
import { verifyEvents } from './verify-events.ts';
import { verifyMoney } from './verify-money.ts';
import { verifyPayouts } from './verify-payouts.ts';

const LET_GO_MS = 10_000;
const POLL_MS = 200;

/** What `npx tranche verify` says of every sale, over HTTP from an app process and from the ledger server without faults. */
async function verifySales({ baseUrl, ledgers, database }: Scene): Promise<string[]> {
  const wrong: string[] = [];
  const { rows } = await database.db.execute<{ id: string }>(
    sql`select id from projects where launched_at is not null`,
  );
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
async function verifyStatus({ baseUrl }: Scene): Promise<string[]> {
  const answer = await fetch(`${baseUrl}/api/system/status`, { signal: AbortSignal.timeout(15_000) });
  const { invariants, causes } = (await answer.json()) as Status;
  const { balances, ...counts } = invariants;
  const wrong = Object.entries(counts).flatMap(([name, found]) =>
    found === 0 ? [] : [`the status shows ${name} ${found}`],
  );
  if (balances.status !== 'ok') wrong.push(`the status shows balances ${JSON.stringify(balances)}`);
  return [...wrong, ...causes.map((cause) => `the status shows ${cause}`)];
}

/** Whether everybody lets go of what they hold: a beat may be at work just now, and ends soon. */
async function verifyLeases({ database }: Scene): Promise<string[]> {
  const endsAt = performance.now() + LET_GO_MS;
  for (;;) {
    const { rows } = await database.db.execute<{ name: string }>(
      sql`select name from leases where holder is not null and leased_until > now()`,
    );
    if (rows.length === 0) return [];
    if (performance.now() > endsAt) return rows.map(({ name }) => `the lease ${name} is still held`);
    await pause(POLL_MS);
  }
}

/** Everything that is wrong when all is mended and quiet, by the ledger, the books, the receivers and the platform's own word. */
export async function verify(scene: Scene, report: Report): Promise<void> {
  const { client, ground, startLedger, database } = scene;
  const paying = [ground.issuer, ground.distributor, ...ground.deposits].map(({ address }) => address);
  const deposits = new Set(ground.deposits.map(({ address }) => address));
  const registered = new Set(
    (await database.db.execute<{ address: string }>(sql`select address from deposit_accounts`)).rows.map(
      ({ address }) => address,
    ),
  );
  const histories = await Promise.all(paying.map((account) => readHistory(client, account, startLedger)));
  const all = paying.flatMap((account, n) => (histories[n] ?? []).map((shown) => ({ account, shown })));
  const arrived = all.flatMap(({ account, shown }) =>
    deposits.has(account) && registered.has(account) && shown.destination === account && shown.isXrp ? [shown] : [],
  );
  const sent = all.flatMap(({ account, shown }) =>
    shown.type === 'Payment' && shown.sender === account ? [shown] : [],
  );
  report.figures.set('payments', arrived.length);
  report.figures.set('payouts paid', sent.length);
  for (const check of [
    () => verifyMoney(database.db, arrived),
    () => verifyPayouts(scene, sent),
    () => verifyEvents(database.db),
    () => verifyDeliveries(scene, report),
    () => verifySales(scene),
    () => verifyStatus(scene),
    () => verifyLeases(scene),
  ]) {
    report.violations.push(...(await check()));
  }
}
