/** A connection of either driver. */
interface Connection {
  query: (...given: never[]) => unknown;
}

/**
 * Lets the statements of one connection wait for each other. Verbs read side by side with `Promise.all`, also within a
 * transaction, where all of them share a connection: pg warns of a statement that comes while another runs, and pg 9 is
 * going to refuse it. A statement that fails lets the next one go; one that finds the line empty is sent at once.
 */
export function inLine(connection: Connection): void {
  const { query } = connection;
  let last: Promise<void> | null = null;
  Object.assign(connection, {
    query: (...given: unknown[]): unknown => {
      const send = (): unknown => Reflect.apply(query, connection, given);
      // The pool's own statements come one at a time, with a callback.
      if (typeof given.at(-1) === 'function') return send();
      const sent = last === null ? send() : last.then(send);
      const leave = (): void => {
        if (last === left) last = null;
      };
      const left = Promise.resolve(sent).then(leave, leave);
      last = left;
      return sent;
    },
  });
}
