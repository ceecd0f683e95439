import { drawChart } from './chart.ts';
import type { Machine } from './machine.ts';
import type { Result } from './run.ts';
import { numberText, targetText, verdictText } from './words.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function rowsOf({ name, figures, failure }: Result): string[] {
  const rows = figures.map((figure) => {
    const { what, value, unit, comparedWith = '' } = figure;
    return `| ${name} | ${cell(what)} | ${numberText(value)} ${unit} | ${cell(comparedWith)} | ${targetText(figure)} | ${verdictText(figure)} |`;
  });
  return failure === null ? rows : [...rows, `| ${name} | **failed**: ${cell(failure)} | | | | |`];
}

const runRow = ({ name, at, commit, loadBefore, elapsedMs, isQuick }: Result): string =>
  `| ${name} | ${at.slice(0, 16).replace('T', ' ')} | ${commit} | ${loadBefore.toFixed(1)} | ${Math.round(elapsedMs / 1000)} s${isQuick ? ', short form' : ''} |`;

/** The page, and its charts by file name. */
export function writePage(machine: Machine, results: readonly Result[]): { page: string; charts: Map<string, string> } {
  const charts = new Map<string, string>();
  for (const { name, title, figures } of results) {
    const chart = drawChart(title, figures);
    if (chart !== null) charts.set(`${name}.svg`, chart);
  }
  const { processor, processors, memoryGb, platform, versions } = machine;
  const page = [
    '# Performance',
    '',
    'This page is for readers who want to know how fast the platform is. `npx tranche bench` runs every benchmark and writes it. Times',
    'and rates are this machine’s. Compare ratios between machines: both sides were measured in one run. Even ratios are rough where',
    'the load before the run is near or above the number of processors.',
    '',
    '| machine | |',
    '|---|---|',
    `| processors | ${processors} × ${cell(processor)} (${platform}) |`,
    `| memory | ${memoryGb} GB |`,
    ...Object.entries(versions).map(([name, version]) => `| ${name} | ${version} |`),
    '',
    '## Figures',
    '',
    '| benchmark | what | value | beside | target | |',
    '|---|---|---:|---|---|---|',
    ...results.flatMap(rowsOf),
    '',
    '## Charts',
    '',
    'The dashed line is the target, or the other side where there is no target.',
    '',
    ...results.flatMap(({ name, title }) =>
      charts.has(`${name}.svg`) ? [`![${title}](images/performance/${name}.svg)`, ''] : [],
    ),
    '## Runs',
    '',
    '| benchmark | begun (UTC) | commit | load before | took |',
    '|---|---|---|---:|---:|',
    ...results.map(runRow),
    '',
    'Next: [cost](cost.md) · [reliability](reliability.md)',
    '',
  ].join('\n');
  return { page, charts };
}
