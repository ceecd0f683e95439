import lighthouse, { type Result } from 'lighthouse';
import { z } from 'zod';

export const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface PageRun {
  /** 0 to 100. */
  scores: Record<Category, number>;
  /** Compressed, as they came over the wire. */
  scriptBytes: number;
  /** Of audits that cost points: their names. */
  lost: string[];
}

const requests = z.object({
  items: z.array(z.object({ resourceType: z.string().optional(), transferSize: z.number() })),
});

/** What Lighthouse says of a trace that Chromium recorded badly: a word on the recording, not on the page. */
const BAD_TRACE = new Set(['NO_NAVSTART', 'NO_TRACING_STARTED']);
const TRIES = 3;

async function runLighthouse(url: string, debuggingPort: number, tries = TRIES): Promise<Result> {
  const result = await lighthouse(url, {
    port: debuggingPort,
    output: 'json',
    logLevel: 'error',
    onlyCategories: [...CATEGORIES],
  });
  if (result === undefined) throw new Error(`Lighthouse gave nothing for ${url}`);
  const { runtimeError } = result.lhr;
  if (runtimeError === undefined) return result.lhr;
  if (tries === 1 || !BAD_TRACE.has(runtimeError.code)) throw new Error(`${url}: ${runtimeError.message}`);
  process.stderr.write(`${url}: ${runtimeError.code}, once more\n`);
  return runLighthouse(url, debuggingPort, tries - 1);
}

/** One run of Lighthouse as it is by default: a middling phone on a slow network. Throws when a category has no score. */
export async function measurePage(url: string, debuggingPort: number): Promise<PageRun> {
  const { categories, audits } = await runLighthouse(url, debuggingPort);
  const scoreOf = (category: Category): number => {
    const score = categories[category]?.score;
    if (score == null) throw new Error(`${url} has no score for ${category}`);
    return Math.round(score * 100);
  };
  const { items } = requests.parse(audits['network-requests']?.details);
  return {
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
    },
    scriptBytes: items
      .filter(({ resourceType }) => resourceType === 'Script')
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
    lost: Object.values(audits)
      .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
      .map(({ id }) => id),
  };
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
