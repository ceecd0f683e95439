import { setImmediate } from 'node:timers/promises';
import pg from 'pg';

/** Before the step, once it is on its way but not answered, or once it is answered but nothing more was done. */
export const SIDES = ['before', 'sent', 'after'] as const;
export type Side = (typeof SIDES)[number];

/** Makes one step of a process, and at its edges whatever is to happen to the process there. */
export type Step<Boundary> = <T>(boundary: Boundary, make: () => Promise<T>) => Promise<T>;

/** Steps with their three edges; `edge` ends or stops the process when that is due. */
export const stepsWith =
  <Boundary>(edge: (boundary: Boundary, side: Side) => Promise<void>): Step<Boundary> =>
  async (boundary, make) => {
    await edge(boundary, 'before');
    const made = make();
    // Who is killed below never hears the outcome.
    made.catch(() => undefined);
    // What is written to a socket leaves the process with the turn in which it was written.
    await setImmediate();
    await edge(boundary, 'sent');
    const outcome = await made;
    await edge(boundary, 'after');
    return outcome;
  };

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/** Makes a step of every statement of this process that is a boundary. */
export function strikeAtStatements<Boundary>(
  boundaryOf: (statement: string, client: pg.Client) => Boundary | undefined,
  step: Step<Boundary>,
): void {
  const query = pg.Client.prototype.query as Query;
  pg.Client.prototype.query = function atEdges(this: pg.Client, ...given: unknown[]) {
    const [first] = given;
    const statement = typeof first === 'string' ? first : String((first as { text?: unknown } | undefined)?.text);
    const boundary = boundaryOf(statement, this);
    if (boundary === undefined) return query.apply(this, given);
    const callback = given.at(-1);
    if (typeof callback !== 'function') return step(boundary, () => query.apply(this, given) as Promise<unknown>);
    const outcome = step(
      boundary,
      () =>
        new Promise((resolve, reject) => {
          query.call(this, ...given.slice(0, -1), (error: unknown, result: unknown) =>
            error ? reject(error) : resolve(result),
          );
        }),
    );
    void outcome.then(
      (result) => callback(null, result),
      (error: unknown) => callback(error),
    );
    return undefined;
  } as typeof pg.Client.prototype.query;
}
