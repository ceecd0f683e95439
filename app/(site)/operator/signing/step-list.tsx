import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { Icon } from '../../_ui/icon.tsx';
import { Notice } from '../../_ui/notice.tsx';

interface ListedStep {
  id: string;
  title: string;
  why: ReactNode;
  state: 'done' | 'open' | 'waits' | 'blocked';
  problem: ReactNode;
  /** How it is done, and exactly what is signed for it; shown while it is the next one. */
  doing: ReactNode;
}

const STATES: Record<ListedStep['state'], { says: string; tone: Tone; mark: string }> = {
  done: { says: 'done', tone: 'good', mark: 'bg-good-soft text-good' },
  open: { says: 'next', tone: 'accent', mark: 'bg-accent text-accent-ink' },
  waits: { says: 'later', tone: 'neutral', mark: 'bg-sunken text-soft' },
  blocked: { says: 'needs attention', tone: 'bad', mark: 'bg-bad-soft text-bad' },
};

/** Steps in their order, each with its state on the ledger; the open one with what is to be done. */
export const StepList = ({ steps }: { steps: readonly ListedStep[] }) => (
  <ol className="space-y-1">
    {steps.map((step, index) => (
      <StepRow key={step.id} number={index + 1} isLast={index === steps.length - 1} step={step} />
    ))}
  </ol>
);

function StepRow({
  number,
  isLast,
  step: { title, why, state, problem, doing },
}: {
  number: number;
  isLast: boolean;
  step: ListedStep;
}) {
  const { says, tone, mark } = STATES[state];
  const isDone = state === 'done';
  return (
    <li
      className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3 sm:gap-x-4"
      aria-current={state === 'open' ? 'step' : undefined}
    >
      <div className="flex flex-col items-center">
        <span
          aria-hidden
          className={`figures flex size-8 shrink-0 items-center justify-center rounded-full text-sm font-semibold ${mark}`}
        >
          {isDone ? <Icon name="check" /> : number}
        </span>
        {!isLast && <span aria-hidden className="my-1 w-px grow bg-line" />}
      </div>
      <div className="min-w-0 pb-6">
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3">
          <h3 className={`font-medium ${state === 'waits' ? 'text-soft' : ''}`}>{title}</h3>
          <Badge tone={tone}>{says}</Badge>
        </div>
        <p className="mt-0.5 text-sm text-soft">{why}</p>
        {problem !== null && !isDone && (
          <div className="mt-3">
            <Notice tone="bad">{problem}</Notice>
          </div>
        )}
        {state === 'open' && <div className="mt-3 space-y-3">{doing}</div>}
      </div>
    </li>
  );
}
