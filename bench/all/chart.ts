import { type Figure, isMet } from '../figures.ts';
import { numberText, targetText } from './words.ts';

const WIDTH = 760;
const BAR_WIDTH = 560;
const LEFT = 16;
const TOP = 56;
const ROW = 52;
const BAR_HEIGHT = 14;
/** A bar that would be longer ends here, with its value beside it. */
const MOST_RATIO = 2.5;

const STYLE = `
  .ground { fill: #ffffff; } text { font: 13px system-ui, sans-serif; fill: #1c2430; } .title { font-weight: 600; font-size: 15px; }
  .quiet { fill: #55606e; } .met { fill: #1a7f5a; } .missed { fill: #b3261e; } .plain { fill: #3b6fb6; }
  .line { stroke: #1c2430; stroke-width: 1.5; stroke-dasharray: 3 2; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #12161c; } text { fill: #e8ecf1; } .quiet { fill: #a4afbd; }
    .met { fill: #4cc38a; } .missed { fill: #ff8a80; } .plain { fill: #7fb0f0; } .line { stroke: #e8ecf1; }
  }`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** What a bar is measured against: the target, or the other side's 1. */
function referenceOf({ target, comparedWith, unit }: Figure): number | null {
  if (target !== undefined) return 'atLeast' in target ? target.atLeast : target.atMost;
  return comparedWith !== undefined && unit === 'times' ? 1 : null;
}

interface Bar {
  figure: Figure;
  ratio: number;
}

function barsOf(figures: readonly Figure[]): Bar[] {
  return figures.flatMap((figure) => {
    const reference = referenceOf(figure);
    const isDrawn = reference !== null && reference > 0 && Number.isFinite(figure.value);
    return isDrawn ? [{ figure, ratio: figure.value / reference }] : [];
  });
}

function inWords({ figure }: Bar): string {
  const met = isMet(figure);
  const verdict = met === null ? '' : met ? ', met' : ', missed';
  const aim = targetText(figure);
  const beside = figure.comparedWith === undefined ? '' : `, beside ${figure.comparedWith}`;
  return `${figure.what}: ${numberText(figure.value)} ${figure.unit}${beside}${aim === '' ? '' : ` (${aim}${verdict})`}`;
}

/**
 * A static SVG of bars, each against its own target or, without one, against the side it is compared with: the dashed line
 * is that value; an arrow says that a bar goes on. For a light and a dark page. Null when nothing has a line to stand against.
 */
export function drawChart(title: string, figures: readonly Figure[]): string | null {
  const bars = barsOf(figures);
  if (bars.length === 0) return null;
  const highest = Math.min(MOST_RATIO, Math.max(1.25, ...bars.map(({ ratio }) => ratio)));
  const xOf = (ratio: number): number => LEFT + (Math.min(ratio, highest) / highest) * BAR_WIDTH;
  const height = TOP + bars.length * ROW + 12;
  const line = xOf(1).toFixed(1);
  const rows = bars.map((bar, index) => {
    const { figure, ratio } = bar;
    const y = TOP + index * ROW;
    const met = isMet(figure);
    const tone = met === null ? 'plain' : met ? 'met' : 'missed';
    const end = xOf(ratio);
    const arrow = ratio > highest ? ' →' : '';
    const label = `${figure.what}${figure.comparedWith === undefined ? '' : ` (beside ${figure.comparedWith})`}`;
    const aim = targetText(figure);
    const value = `${numberText(figure.value)} ${figure.unit}${arrow}${aim === '' ? '' : `, ${aim}${met ? '' : ': missed'}`}`;
    return [
      `<text x="${LEFT}" y="${y + 10}" class="quiet">${escaped(label)}</text>`,
      `<rect x="${LEFT}" y="${y + 18}" width="${(end - LEFT).toFixed(1)}" height="${BAR_HEIGHT}" rx="2" class="${tone}"/>`,
      `<line x1="${line}" y1="${y + 14}" x2="${line}" y2="${y + 36}" class="line"/>`,
      `<text x="${(Math.max(end, xOf(1)) + 8).toFixed(1)}" y="${y + 30}">${escaped(value)}</text>`,
    ].join('');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(title)}</title>
<desc id="desc">${escaped(bars.map(inWords).join('. '))}.</desc>
<style>${STYLE}
</style>
<rect width="${WIDTH}" height="${height}" class="ground"/>
<text x="${LEFT}" y="24" class="title">${escaped(title)}</text>
<text x="${line}" y="${TOP - 12}" class="quiet" text-anchor="middle">dashed: the target, or the other side</text>
${rows.join('\n')}
</svg>
`;
}
