import type { Figure } from '../figures.ts';
import { faultsOf } from './lost.ts';
import { growthOf } from './memory.ts';
import { cpuMsOfPayments, type Latency, type Part, type Scenario } from './scenario.ts';

/** What is alive after everybody has paid, to what was before; both after a collection. */
export const MOST_GROWTH = 1.25;

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const seconds = (ms: number | null): string => (ms === null ? 'never' : `${(ms / 1000).toFixed(1)} s`);
const megabytes = (bytes: number): string => `${whole(bytes / 2 ** 20)} MB`;
const perSecond = (count: number, ms: number | null): string =>
  ms === null ? '' : ` (${whole((count / ms) * 1000)}/s)`;

const inWords = (latency: Latency | null): string =>
  latency === null
    ? 'nothing was received'
    : `p50 ${whole(latency.p50)} ms, p95 ${whole(latency.p95)} ms, p99 ${whole(latency.p99)} ms, highest ${whole(latency.highest)} ms`;

function partLines(part: Part): string[] {
  const { payments, lost, reads } = part;
  const faults = faultsOf(lost);
  const failures = Object.entries(reads.failures).map(([why, count]) => `${count} × ${why}`);
  return [
    `taken by the ledger   ${seconds(part.submittedMs)}${perSecond(payments, part.submittedMs)}`,
    `all confirmed         ${seconds(part.confirmedMs)}${perSecond(payments, part.confirmedMs)}`,
    `all received          ${seconds(part.receivedMs)}${perSecond(lost.arrivalsExpected, part.receivedMs)}, ${whole(lost.arrivalsExpected)} events`,
    ...(part.isPaidOut
      ? [`all paid out          ${seconds(part.paidOutMs)}${perSecond(payments, part.paidOutMs)}`]
      : []),
    `confirmed to received ${inWords(part.latency)}`,
    ...(part.ledgersToPayout === null
      ? []
      : [`confirmed to paid out p50 ${part.ledgersToPayout.p50}, p95 ${part.ledgersToPayout.p95} ledgers later`]),
    `nothing lost          ${faults.length === 0 ? `yes: ${whole(lost.paid)} payments, as many confirmed investments, each event once at each webhook` : `NO: ${faults.join(', ')}`}`,
    ...(reads.count === 0 && failures.length === 0
      ? []
      : [
          `reads meanwhile       ${whole(reads.count)}, p50 ${whole(reads.p50)} ms, p99 ${whole(reads.p99)} ms${failures.length === 0 ? '' : `; refused: ${failures.join(', ')}`}`,
        ]),
  ];
}

/** Processor time of the app, in milliseconds: what else the machine does is not in it. */
const cpuMsAPayment = (scenario: Scenario): number => cpuMsOfPayments(scenario) / scenario.flood.payments;

/** What is alive in all instances after everybody has paid, to what was before. */
export const aliveGrowth = ({ heapBeforeBytes, heapAfterBytes }: Scenario): number => heapAfterBytes / heapBeforeBytes;

/** Growth of resident memory, of the instance that grew most. */
export const growth = ({ rssBytes }: Scenario): number => Math.max(...rssBytes.map(growthOf));

/** Six looks of the same distance. */
function course(samples: readonly number[]): string {
  const looks = Array.from({ length: 6 }, (_, n) => samples[Math.round((n * (samples.length - 1)) / 5)] ?? 0);
  return looks.map((bytes) => whole(bytes / 2 ** 20)).join(' ');
}

export function scenarioLines(scenario: Scenario): string[] {
  const { instances, flood, steady, rssBytes, heapBeforeBytes, heapAfterBytes } = scenario;
  const indent = (lines: readonly string[]) => lines.map((line) => `    ${line}`);
  return [
    `${instances} ${instances === 1 ? 'instance' : 'instances'}`,
    ...(steady === null ? [] : [`  ${whole(steady.payments)} payments at a steady rate`, ...indent(partLines(steady))]),
    `  ${whole(flood.payments)} payments at once`,
    ...indent(partLines(flood)),
    `    memory                ${rssBytes.map(course).join(' | ')} MB over time, growth ${growth(scenario).toFixed(2)}`,
    `    processor time        ${(cpuMsAPayment(scenario)).toFixed(1)} ms of the app a payment, ${scenario.cpuMsARead.toFixed(1)} ms a read; ${(scenario.floodUse.database.activeMs / flood.payments).toFixed(1)} ms in statements a payment`,
    `    alive                 ${megabytes(heapBeforeBytes)} before, ${megabytes(heapAfterBytes)} after, in all, collected: ${aliveGrowth(scenario).toFixed(2)} times (at most ${MOST_GROWTH})`,
  ];
}

