import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export type Manner = 'healthy' | 'silent' | 'slow_loris' | 'endless_body';
export type ReceiverOrder = { kind: 'take' };
export type ReceiverReport =
  | { kind: 'ready'; urls: string[] }
  /** Each event with the time at which its request's first bytes were read, in `nowMs()`. */
  | { kind: 'arrivals'; arrivals: [eventId: string, atMs: number][] };

export interface ReceiverProcess {
  urls: string[];
  /** What arrived since the last call. */
  takeArrivals(): Promise<[eventId: string, atMs: number][]>;
  end(): void;
}

/** Starts a process with so many receivers of one manner. */
export async function startReceivers(manner: Manner, ports: number): Promise<ReceiverProcess> {
  const child = fork(path.join(import.meta.dirname, 'receiver.ts'), [manner, String(ports)]);
  const next = async <Kind extends ReceiverReport['kind']>(kind: Kind) => {
    const [told] = (await once(child, 'message')) as [ReceiverReport];
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
    end: () => void child.kill(),
  };
}
