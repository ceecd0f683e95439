import { headers } from 'next/headers';
import { ImageResponse } from 'next/og';
import type { ReactNode } from 'react';
import { etagOf, matchesTag } from '#lib/api/answer.ts';
import { ResponseCache } from '#lib/base/response-cache.ts';

export const CARD_SIZE = { width: 1200, height: 630 };

const COLORS = { paper: '#0d1012', ink: '#eef1f3', soft: '#a3adb6', accent: '#52d3b6', line: '#262c31' } as const;
const MARK = [
  { width: 88, opacity: 1 },
  { width: 64, opacity: 0.7 },
  { width: 40, opacity: 0.45 },
] as const;

/** A social card in the one font that the renderer brings along: nothing is asked of another host. */
export const socialCard = (title: string, lines: readonly string[], below: ReactNode = null): ImageResponse =>
  new ImageResponse(
    <div
      style={{
        width: '100%',
        height: '100%',
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        padding: 72,
        background: COLORS.paper,
        color: COLORS.ink,
      }}
    >
      <div style={{ display: 'flex', alignItems: 'center', gap: 28, fontSize: 40 }}>
        <div style={{ display: 'flex', flexDirection: 'column', gap: 10 }}>
          {MARK.map(({ width, opacity }) => (
            <div key={width} style={{ width, height: 18, borderRadius: 9, background: COLORS.accent, opacity }} />
          ))}
        </div>
        Tranche
      </div>
      <div style={{ display: 'flex', flexDirection: 'column', gap: 20 }}>
        <div style={{ fontSize: title.length > 28 ? 64 : 88, lineHeight: 1.1, letterSpacing: -2 }}>{title}</div>
        {lines.map((line) => (
          <div key={line} style={{ fontSize: 36, color: COLORS.soft }}>
            {line}
          </div>
        ))}
      </div>
      {below}
    </div>,
    CARD_SIZE,
  );

/** How much of a whole is there, as a bar with its words. */
export const CardMeter = ({ percent, text }: { percent: number; text: string }) => (
  <div style={{ display: 'flex', flexDirection: 'column', gap: 18 }}>
    <div style={{ display: 'flex', height: 18, borderRadius: 9, background: COLORS.line, overflow: 'hidden' }}>
      <div style={{ width: `${Math.min(100, percent)}%`, background: COLORS.accent }} />
    </div>
    <div style={{ display: 'flex', fontSize: 32, color: COLORS.soft }}>{text}</div>
  </div>
);

/** What is said on the card of a sale. */
export interface SaleCardText {
  title: string;
  line: string;
  percent: number;
  raised: string;
}

const MAX_CARDS = 200;
const MAX_BYTES = 16 * 1024 * 1024;

/** To draw a card takes 75 ms of a processor: each is drawn once, for as long as it says the same. */
const drawn = new ResponseCache<Uint8Array<ArrayBuffer>>({
  maxAgeMs: Number.POSITIVE_INFINITY,
  maxEntries: MAX_CARDS,
  maxBytes: MAX_BYTES,
  keeps: () => true,
  bytesOf: ({ byteLength }) => byteLength,
  sharesSlowAnswers: true,
});

const draw = async ({ title, line, percent, raised }: SaleCardText): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await socialCard(title, [line], <CardMeter percent={percent} text={raised} />).arrayBuffer());

/** The picture of a sale's card, the same bytes for as long as it says the same. */
export const saleCardPng = (text: SaleCardText): Promise<Uint8Array<ArrayBuffer>> =>
  drawn.get(JSON.stringify(text), 0, () => draw(text));

/** The card of a sale, which everybody may keep for a minute. Of a draft nothing is kept. */
export async function saleCard(text: SaleCardText, { isDraft }: { isDraft: boolean }): Promise<Response> {
  const type = { 'content-type': 'image/png' };
  if (isDraft) return new Response(await draw(text), { headers: { ...type, 'cache-control': 'no-store' } });
  const png = await saleCardPng(text);
  const kept = { 'cache-control': 'public, max-age=60, stale-while-revalidate=600', etag: etagOf(png) };
  const isKnown = matchesTag((await headers()).get('if-none-match'), kept.etag);
  return isKnown
    ? new Response(null, { status: 304, headers: kept })
    : new Response(png, { headers: { ...type, ...kept } });
}
