import type { ReactNode } from 'react';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { sumOf } from '../../_data/exact-amounts.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { tokenUnit } from '../../_ui/amounts.tsx';
import { LINE_PX, thinned, tickText, widthOf } from '../../_ui/chart/geometry.ts';
import { percent } from '../../_ui/chart/percent.ts';
import { OVER_LINES, SMALL_PRINT, YAxis } from '../../_ui/chart/plot.tsx';
import { formatAmount, formatReadable } from '../../_ui/format.ts';
import type { Split } from './split-amount.ts';
import { boughtOf, placeOf, type Stair, stairsOf } from './staircase.ts';

const HEIGHT = 150;
/** A line above the steps for the place of the next payment, and one for how far an amount reaches. */
const FLAG_PX = 18;
const BELOW = 34;
/** What the picture has of a phone’s width, and of any other screen’s. */
const NARROW_PX = 270;
const WIDE_PX = 560;

const LONG_PRICE = 9;

const HERE: Partial<Record<SaleState['key'], string>> = { live: 'You are here', paused: 'On hold here' };

/** A price beside its line; one with many digits is cut short, the list has all of them. */
function priceTick(price: string): string {
  const exact = formatAmount(price);
  return exact.length > LONG_PRICE ? tickText(Number(price)) : exact;
}

/** The picture in sentences; the list below it has every tier. */
function saidOf({ tiers, token }: ProjectResource, state: SaleState, asked: Asked | null): string {
  const unit = tokenUnit(token);
  const [first, last] = [tiers[0], tiers.at(-1)];
  const range = `Price tiers: from ${formatAmount(first?.price_per_token ?? '0')} XRP a token in tier 1 to ${formatAmount(last?.price_per_token ?? '0')} XRP in tier ${last?.tier ?? 1}. `;
  const next =
    state.tier === null
      ? 'No tier sells any more.'
      : `${state.key === 'live' ? 'The next payment buys in' : 'Next to sell is'} tier ${state.tier.tier} at ${formatAmount(state.tier.price_per_token)} XRP.`;
  const part = asked?.split.parts.at(-1);
  const reach =
    asked === null || part === undefined
      ? ''
      : ` ${formatAmount(asked.amount)} XRP would buy ${formatAmount(asked.split.tokens)} ${unit}, up to tier ${part.tier}.`;
  return `${range}${next}${reach}`;
}

/** An amount that was asked for, and what it would buy. */
export interface Asked {
  amount: string;
  split: Split;
}

/** The steps whose name and size fit below them on a screen so wide. */
const labelled = (stairs: readonly Stair[], texts: ReadonlyMap<number, string>, px: number) =>
  new Set(stairs.filter(({ tier, width }) => width * px > widthOf(texts.get(tier) ?? '') + 6).map(({ tier }) => tier));

/**
 * The price as it climbs with what is sold: each tier as wide as its tokens and as high as its price, filled as far as it is
 * sold, with the place of the next payment and, for an amount that was asked for, how far it reaches. Drawn on the server.
 */
