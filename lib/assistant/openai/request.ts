import { setTimeout as wait } from 'node:timers/promises';
import type OpenAI from 'openai';
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { env } from '#lib/base/env.ts';
import { openaiClient } from './client.ts';
import { modelFailure } from './failures.ts';
import { LIMITS } from './limits.ts';

const FIRST_PAUSE_MS = 500;
/** A pause that leaves less than this for the answer is not worth waiting. */
const LEAST_TIME_MS = 2_000;

export interface Deadline {
  signal: AbortSignal;
  /** Milliseconds until the answer must be whole. */
  leftMs(): number;
}

/** Failures as the package throws them; without loading it. */
const statusOf = (failure: unknown): number | undefined =>
  failure instanceof Error && 'status' in failure && typeof failure.status === 'number' ? failure.status : undefined;
const headersOf = (failure: unknown): Headers | undefined =>
  failure instanceof Error && 'headers' in failure && failure.headers instanceof Headers ? failure.headers : undefined;

const mayPass = (status: number | undefined): boolean =>
  status === undefined || status === 408 || status === 409 || status === 429 || status >= 500;

/** What the server asks to wait, by `Retry-After` in seconds or as a date; null where it does not say. */
function askedPauseMs(headers: Headers | undefined, nowMs: number): number | null {
  const text = headers?.get('retry-after');
  if (text === undefined || text === null) return null;
  const pauseMs = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isFinite(pauseMs) ? Math.max(0, pauseMs) : null;
}

/**
 * Asks the model, and asks again after 408, 409, 429, 5xx and lost connections, as long as nothing of an answer has come: after the pause
 * that the server names, else after a growing one, and only while time is left for an answer. Throws `service_unavailable`.
 */
export async function requestCompletion(
  body: Omit<ChatCompletionCreateParamsStreaming, 'model' | 'stream'>,
  { signal, leftMs }: Deadline,
): Promise<AsyncIterable<ChatCompletionChunk>> {
  const openai: OpenAI = await openaiClient();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openai.chat.completions.create({ ...body, model: env().OPENAI_MODEL, stream: true }, { signal });
    } catch (failure) {
      signal.throwIfAborted();
      const status = statusOf(failure);
      const cause = status === undefined ? 'no connection' : `status ${status}`;
      if (!mayPass(status)) throw modelFailure('The assistant is not available right now.', cause);
      const pauseMs = askedPauseMs(headersOf(failure), Date.now()) ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
      if (attempt >= LIMITS.attempts || pauseMs + LEAST_TIME_MS > leftMs()) {
        const seconds = Math.max(1, Math.ceil(pauseMs / 1000));
        throw modelFailure(`The assistant is busy. Try again in ${seconds} s.`, cause, seconds);
      }
      await wait(pauseMs, undefined, { signal });
    }
  }
}
