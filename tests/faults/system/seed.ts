import { projects } from '#drizzle/schema/sale.ts';
import { count } from '#tests/faults/counts.ts';
import { Draw } from '#tests/faults/draw.ts';
import { scramble } from '#tests/faults/webhooks/faults.ts';
import { Operator } from './operator.ts';
import type { RestartablePostgres } from './postgres.ts';
import { newReport, type Report } from './report.ts';
import { openScene } from './scene.ts';
import { settle } from './settle.ts';
import { storm } from './storm.ts';
import { verify } from './verify.ts';

/** One seed of the campaign: everything in it follows from the seed, but for the moments in which processes meet. */
export async function playSeed(input: {
  seed: string;
  postgres: RestartablePostgres;
  databaseUrl: string;
  script: string;
  stormSeconds: number;
}): Promise<Report> {
  const report = newReport();
  const scene = await openScene(input);
  try {
    scramble(scene.qstash.faults, new Draw(`${input.seed} queue`));
    for (const { kind } of scene.sales) count(report.sales, kind);
    const operators = scene.sales.map((sale) => new Operator(scene.baseUrl, sale));
    await storm(scene, input.seed, report, operators, input.stormSeconds);
    await settle(scene, report, operators);
    for (const { accepted } of operators) count(report.figures, 'actions accepted', accepted);
    await verify(scene, report);
    for (const { status, endReason } of await scene.database.db.select().from(projects)) {
      count(report.ends, endReason ?? status);
    }
  } finally {
    await scene.close();
  }
  return report;
}
