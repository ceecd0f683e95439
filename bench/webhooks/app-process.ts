import { fork } from 'node:child_process';
import path from 'node:path';
import { nextMessage } from './next-message.ts';

/** What the app has used since it was last asked. */
export interface Usage {
  /** CPU time by real time. */
  cores: number;
  cpuMs: number;
  rssMb: number;
  /** What a timer is late by, the timer's own millisecond included; 0 where the event loop is not watched. */
  loopDelayP95Ms: number;
}

export type AppOrder =
  | { kind: 'settings'; settings: Record<string, string | undefined> }
  | { kind: 'watch-loop' }
  | { kind: 'usage' };

export interface AppProcess {
  port: number;
  applyEnv(settings: Record<string, string | undefined>): Promise<void>;
  watchLoop(): Promise<void>;
  takeUsage(): Promise<Usage>;
  end(): void;
}

/** Starts a process of the app. */
export async function startApp(): Promise<AppProcess> {
  const child = fork(path.join(import.meta.dirname, 'app.ts'));
  const port = await nextMessage<number>(child, 'the app');
  const order = async <Answer>(given: AppOrder): Promise<Answer> => {
    child.send(given);
    return nextMessage<Answer>(child, 'the app');
  };
  return {
    port,
    applyEnv: (settings) => order({ kind: 'settings', settings }),
    watchLoop: () => order({ kind: 'watch-loop' }),
    takeUsage: () => order<Usage>({ kind: 'usage' }),
    end: () => void child.kill(),
  };
}
