import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { PlatformError } from '#lib/base/errors.ts';
import type { Chunk } from '../answerer.ts';
import { brokenOff, unfinished } from './failures.ts';
import { LIMITS } from './limits.ts';

export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote them: perhaps no JSON. */
  arguments: string;
}

type Delta = NonNullable<ChatCompletionChunk['choices'][number]['delta']['tool_calls']>[number];

/** Gathers the calls of a round from their pieces. */
class CallPieces {
  readonly #byIndex = new Map<number, ToolCall>();

  add({ index, id, function: piece }: Delta): void {
    const call = this.#byIndex.get(index) ?? { id: '', name: '', arguments: '' };
    this.#byIndex.set(index, call);
    call.id = id ?? call.id;
    call.name += piece?.name ?? '';
    call.arguments += piece?.arguments ?? '';
    if (this.#byIndex.size > LIMITS.calls) throw unfinished('too many calls in a round');
    if (call.arguments.length > LIMITS.argumentLength) throw unfinished('endless arguments');
  }

  /** Servers that are compatible only nearly leave ids out. */
  calls(): ToolCall[] {
    return [...this.#byIndex.values()].map((call, place) => ({ ...call, id: call.id || `call_${place}` }));
  }
}

/** The chunks, with an error after too long a silence: a server that says nothing more must not hold a visitor. */
async function* lively(chunks: AsyncIterable<ChatCompletionChunk>): AsyncGenerator<ChatCompletionChunk> {
  const iterator = chunks[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const next = () =>
    Promise.race([
      iterator.next(),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(brokenOff('silence')), LIMITS.idleMs);
      }),
    ]).finally(() => clearTimeout(timer));
  try {
    for (let result = await next(); result.done !== true; result = await next()) yield result.value;
  } finally {
    // Not awaited: it would wait for what does not come.
    iterator.return?.().catch(() => undefined);
  }
}

/** Only these say that the model had finished; a stream that ends without one was cut. */
const ENDS: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'function_call']);

export interface Round {
  text: string;
  /** What the model wants to look up before it goes on; none when it has finished. */
  calls: ToolCall[];
}

/**
 * One answer of the model: gives its text as it comes, and in the end the calls that it wants. Throws `service_unavailable`
 * when the stream breaks off, the model is cut short, or it does not come to an end.
 */
export async function* readRound(
  chunks: AsyncIterable<ChatCompletionChunk>,
  signal: AbortSignal,
): AsyncGenerator<Chunk, Round> {
  const pieces = new CallPieces();
  let end: string | null = null;
  let text = '';
  try {
    for await (const { choices } of lively(chunks)) {
      const choice = choices?.[0];
      for (const delta of choice?.delta?.tool_calls ?? []) pieces.add(delta);
      end = choice?.finish_reason || end;
      const piece = choice?.delta?.content ?? choice?.delta?.refusal ?? '';
      text += piece;
      if (text.length > LIMITS.replyLength) throw unfinished('endless text');
      if (piece !== '') yield { kind: 'text', text: piece };
    }
  } catch (failure) {
    signal.throwIfAborted();
    throw failure instanceof PlatformError ? failure : brokenOff('the stream failed');
  }
  // The package ends a stream quietly when its request is aborted.
  signal.throwIfAborted();
  if (end === null) throw brokenOff('no finish reason');
  if (!ENDS.has(end)) throw unfinished(`finish reason ${/^[a-z_]{1,40}$/.test(end) ? end : 'unknown'}`);
  return { text, calls: pieces.calls() };
}