export function TierStaircase({
  project,
  state,
  asked,
}: {
  project: ProjectResource;
  state: SaleState;
  asked: Asked | null;
}) {
  const { tiers, token } = project;
  const stairs = stairsOf(project);
  const unit = tokenUnit(token);
  const place = placeOf(stairs, state.tier?.tier ?? null);
  const bought = asked === null ? [] : boughtOf(project, stairs, asked.split);
  const reach = bought.at(-1);
  const base = HEIGHT + FLAG_PX * ((place === null ? 0 : 1) + (reach === undefined ? 0 : 1)) + LINE_PX / 2;
  const topOf = ({ height }: Pick<Stair, 'height'>) => base - Math.max(2, Math.round(height * HEIGHT));
  const sizes = new Map(tiers.map(({ tier, total_tokens }) => [tier, tickText(Number(total_tokens))]));
  const names = new Map(tiers.map(({ tier }) => [tier, `Tier ${tier}`]));
  const [onPhone, onDesk] = [labelled(stairs, names, NARROW_PX), labelled(stairs, names, WIDE_PX)];
  const current = stairs.findIndex(({ tier }) => tier === state.tier?.tier);
  const prices = thinned(
    [current, stairs.length - 1, 0, ...stairs.keys()].flatMap((index) => {
      const [stair, tier] = [stairs[index], tiers[index]];
      return stair === undefined || tier === undefined
        ? []
        : [{ y: topOf(stair), text: priceTick(tier.price_per_token) }];
    }),
    ({ y }) => y,
    LINE_PX,
  );
  return (
    <figure>
      <figcaption className="mb-1 flex flex-wrap justify-between gap-x-4 text-xs text-soft">
        <span>XRP a token</span>
        <span className="figures">
          {formatReadable(sumOf(tiers.map(({ sold_tokens }) => sold_tokens)))} of{' '}
          {formatReadable(sumOf(tiers.map(({ total_tokens }) => total_tokens)))} {unit} sold
        </span>
      </figcaption>
      <div className="flex">
        <YAxis ticks={prices} height={base} />
        <div className="min-w-0 flex-1">
          <svg
            role="img"
            aria-label={saidOf(project, state, asked)}
            height={base + (onDesk.size === 0 ? 2 : BELOW)}
            className="block w-full overflow-visible"
          >
            <defs>
              <pattern
                id="tier-bought"
                width="6"
                height="6"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <rect width="6" height="6" className="fill-accent-soft" />
                <rect width="2.5" height="6" className="fill-accent" />
              </pattern>
            </defs>
            {prices.map(({ y }) => (
              <line key={y} x2="100%" y1={y} y2={y} className="stroke-line" strokeDasharray="2 4" />
            ))}
            {stairs.map((stair) => {
              const [y, height] = [topOf(stair), base - topOf(stair)];
              return (
                <g key={stair.tier}>
                  <rect x={percent(stair.x)} width={percent(stair.width)} y={y} height={height} className="fill-line" />
                  <rect
                    x={percent(stair.x)}
                    width={percent(stair.sold)}
                    y={y}
                    height={height}
                    className="fill-accent"
                  />
                  <line
                    x1={percent(stair.x + stair.sold)}
                    x2={percent(stair.x + stair.width)}
                    y1={y}
                    y2={y}
                    className="stroke-line-strong"
                  />
                  {stair.x > 0 && (
                    <line x1={percent(stair.x)} x2={percent(stair.x)} y1={y} y2={base} className="stroke-card" />
                  )}
                </g>
              );
            })}
            {bought.map((part) => (
              <rect
                key={part.tier}
                x={percent(part.x)}
                width={percent(part.width)}
                y={topOf(part)}
                height={base - topOf(part)}
                fill="url(#tier-bought)"
              />
            ))}
            <line x2="100%" y1={base} y2={base} className="stroke-line-strong" />
            {place !== null && (
              <Flag x={place} from={0} base={base}>
                {HERE[state.key] ?? 'Sells next'}
              </Flag>
            )}
            {reach !== undefined && asked !== null && (
              <Flag x={reach.x + reach.width} from={FLAG_PX} base={base} isAsked>
                Your {formatReadable(asked.amount)} XRP
              </Flag>
            )}
            <g aria-hidden>
              {stairs.map(({ tier, x, width }) =>
                onDesk.has(tier) ? (
                  <g key={tier} className={onPhone.has(tier) ? '' : 'max-sm:hidden'}>
                    <text x={percent(x + width / 2)} y={base + 15} textAnchor="middle" className={SMALL_PRINT}>
                      {names.get(tier)}
                    </text>
                    <text x={percent(x + width / 2)} y={base + 29} textAnchor="middle" className={SMALL_PRINT}>
                      {sizes.get(tier)}
                    </text>
                  </g>
                ) : null,
              )}
            </g>
          </svg>
        </div>
      </div>
      <ul aria-hidden className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
        <Key fill="fill-accent">Sold</Key>
        {bought.length > 0 && asked !== null && (
          <Key pattern="url(#tier-bought)">
            <span className="figures">
              {formatReadable(asked.split.tokens)} {unit} for your {formatReadable(asked.amount)} XRP
            </span>
          </Key>
        )}
        <Key fill="fill-line">Not sold</Key>
      </ul>
    </figure>
  );
}

/** A place on the stairs with its name beside the top of its line, on the side that has more room. */
function Flag({
  x,
  from,
  base,
  isAsked = false,
  children,
}: {
  x: number;
  from: number;
  base: number;
  isAsked?: boolean;
  children: ReactNode;
}) {
  const isRight = x > 1 / 2;
  return (
    <g aria-hidden>
      <line
        x1={percent(x)}
        x2={percent(x)}
        y1={from + 1}
        y2={base}
        strokeWidth="1.5"
        strokeDasharray={isAsked ? '3 3' : undefined}
        className={isAsked ? 'stroke-accent' : 'stroke-ink'}
      />
      <text
        x={percent(x)}
        dx={isRight ? -7 : 7}
        y={from + 11}
        textAnchor={isRight ? 'end' : 'start'}
        className={`${OVER_LINES} font-medium ${isAsked ? 'fill-accent' : 'fill-ink'}`}
      >
        {children}
      </text>
    </g>
  );
}

const Key = ({ fill = '', pattern, children }: { fill?: string; pattern?: string; children: ReactNode }) => (
  <li className="flex items-center gap-1.5">
    <svg aria-hidden className="size-2.5 rounded-xs">
      <rect width="100%" height="100%" className={fill} fill={pattern} />
    </svg>
    {children}
  </li>
);
