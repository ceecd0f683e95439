import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { nextMessage } from '../webhooks/next-message.ts';

/** A process of the benchmark that answers one order at a time. */
export interface Child {
  process: ChildProcess;
  order<Answer>(order: unknown): Promise<Answer>;
  end(): void;
}

/** Starts a program of this folder with options, and flags of Node.js. Its first message is what it is ready with. */
export async function startChild<Ready>(
  program: string,
  options: unknown = {},
  flags: readonly string[] = [],
): Promise<{ child: Child; ready: Ready }> {
  const started = fork(path.join(import.meta.dirname, program), [JSON.stringify(options)], {
    execArgv: [...process.execArgv, ...flags],
  });
  const ready = await nextMessage<Ready>(started, program);
  let last: Promise<unknown> = Promise.resolve();
  return {
    ready,
    child: {
      process: started,
      order<Answer>(order: unknown) {
        const answer = last.then(async () => {
          const coming = nextMessage<Answer>(started, program);
          started.send(order as object);
          return coming;
        });
        last = answer.catch(() => undefined);
        return answer;
      },
      end: () => void started.kill(),
    },
  };
}
