import { Command, InvalidArgumentError } from 'commander';
import { type Figure, reportMetrics } from '../figures.ts';
import { BARE_PATH, copyWithBarePage } from './bare.ts';
import { openChromium } from './browser.ts';
import { CATEGORIES, measurePage, median, type PageRun } from './measure.ts';
import { serveCopy } from './serve.ts';

const LEAST_SCORE = 95;
const MOST_SCRIPT_BYTES = 40_000;
const SALE_PAGE = '/sales/demo-sale';
const SCORED = [SALE_PAGE, '/developers'];

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
};

const options = new Command('npx tranche bench pages')
  .description(
    'Lighthouse on the production build, and the JavaScript of the sale page above a bare page of the same build',
  )
  .option('--runs <n>', 'runs of each page; medians count', positive, 3)
  .option('--port <n>', 'base port of the sandbox that serves the build', positive, 24_100)
  .option('--base-url <url>', 'measure what is served there, a copy made by an earlier run with its bare page')
  .option('--page <path...>', 'pages to score', SCORED)
  .parse()
  .opts<{ runs: number; port: number; baseUrl?: string; page: string[] }>();

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function runsOf(url: string, runs: number): Promise<PageRun[]> {
  const all: PageRun[] = [];
  for (let run = 0; run < runs; run++) {
    const { browser, debuggingPort } = await openChromium();
    all.push(await measurePage(url, debuggingPort).finally(() => browser.close()));
  }
  return all;
}

const scoresOf = (runs: readonly PageRun[]) =>
  CATEGORIES.map((category) => ({ category, score: median(runs.map((run) => run.scores[category])) }));

function sayScores(page: string, scores: ReturnType<typeof scoresOf>, verdict = ''): void {
  const figures = scores.map(({ category, score }) => `${category} ${score}`).join(', ');
  say(`  ${page.padEnd(20)} ${figures}${verdict}`);
}

const figures: Figure[] = [];

/** Says the medians; false when one is below what is asked. */
function judge(page: string, runs: readonly PageRun[]): boolean {
  const scores = scoresOf(runs);
  const isMet = scores.every(({ score }) => score >= LEAST_SCORE);
  const lost = [...new Set(runs.flatMap((run) => run.lost))].join(', ');
  sayScores(page, scores, isMet ? '' : `  MISSED: ${lost}`);
  for (const { category, score } of scores) {
    const what = `Lighthouse ${category} of ${page}`;
    figures.push({ what, value: score, unit: 'of 100', target: { atLeast: LEAST_SCORE } });
  }
  return isMet;
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

const served = await (async () => {
  if (options.baseUrl !== undefined) return { baseUrl: options.baseUrl, end: async () => undefined };
  await copyWithBarePage();
  return serveCopy(options.port);
})();
let isMet = true;
try {
  const scriptOf = async (page: string): Promise<number> =>
    median((await runsOf(`${served.baseUrl}${page}`, 1)).map(({ scriptBytes }) => scriptBytes));
  const [bare, sale] = [await scriptOf(BARE_PATH), await scriptOf(SALE_PAGE)];
  const above = sale - bare;
  say(`JavaScript over the wire, compressed (target: at most ${kilobytes(MOST_SCRIPT_BYTES)} kB above a bare page)`);
  say(`  bare page ${kilobytes(bare)} kB, sale page ${kilobytes(sale)} kB: ${kilobytes(above)} kB above`);
  if (above > MOST_SCRIPT_BYTES) isMet = false;
  figures.push({
    what: 'JavaScript of the sale page above a bare page',
    value: above / 1000,
    unit: 'kB',
    comparedWith: 'a bare page of the same build',
    target: { atMost: MOST_SCRIPT_BYTES / 1000 },
  });
  say(`Lighthouse, median of ${options.runs} (target: ${LEAST_SCORE} at least)`);
  // What this machine gives to a page that does nothing: no page can be better.
  sayScores(BARE_PATH, scoresOf(await runsOf(`${served.baseUrl}${BARE_PATH}`, options.runs)));
  for (const page of options.page) {
    isMet = judge(page, await runsOf(`${served.baseUrl}${page}`, options.runs)) && isMet;
  }
} finally {
  await served.end();
}
reportMetrics('pages', figures);
process.exitCode = isMet ? 0 : 1;
