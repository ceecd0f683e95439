import { z } from 'zod';
import { idPattern, newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Turn } from '../answerer.ts';
import { uncounted } from '../chat/budget.ts';

/** A conversation is forgotten this long after its last message. */
export const KEPT_SECONDS = 3_600;
/** Questions and replies together. */
export const MAX_TURNS = 12;
const MAX_BYTES = 16 * 1024;
const MAX_TURN_LENGTH = 4_000;

const ID = idPattern('chat');
const turn = z.object({ role: z.enum(['user', 'assistant']), text: z.string() });

export interface Conversation {
  id: string;
  turns: Turn[];
}

const keyOf = (id: string): string => `assistant:chat:${id}`;

/** The newest turns that fit into the bytes a conversation may hold. */
function bounded(turns: readonly Turn[]): Turn[] {
  let bytes = 0;
  const kept = turns.toReversed().filter(({ text }) => {
    bytes += Buffer.byteLength(text);
    return bytes <= MAX_BYTES;
  });
  return kept.reverse();
}

/**
 * The conversation that the id names. One that is over, or was never begun here, begins anew under a new id: an id is
 * always of our own making, so nobody can choose one and wait for another to use it. Throws `service_unavailable` while
 * Redis is away.
 */
export async function recall(ctx: Ctx, id: string | undefined): Promise<Conversation> {
  const anew = { id: newId('chat', ctx.random), turns: [] };
  if (id === undefined || !ID.test(id)) return anew;
  const kept: unknown = await ctx.redis.lrange(keyOf(id), -MAX_TURNS, -1).catch((cause: unknown) => {
    throw uncounted(cause);
  });
  const turns = z.array(turn).safeParse(kept);
  return turns.success && turns.data.length > 0 ? { id, turns: bounded(turns.data) } : anew;
}

/**
 * Adds a question and its reply, both without secrets, and keeps the conversation for another hour. In one transaction, so
 * two messages at once lose nothing of each other.
 */
export async function remember(ctx: Ctx, id: string, question: string, reply: string): Promise<void> {
  const turns: Turn[] = [
    { role: 'user', text: question.slice(0, MAX_TURN_LENGTH) },
    { role: 'assistant', text: reply.slice(0, MAX_TURN_LENGTH) },
  ];
  await ctx.redis
    .multi()
    .rpush(keyOf(id), ...turns)
    .ltrim(keyOf(id), -MAX_TURNS, -1)
    .expire(keyOf(id), KEPT_SECONDS)
    .exec();
}

/** Deletes what a conversation has said so far. */
export const forget = async (ctx: Ctx, id: string): Promise<void> => {
  await ctx.redis.del(keyOf(id));
};
