import { Meter } from '../_ui/meter.tsx';
import { percentText } from './percent-text.ts';

const PERCENT = 100;

export function ShareBar({ label, share }: { label: string; share: number | null }) {
  return (
    <div>
      <p className="mb-1.5 flex justify-between text-sm">
        <span className="text-soft">{label}</span>
        <span className="figures">{share === null ? '–' : percentText(share)}</span>
      </p>
      <Meter percent={(share ?? 0) * PERCENT} label={`${label}: ${share === null ? 'unknown' : percentText(share)}`} />
    </div>
  );
}
