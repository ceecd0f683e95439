import { z } from 'zod';
import { FaultSet, strikeLimits } from '../fault-set.ts';

const onMessages = strikeLimits.extend({
  /** Only messages whose destination contains this. */
  urlIncludes: z.string().min(1).optional(),
});

const fault = z.discriminatedUnion('kind', [
  onMessages.extend({
    kind: z.literal('duplicate'),
    /** How often the message is delivered. */
    times: z.int().min(2).max(100).default(2),
    /** All at the same time; otherwise one after the other's answer, as when that answer was lost. */
    together: z.boolean().default(false),
  }),
  onMessages.extend({
    kind: z.literal('reorder'),
    /** How many messages published later overtake it. */
    behind: z.int().positive().default(1),
    /** It is held no longer than this, by the virtual clock. */
    forSeconds: z.number().positive().default(60),
  }),
  onMessages.extend({ kind: z.literal('drop') }),
  onMessages.extend({
    kind: z.literal('refuse'),
    /** What the publisher is told. */
    error: z.string().min(1).default('quota exceeded'),
  }),
  onMessages.extend({
    kind: z.literal('delay'),
    /** Comes on top of the publisher's own. */
    seconds: z.number().positive(),
  }),
  strikeLimits.extend({
    kind: z.literal('down'),
    /** 503, a connection that breaks off before anything is done, or one that breaks off after all is done. */
    how: z.enum(['unavailable', 'reset', 'answer_lost']).default('unavailable'),
  }),
]);

/** A fault of this stand-in as `POST /sandbox/faults` takes it. */
export type QStashFault = z.input<typeof fault>;
export type QStashFaults = FaultSet<z.output<typeof fault>, QStashFault>;

export function createQStashFaults(): QStashFaults {
  return new FaultSet(fault);
}

/** What faults have in store for a message, drawn once when it is taken in: so it does not depend on timing. */
export interface CallOutcome {
  isDropped: boolean;
  extraDelayMs: number;
  /** Deliveries it is to have in all. */
  copies: number;
  /** Whether they are made at the same time. */
  isTogether: boolean;
  /** How many later messages have yet to overtake it. */
  behind: number;
  heldForMs: number;
}

const meantFor =
  (url: string) =>
  ({ urlIncludes }: { urlIncludes?: string | undefined }) =>
    urlIncludes === undefined || url.includes(urlIncludes);

/** The error with which a message is refused, if it is. */
export const drawRefusal = (faults: QStashFaults, url: string): string | undefined =>
  faults.strike('refuse', meantFor(url))?.error;

/** Draws a message's fate. A dropped message uses up no other fault. */
export function drawOutcome(faults: QStashFaults, url: string): CallOutcome {
  const concerns = meantFor(url);
  if (faults.strike('drop', concerns)) {
    return { isDropped: true, extraDelayMs: 0, copies: 0, isTogether: false, behind: 0, heldForMs: 0 };
  }
  const duplicate = faults.strike('duplicate', concerns);
  const reorder = faults.strike('reorder', concerns);
  const delay = faults.strike('delay', concerns);
  return {
    isDropped: false,
    extraDelayMs: (delay?.seconds ?? 0) * 1000,
    copies: duplicate?.times ?? 1,
    isTogether: duplicate?.together ?? false,
    behind: reorder?.behind ?? 0,
    heldForMs: (reorder?.forSeconds ?? 0) * 1000,
  };
}
