import { fork } from 'node:child_process';
import path from 'node:path';
import { nextMessage } from './next-message.ts';

export const QUEUE = 'webhooks';

/** One delivery as a job of its own. */
export interface PeerJob {
  url: string;
  eventId: string;
  webhookId: string;
  sealedSecret: string;
  body: string;
}

/**
 * As many at once as a slice of ours has under way. Each job settles by itself, since one receiver's failure is not
 * another's; a full batch is followed by the next at once, and a new job is announced by NOTIFY.
 */
export const WORK = {
  batchSize: 16,
  localConcurrency: 4,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const;

export type PeerOrder =
  | { kind: 'open'; databaseUrl: string; connections: number; settings: Record<string, string | undefined> }
  | { kind: 'work' }
  | { kind: 'rest' };

export interface PeerProcess {
  order(order: PeerOrder): Promise<void>;
  end(): void;
}

/** Starts a process that works through the jobs of pg-boss by order. */
export async function startPeer(): Promise<PeerProcess> {
  const child = fork(path.join(import.meta.dirname, 'peer.ts'));
  await nextMessage(child, 'pg-boss');
  return {
    async order(order) {
      child.send(order);
      await nextMessage(child, 'pg-boss');
    },
    end: () => void child.kill(),
  };
}