/** What was lost, doubled or not done in time; empty when nothing was. */
export function lostIn({ warmUp, steady, flood }: Scenario): string[] {
  const parts = Object.entries({ 'warming up': warmUp, 'at a steady rate': steady, 'at once': flood });
  return parts.flatMap(([name, part]) => {
    if (part === null) return [];
    const isLate = part.receivedMs === null || (part.isPaidOut && part.paidOutMs === null);
    return [...faultsOf(part.lost), ...(isLate ? ['not settled in time'] : [])].map((fault) => `${name}: ${fault}`);
  });
}

/** All faults of a scenario; empty when it is as it should be. */
export const scenarioFaults = (scenario: Scenario): string[] => [
  ...lostIn(scenario),
  ...(aliveGrowth(scenario) > MOST_GROWTH ? [`memory alive grew ${aliveGrowth(scenario).toFixed(2)} times`] : []),
];

/** How many times as much per second, or as long, the others bring. */
export function compareLines(one: Scenario, many: Scenario): string[] {
  const ratio = (a: number | null, b: number | null): string =>
    a === null || b === null ? 'not measured' : (a / b).toFixed(2);
  const { flood: a } = one;
  const { flood: b } = many;
  return [
    `${many.instances} instances beside ${one.instances}`,
    `  confirmed a second    ${ratio(a.confirmedMs, b.confirmedMs)} times as many`,
    `  received a second     ${ratio(a.receivedMs, b.receivedMs)} times as many`,
    ...(a.isPaidOut ? [`  paid out a second     ${ratio(a.paidOutMs, b.paidOutMs)} times as many`] : []),
    ...(a.reads.count === 0
      ? [`  processor time        ${(cpuMsAPayment(many) / cpuMsAPayment(one)).toFixed(2)} times as much a payment`]
      : []),
    `  confirmed to received ${ratio(b.latency?.p99 ?? null, a.latency?.p99 ?? null)} times as long, p99`,
  ];
}

export function metricsOf(scenarios: readonly Scenario[]): Figure[] {
  const first = scenarios[0];
  return scenarios.flatMap((scenario) => {
    const { instances, flood, steady } = scenario;
    const by = `${instances} ${instances === 1 ? 'instance' : 'instances'}`;
    const figures: Figure[] = [
      {
        what: `payments, events or payouts lost or doubled, ${by}`,
        value: lostIn(scenario).length,
        unit: 'kinds',
        target: { atMost: 0 },
      },
      {
        what: `memory alive after all payments, ${by}`,
        value: aliveGrowth(scenario),
        unit: 'times',
        target: { atMost: MOST_GROWTH },
        comparedWith: 'before them',
      },
      {
        what: `highest resident memory of the second half, ${by}`,
        value: growth(scenario),
        unit: 'times',
        comparedWith: 'that of the first half',
      },
    ];
    // Of the reads' part there is only an estimate.
    if (flood.reads.count === 0) {
      figures.push({ what: `processor time of the app, ${by}`, value: cpuMsAPayment(scenario), unit: 'ms a payment' });
    }
    if (flood.confirmedMs !== null) {
      figures.push({
        what: `payments confirmed, ${by}`,
        value: (flood.payments / flood.confirmedMs) * 1000,
        unit: 'a second',
      });
    }
    if (flood.receivedMs !== null) {
      const value = (flood.lost.arrivalsExpected / flood.receivedMs) * 1000;
      figures.push({ what: `events received, ${by}`, value, unit: 'a second' });
    }
    const at = (name: string, latency: Latency | null) =>
      latency === null
        ? []
        : (['p50', 'p95', 'p99'] as const).map((share) => ({
            what: `close of the confirming ledger to received ${name}, ${by}, ${share}`,
            value: latency[share],
            unit: 'ms',
          }));
    figures.push(...at('at once', flood.latency), ...at('at a steady rate', steady?.latency ?? null));
    if (first !== undefined && first !== scenario && first.flood.receivedMs !== null && flood.receivedMs !== null) {
      figures.push({
        what: `events received, ${by}`,
        value: first.flood.receivedMs / flood.receivedMs,
        unit: 'times',
        comparedWith: 'one instance on the same processors',
      });
    }
    return figures;
  });
}
