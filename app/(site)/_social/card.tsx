import { ImageResponse } from 'next/og';
import type { ReactNode } from 'react';

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
