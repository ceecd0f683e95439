import { drawChart } from './chart.ts';
import type { Machine } from './machine.ts';
import type { Result } from './run.ts';
import { numberText, targetText, verdictText } from './words.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function rowsOf({ name, figures, failure }: Result): string[] {
  if (failure !== null) return [`| ${name} | **failed**: ${cell(failure)} | | | | |`];
  return figures.map((figure) => {
    const { what, value, unit, comparedWith = '' } = figure;
    return `| ${name} | ${cell(what)} | ${numberText(value)} ${unit} | ${cell(comparedWith)} | ${targetText(figure)} | ${verdictText(figure)} |`;
  });
}

const runRow = ({ name, title, at, commit, loadBefore, elapsedMs, isQuick }: Result): string =>
  `| ${name} | ${title} | ${at.slice(0, 16).replace('T', ' ')} | ${commit} | ${loadBefore.toFixed(1)} | ${Math.round(elapsedMs / 1000)} s${isQuick ? ', short form' : ''} |`;

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
    'Written by `npx tranche bench`, which runs every benchmark and puts its figures here. Times and rates are this machine’s; what',
    'can be compared between machines is the ratios, both sides of which were measured in the same run. A load before the run that is',
    'near or above the number of processors means that others were at work: then even the ratios are rough.',
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
    'Each bar stands against its own target, or, where there is none, against the side that it is compared with.',
    '',
    ...results.flatMap(({ name, title }) =>
      charts.has(`${name}.svg`) ? [`![${title}](images/performance/${name}.svg)`, ''] : [],
    ),
    '## Runs',
    '',
    '| benchmark | what it measures | begun (UTC) | commit | load before | took |',
    '|---|---|---|---|---:|---:|',
    ...results.map(runRow),
    '',
  ].join('\n');
  return { page, charts };
}
