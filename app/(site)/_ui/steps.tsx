import { Hash } from './hash.tsx';
import { Icon } from './icon.tsx';
import { Time } from './time.tsx';

/** One point of a way: what, whether it is behind, and where the ledger shows it. */
export interface Step {
  id: string;
  title: string;
  state: 'done' | 'open' | 'bad';
  at: string | null;
  hash: string | null;
}

const MARKS = {
  done: { icon: 'check', className: 'bg-good-soft text-good', said: 'done' },
  open: { icon: 'clock', className: 'bg-sunken text-soft', said: 'to come' },
  bad: { icon: 'warn', className: 'bg-bad-soft text-bad', said: 'needs attention' },
} as const;

/** Beyond it, what is far away folds. */
const MOST_OPEN = 8;

/** A way with its points in order; of a long one, as vesting makes it, the far end opens on demand. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  const open = steps.length > MOST_OPEN ? steps.slice(0, MOST_OPEN) : steps;
  const folded = steps.slice(open.length);
  return (
    <>
      <ol className="space-y-3">
        {open.map((step) => (
          <StepRow key={step.id} step={step} />
        ))}
      </ol>
      {folded.length > 0 && (
        <details className="mt-3">
          <summary className="link inline-flex text-sm">{folded.length} more</summary>
          <ol className="mt-3 space-y-3">
            {folded.map((step) => (
              <StepRow key={step.id} step={step} />
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function StepRow({ step }: { step: Step }) {
  const mark = MARKS[step.state];
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 text-sm">
      <span className={`flex size-7 items-center justify-center rounded-full ${mark.className}`}>
        <Icon name={mark.icon} label={mark.said} />
      </span>
      <div className="min-w-0 pt-1">
        <p>{step.title}</p>
        <p className="flex flex-wrap items-center gap-x-3 text-xs text-soft empty:hidden">
          {step.at !== null && <Time at={step.at} />}
          {step.hash !== null && <Hash hash={step.hash} />}
        </p>
      </div>
    </li>
  );
}
