import { runVerification } from '@tranche/verifier/command.ts';
import { type VerificationReport, verificationReport } from '@tranche/verifier/report.ts';
import { sql } from 'drizzle-orm';
import type { Wallet } from 'xrpl';
import { assignPayment } from '#lib/sales/held/assign-payment.ts';
import { holders, untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { lateDiscovery } from '#tests/integration/sales/forgetful-feed.ts';
import { openListsDesk } from '#tests/integration/sales/lists-world.ts';
import type { ProjectBody, Sale, Stage } from '#tests/integration/sales/stage.ts';
import type { Served } from './serve.ts';

export interface Verified {
  code: number;
  report: VerificationReport;
  /** What a person saw on the way. */
  said: string[];
}

/** Runs the command against the served platform and the stage's ledger, as anybody would. */
export async function verify(
  stage: Stage,
  served: Served,
  { project }: Pick<Sale, 'project'>,
  over: { ledger?: string[]; asOf?: number; state?: string } = {},
): Promise<Verified> {
  const out: string[] = [];
  const said: string[] = [];
  const code = await runVerification(
    { baseUrl: served.url, project: project.id, ledger: [stage.desk.ledger.wsUrl], json: true, ...over },
    { out: (text) => out.push(text), err: (text) => said.push(text) },
  );
  if (out.length === 0) throw new Error(said.join('\n'));
  return { code, report: verificationReport.parse(JSON.parse(out.join('\n'))), said };
}

/** Whoever tampers with the books can take away what holds them together, too. */
export const dropPaidOnce = ({ database }: Stage): Promise<unknown> =>
  database.db.execute(sql`drop index if exists payouts_paid_once`);

/** What a report names, without its texts. */
export const named = ({ report }: Verified) =>
  report.differences.map(({ kind, subject, field }) => (field === null ? [kind, subject] : [kind, subject, field]));

/** A payment with a SourceTag, as an exchange makes them. */
export const payTagged = (stage: Stage, from: Wallet, sale: Sale, drops: string, sourceTag: number) =>
  stage.desk.send(from, {
    TransactionType: 'Payment',
    Account: from.address,
    Destination: sale.deposit.address,
    Amount: drops,
    DestinationTag: sale.project.destination_tag,
    SourceTag: sourceTag,
  });

export interface Scene {
  sale: Sale;
  investors: Wallet[];
  /** Payments: one over two tiers, one with a SourceTag, one refused as too small a sum, one not on the list. */
  hashes: { plain: string; tagged: string; refused: string; notListed: string; assigned: string; late: string };
}

/** A sale in which everything happens that a sale knows: tiers, a list, refusals, refunds, an assign, a late discovery, payouts. */
export async function fullScene(stage: Stage, body: Partial<ProjectBody> = {}): Promise<Scene> {
  const lists = openListsDesk(stage);
  const sale = await stage.draft({
    tiers: [
      { price_per_token: '0.10', total_tokens: '1000' },
      { price_per_token: '0.30', total_tokens: '5000', access: 'allowlist' },
    ],
    min_investment_xrp: '2',
    ...body,
  });
  const investors = await holders(stage, sale, 4);
  const [first, second, third, fourth] = investors as [Wallet, Wallet, Wallet, Wallet];
  await lists.inForce(sale, [{ wallet_address: first.address, cap_xrp: '20' }, { wallet_address: second.address }]);
  await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
  const refused = await stage.pay(third, sale, 1);
  const tagged = await payTagged(stage, second, sale, '40000001', 4242);
  await stage.settle(sale.deposit);
  const plain = await stage.pay(first, sale, 100);
  await stage.settle(sale.deposit);
  const notListed = await stage.pay(fourth, sale, 7);
  const assigned = await stage.pay(second, sale, 0.0005, null);
  await stage.settle(sale.deposit);
  const late = await lateDiscovery(stage, sale, second, 10);
  await assignPayment(stage.ctx, { transactionHash: late, projectId: sale.project.id, reason: 'it came in time' });
  await stage.settle(sale.deposit);
  await untilQuiet(stage, sale);
  await stage.settle(sale.deposit);
  return { sale, investors, hashes: { plain, tagged, refused, notListed, assigned, late } };
}

/** Changes the books behind the platform's back. */
export const tamper = (stage: Stage, statement: ReturnType<typeof sql>) => stage.database.db.execute(statement);
