import { createHash } from 'node:crypto';
import { z } from 'zod';

/** How often a fault strikes. Without any of these it strikes each time until it is cleared. */
export const strikeLimits = z.strictObject({
  /** Strikes this many times, then it is gone. */
  count: z.int().positive().optional(),
  /** The chance of striking, each time it could. */
  probability: z.number().min(0).max(1).default(1),
  /** Two runs with the same seed, and the same requests in the same order, are struck alike. */
  seed: z.int().default(1),
});

type Limits = z.output<typeof strikeLimits>;

/** A fault in force, and how often it has struck. */
export type FaultInForce<Fault> = Fault & { id: string; struck: number };

/** The `n`th number of a seed's sequence, at least 0 and below 1. */
function drawn(seed: number, n: number): number {
  return createHash('sha256').update(`${seed}:${n}`).digest().readUInt32BE() / 2 ** 32;
}

/** The faults that tests and `POST /sandbox/faults` put in force. Each draws from a sequence of its own. */
export class FaultSet<Fault extends Limits & { kind: string }, Input = unknown> {
  readonly #inForce = new Map<string, { fault: Fault; couldStrike: number; struck: number }>();
  readonly #schema: z.ZodType<Fault, Input>;
  #added = 0;

  constructor(schema: z.ZodType<Fault, Input>) {
    this.#schema = schema;
  }

  /** Puts a fault in force. @throws ZodError */
  inject(fault: Input): FaultInForce<Fault> {
    return this.injectUnknown(fault);
  }

  /** Puts in force what may be a fault or not. @throws ZodError */
  injectUnknown(fault: unknown): FaultInForce<Fault> {
    const parsed = this.#schema.parse(fault);
    this.#added += 1;
    const id = `fault_${this.#added}`;
    this.#inForce.set(id, { fault: parsed, couldStrike: 0, struck: 0 });
    return { ...parsed, id, struck: 0 };
  }

  /** Those that have strikes left, oldest first. */
  list(): FaultInForce<Fault>[] {
    return [...this.#inForce].map(([id, { fault, struck }]) => ({ ...fault, id, struck }));
  }

  /** Ends all faults, or the one with this id. Returns how many that were. */
  clear(id?: string): number {
    const cleared = id === undefined ? this.#inForce.size : Number(this.#inForce.has(id));
    if (id === undefined) this.#inForce.clear();
    else this.#inForce.delete(id);
    return cleared;
  }

  /** The oldest fault of this kind that strikes now, if one does; `concerns` leaves out those meant for others. */
  strike<Kind extends Fault['kind']>(
    kind: Kind,
    concerns: (fault: Extract<Fault, { kind: Kind }>) => boolean = () => true,
  ): Extract<Fault, { kind: Kind }> | undefined {
    const isOfKind = (fault: Fault): fault is Extract<Fault, { kind: Kind }> => fault.kind === kind;
    for (const [id, entry] of this.#inForce) {
      const { fault } = entry;
      if (!isOfKind(fault) || !concerns(fault)) continue;
      entry.couldStrike += 1;
      if (drawn(fault.seed, entry.couldStrike) >= fault.probability) continue;
      entry.struck += 1;
      if (entry.struck === fault.count) this.#inForce.delete(id);
      return fault;
    }
    return undefined;
  }
}
