import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'xrpl';
import { z } from 'zod';
import { type CrowdEnvironment, type Investor, joinCrowd } from './investor.ts';
import type { CrowdOptions } from './options.ts';
import { isForgetful, planPayment } from './plan.ts';
import { platformAt } from './platform.ts';

const INVESTORS = 24;
const FIRST_INVESTORS = 6;
/** At first one sees much happen; then the sale lasts for hours, for those who try things in it. */
const BRISK_PAYMENTS = 240;
const BRISK_EVERY_MS = 500;
const CALM_EVERY_MS = 5_000;
const NEW_INVESTOR_EVERY = 6;
const MAX_PAYMENTS = 5_000;
// A ledger that does not close (`--ledger-interval 0`) must not fill up without end.
const MAX_IN_OPEN_LEDGER = 10;
const SALE_CHECK_EVERY_MS = 2_000;

const projectSchema = z.object({ status: z.string() });

/**
 * Lets simulated investors pay until the sale is over, a bound is reached or `signal` says so. Single failures are
 * reported and change nothing.
 *
 * @returns how many payments were sent, and why it ended
 */
export async function runCrowd(
  options: CrowdOptions,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<{ paymentCount: number; ending: string }> {
  const client = new Client(options.ledgerUrl);
  client.on('error', () => {});
  await client.connect();
  const ground: CrowdEnvironment = { client, options, signal };
  const reportFailure = (error: unknown) => {
    if (!signal.aborted) report(error instanceof Error ? error.message : String(error));
  };

  const investors: Investor[] = [];
  let joined = 0;
  const join = () => {
    joined += 1;
    joinCrowd(ground, isForgetful(Math.random)).then((investor) => investors.push(investor), reportFailure);
  };
  for (let index = 0; index < FIRST_INVESTORS; index++) join();

  let paymentCount = 0;
  const inOpenLedger = await countInOpenLedger(client);
  const payOnce = () => {
    if (!inOpenLedger.hasRoom()) return;
    const investor = investors.filter((each) => each.isFree())[0];
    if (!investor) return;
    inOpenLedger.add();
    paymentCount += 1;
    if (paymentCount % NEW_INVESTOR_EVERY === 0 && joined < INVESTORS) join();
    // To the end of the row: everybody gets a turn.
    investors.push(...investors.splice(investors.indexOf(investor), 1));
    investor.pay(planPayment(Math.random)).catch(reportFailure);
  };

  const sale = watchSale(options, signal, reportFailure);
  while (!signal.aborted && sale.state() !== 'over' && paymentCount < MAX_PAYMENTS) {
    if (!client.isConnected()) await client.connect().catch(reportFailure);
    else if (sale.state() === 'open') payOnce();
    await sleep(paymentCount < BRISK_PAYMENTS ? BRISK_EVERY_MS : CALM_EVERY_MS, undefined, { signal }).catch(() => {});
  }
  await client.disconnect();
  return { paymentCount, ending: sale.state() === 'over' ? 'the sale is over' : 'enough for now' };
}

/** Counts what was sent since the last ledger closed. */
async function countInOpenLedger(client: Client): Promise<{ hasRoom(): boolean; add(): void }> {
  let count = 0;
  client.on('ledgerClosed', () => {
    count = 0;
  });
  const subscribe = async () => {
    count = 0;
    await client.request({ command: 'subscribe', streams: ['ledger'] });
  };
  // A connection made again has no subscriptions.
  client.on('connected', () => subscribe().catch(() => {}));
  await subscribe();
  return { hasRoom: () => count < MAX_IN_OPEN_LEDGER, add: () => (count += 1) };
}

/** Follows the sale's status: investors who look at the page do not pay into one that is paused or over. */
function watchSale(options: CrowdOptions, signal: AbortSignal, reportFailure: (error: unknown) => void) {
  const platform = platformAt(options.baseUrl, signal);
  let state: 'open' | 'closed' | 'over' = 'open';
  const follow = async () => {
    while (!signal.aborted && state !== 'over') {
      try {
        const { status } = projectSchema.parse(await platform.get(`/api/projects/${options.project.id}`));
        if (status === 'completed' || status === 'cancelled') state = 'over';
        else state = status === 'active' ? 'open' : 'closed';
      } catch (error) {
        reportFailure(error);
      }
      await sleep(SALE_CHECK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  };
  follow().catch(reportFailure);
  return { state: () => state };
}
