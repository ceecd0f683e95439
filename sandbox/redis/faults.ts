import { z } from 'zod';
import { FaultSet, strikeLimits } from '../fault-set.ts';
import { commandName } from './command-rules.ts';
import type { RedisCommand } from './store.ts';

const onCommands = strikeLimits.extend({
  /** Only this command, upper or lower case; any without it. */
  command: z
    .string()
    .min(1)
    .transform((name) => name.toUpperCase())
    .optional(),
});

const fault = z.discriminatedUnion('kind', [
  strikeLimits.extend({
    kind: z.literal('down'),
    /** 503, a connection that breaks off before anything is done, or one that breaks off after all is done. */
    how: z.enum(['unavailable', 'reset', 'answer_lost']).default('unavailable'),
  }),
  onCommands.extend({
    kind: z.literal('slow'),
    /** Real time between the work, which is done at once, and the answer to the request. */
    milliseconds: z.int().positive().max(600_000),
  }),
  onCommands.extend({
    kind: z.literal('refuse'),
    /** Redis's text with its code in front. The command is not run. */
    error: z.string().min(1).default('ERR max requests limit exceeded'),
  }),
]);

/** A fault of this stand-in as `POST /sandbox/faults` takes it. */
export type RedisFault = z.input<typeof fault>;
export type RedisFaults = FaultSet<z.output<typeof fault>, RedisFault>;

export function createRedisFaults(): RedisFaults {
  return new FaultSet(fault);
}

/** Whether a fault is meant for one of these commands. */
export function concernsOneOf(commands: readonly RedisCommand[]) {
  return ({ command }: { command?: string | undefined }): boolean =>
    command === undefined || commands.some((candidate) => commandName(candidate) === command);
}
