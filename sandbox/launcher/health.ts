import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.ts';
import { SandboxFailure } from './failure.ts';
import { logTail } from './log-tail.ts';

const POLL_MS = 200;
const ONE_ANSWER_MS = 5_000;

/**
 * Waits until `url` answers 200.
 *
 * @throws SandboxFailure with the last answer and the tail of the child's log after `timeoutMs`
 */
export async function waitForHealth(child: Child, url: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  let last = 'no answer yet';
  for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(POLL_MS, undefined, { signal })) {
    last = await answerOf(url, signal);
    if (last === '200') return;
  }
  const tail = await logTail(child.name, child.logFile);
  throw new SandboxFailure(
    [`${child.name} was not healthy after ${timeoutMs / 1000} s: ${url} gave ${last}.`, tail, `Log: ${child.logFile}`]
      .filter(Boolean)
      .join('\n'),
  );
}

async function answerOf(url: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(ONE_ANSWER_MS)]) });
    const text = await response.text();
    return response.ok ? '200' : `${response.status} ${text.slice(0, 500)}`;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * The first message of a child that talks: its way to say that it is ready.
 *
 * @throws SandboxFailure with the tail of its log after `timeoutMs`
 */
export async function firstMessage(child: Child, timeoutMs: number): Promise<unknown> {
  const message = Promise.withResolvers<unknown>();
  child.process.once('message', message.resolve);
  const timer = setTimeout(async () => {
    const tail = await logTail(child.name, child.logFile);
    message.reject(new SandboxFailure(`${child.name} was not ready after ${timeoutMs / 1000} s.\n${tail}`.trim()));
  }, timeoutMs);
  // A child that ends instead is reported by the supervisor, with its log.
  child.ended.then(() => clearTimeout(timer));
  try {
    return await message.promise;
  } finally {
    clearTimeout(timer);
  }
}
