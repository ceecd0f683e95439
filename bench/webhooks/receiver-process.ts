import { fork } from 'node:child_process';
import path from 'node:path';
import type { HostileBehaviour } from './hostile-behaviours.ts';
import { nextMessage } from './next-message.ts';

export type Manner = 'healthy' | HostileBehaviour;
export type ReceiverOrder = { kind: 'take' } | { kind: 'count' };
export type ReceiverReport =
  | { kind: 'ready'; urls: string[] }
  /** Each event with the time at which its request's first bytes were read, in `nowMs()`. */
  | { kind: 'arrivals'; arrivals: [eventId: string, atMs: number][] }
  | { kind: 'counted'; count: number };

export interface ReceiverProcess {
  urls: string[];
  /** What arrived since the last call. */
  takeArrivals(): Promise<[eventId: string, atMs: number][]>;
  /** How many have arrived since then. */
  countArrivals(): Promise<number>;
  end(): void;
}

/** Starts a process with a receiver of each manner; a healthy one may take its time to answer. */
export async function startReceivers(manners: readonly Manner[], answerAfterMs = 0): Promise<ReceiverProcess> {
  const child = fork(path.join(import.meta.dirname, 'receiver.ts'), [String(answerAfterMs), ...manners]);
  const next = async <Kind extends ReceiverReport['kind']>(kind: Kind) => {
    const told = await nextMessage<ReceiverReport>(child, 'the receivers');
    if (told.kind !== kind) throw new Error(`The receivers reported ${told.kind} instead of ${kind}`);
    return told as Extract<ReceiverReport, { kind: Kind }>;
  };
  const { urls } = await next('ready');
  return {
    urls,
    async takeArrivals() {
      const answer = next('arrivals');
      child.send({ kind: 'take' } satisfies ReceiverOrder);
      return (await answer).arrivals;
    },
    async countArrivals() {
      const answer = next('counted');
      child.send({ kind: 'count' } satisfies ReceiverOrder);
      return (await answer).count;
    },
    end: () => void child.kill(),
  };
}
