import type { Figure } from '../figures.ts';
import { faultsOf } from '../load/lost.ts';
import { MOST_GROWTH } from '../load/report.ts';
import type { StatementLine } from './database.ts';
import type { Million, MillionOptions, Part } from './play.ts';

/** Time per payment in the last tenth, to that in the first. */
const MOST_SLOWER = 1.2;
const SHOWN_STATEMENTS = 12;
const SHOWN_INDEXES = 15;
/** Of the last part's time, from which a statement that has become slower is named. */
const LEAST_SHARE = 0.01;

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const megabytes = (bytes: number): string => `${whole(bytes / 2 ** 20)} MB`;
const seconds = (ms: number): string => `${whole(ms / 1000)} s`;
const shownEach = (each: StatementLine['first']): string =>
  (each === null ? '–' : `${each.ms.toFixed(2)} ms ${whole(each.blocks)}`).padStart(22);

const msAPayment = ({ elapsedMs, confirmed }: Part): number => elapsedMs / confirmed;
const ends = ({ parts }: Million): { first: Part; last: Part } => {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) throw new Error('Nothing was measured');
  return { first, last };
};

export const slower = (million: Million): number => {
  const { first, last } = ends(million);
  return msAPayment(last) / msAPayment(first);
};

/** What the app has alive after a collection, at the end of the last part to that of the first. */
export const aliveGrowth = (million: Million): number => {
  const { first, last } = ends(million);
  return last.heapBytes / first.heapBytes;
};

/** The highest of a process in the last part to that in the second: the first fills what may be held. */
const memoryGrowth = ({ parts }: Million, name: string): number =>
  (parts.at(-1)?.memory[name] ?? 0) / (parts[1]?.memory[name] ?? 0);

/** All that is not as it should be; empty when nothing is. */
export function millionFaults(million: Million, { payments, payouts }: MillionOptions): string[] {
  const { verified, payoutsVerified } = million;
  const checked = verified.reduce((sum, { report }) => sum + report.checked.payments, 0);
  return [
    ...million.lost.flatMap(faultsOf),
    ...verified.flatMap(({ report: { project_id: id, verdict, differences, unchecked } }) =>
      verdict === 'agrees'
        ? []
        : [`${id} ${verdict}: ${JSON.stringify([...differences, ...unchecked]).slice(0, 1_000)}`],
    ),
    ...(checked === payments ? [] : [`${checked} of ${payments} payments were verified`]),
    ...(payoutsVerified === payouts ? [] : [`${payoutsVerified} of ${payouts} payouts were verified`]),
    ...(slower(million) > MOST_SLOWER ? [`a payment took ${slower(million).toFixed(2)} times as long at the end`] : []),
    ...(aliveGrowth(million) > MOST_GROWTH ? [`memory alive grew ${aliveGrowth(million).toFixed(2)} times`] : []),
  ];
}

const partLine = (part: Part, index: number): string =>
  [
    `  ${String(index + 1).padStart(2)}`,
    `${msAPayment(part).toFixed(3)} ms a payment`,
    `app ${(part.cpuMs / part.confirmed).toFixed(3)} ms of processor`,
    `database ${(part.databaseMs / part.confirmed).toFixed(3)} ms`,
    `${whole(part.paidOut)} paid out`,
    `reads p95 ${whole(part.readsP95)} ms`,
    `alive ${megabytes(part.heapBytes)}`,
    ...Object.entries(part.memory).map(([name, bytes]) => `${name} ${megabytes(bytes)}`),
  ].join(', ');

