import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

const LOOKS: Record<'info' | 'good' | 'warn' | 'bad', { icon: IconName; className: string }> = {
  info: { icon: 'info', className: 'border-line bg-sunken text-ink' },
  good: { icon: 'check', className: 'border-good/30 bg-good-soft text-good' },
  warn: { icon: 'warn', className: 'border-warn/30 bg-warn-soft text-warn' },
  bad: { icon: 'warn', className: 'border-bad/30 bg-bad-soft text-bad' },
};

/** Something to know at this place. `isAlert`: it came up after the page was read, and is said aloud. */
export function Notice({
  tone = 'info',
  title,
  isAlert = false,
  children,
}: {
  tone?: keyof typeof LOOKS;
  title?: string;
  isAlert?: boolean;
  children?: ReactNode;
}) {
  const { icon, className } = LOOKS[tone];
  return (
    <div role={isAlert ? 'alert' : undefined} className={`flex gap-3 rounded-xl border px-4 py-3 text-sm ${className}`}>
      <Icon name={icon} className="mt-0.5 size-4" />
      <div className="min-w-0 space-y-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className={tone === 'info' ? 'text-soft' : ''}>{children}</div>}
      </div>
    </div>
  );
}