export function millionLines(million: Million, options: MillionOptions): string[] {
  const { parts, payments, confirmedMs, paidOutMs, receivedMs, verified, tables, indexes, statements } = million;
  const rate = (count: number, ms: number) => `${seconds(ms)} (${whole((count / ms) * 1000)}/s)`;
  const growing = statements.filter(
    ({ first, last, lastShare }) =>
      first !== null && last !== null && last.blocks > first.blocks * MOST_SLOWER && lastShare > LEAST_SHARE,
  );
  return [
    `${whole(options.payments)} payments of ${whole(options.wallets)} wallets, ${whole(options.payouts)} paid out`,
    `all confirmed         ${rate(payments, confirmedMs)}`,
    `all paid out          ${rate(options.payouts, paidOutMs)}`,
    `all received          ${rate(payments * options.webhooks, receivedMs)}`,
    'tenth by tenth',
    ...parts.map(partLine),
    `time per payment      last tenth ${slower(million).toFixed(2)} times the first (at most ${MOST_SLOWER})`,
    `memory of the app     alive ${aliveGrowth(million).toFixed(2)} times (at most ${MOST_GROWTH}), highest ${memoryGrowth(million, 'app').toFixed(2)} times that of the second tenth`,
    ...verified.map(
      ({ report, elapsedMs, peakBytes }) =>
        `verified              ${report.verdict}: ${whole(report.checked.payments)} payments, ${whole(report.checked.payouts_validated)} payouts, ${whole(report.checked.entries)} transactions in ${seconds(elapsedMs)}, memory ${megabytes(peakBytes)}`,
    ),
    `reads not answered    ${JSON.stringify(Object.assign({}, ...parts.map(({ readFailures }) => readFailures)))}`,
    'tables                rows, data, indexes',
    ...tables.map(
      ({ table, rows, bytes, indexBytes }) =>
        `  ${table.padEnd(24)} ${whole(rows).padStart(12)} ${megabytes(bytes).padStart(10)} ${megabytes(indexBytes).padStart(10)}`,
    ),
    'largest indexes       size, scans',
    ...indexes
      .slice(0, SHOWN_INDEXES)
      .map(
        ({ index, bytes, scans }) =>
          `  ${index.padEnd(40)} ${megabytes(bytes).padStart(10)} ${whole(scans).padStart(12)}`,
      ),
    'statements            total, calls, each in the first tenth and in the last: time and pages of the database',
    ...statements
      .slice(0, SHOWN_STATEMENTS)
      .map(
        ({ query, elapsedMs, calls, first, last }) =>
          `  ${seconds(elapsedMs).padStart(8)} ${whole(calls).padStart(10)} ${shownEach(first)} ${shownEach(last)}  ${query}`,
      ),
    'growing               statements that read more pages at the end, and their share of its time',
    ...growing.map(
      ({ query, first, last, lastShare }) =>
        `  ${shownEach(first)} ${shownEach(last)} ${(lastShare * 100).toFixed(1).padStart(6)} %  ${query}`,
    ),
  ];
}

export function millionFigures(million: Million, options: MillionOptions): Figure[] {
  const { payments, confirmedMs, paidOutMs, verified, tables } = million;
  const bytes = tables.reduce((sum, each) => sum + each.bytes, 0);
  const indexBytes = tables.reduce((sum, each) => sum + each.indexBytes, 0);
  const { first, last } = ends(million);
  return [
    {
      what: 'payments, events or payouts lost or doubled, or found different by the verifier',
      value: millionFaults(million, options).length,
      unit: 'kinds',
      target: { atMost: 0 },
    },
    {
      what: `time per payment, last tenth of ${whole(options.payments)}`,
      value: slower(million),
      unit: 'times',
      comparedWith: 'the first tenth',
      target: { atMost: MOST_SLOWER },
    },
    {
      what: 'memory alive in the app after the last tenth',
      value: aliveGrowth(million),
      unit: 'times',
      comparedWith: 'after the first tenth',
      target: { atMost: MOST_GROWTH },
    },
    {
      what: 'processor time of the app, last tenth',
      value: last.cpuMs / last.confirmed / (first.cpuMs / first.confirmed),
      unit: 'times',
      comparedWith: 'the first tenth',
    },
    {
      what: 'time in statements, last tenth',
      value: last.databaseMs / last.confirmed / (first.databaseMs / first.confirmed),
      unit: 'times',
      comparedWith: 'the first tenth',
    },
    { what: 'payments confirmed', value: (payments / confirmedMs) * 1000, unit: 'a second' },
    { what: 'payouts validated', value: (options.payouts / paidOutMs) * 1000, unit: 'a second' },
    {
      what: 'time to verify both sales',
      value: verified.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / 1000,
      unit: 's',
    },
    {
      what: 'highest memory of the verifier',
      value: Math.max(...verified.map(({ peakBytes }) => peakBytes)) / 2 ** 20,
      unit: 'MB',
    },
    { what: 'tables', value: bytes / 2 ** 30, unit: 'GB' },
    { what: 'indexes', value: indexBytes / 2 ** 30, unit: 'GB' },
  ];
}
