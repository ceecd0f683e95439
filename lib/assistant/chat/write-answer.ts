import type { Ctx } from '#lib/ctx.ts';
import type { Answerer, Chunk, Question } from '../answerer.ts';
import type { ChatEvent } from '../contracts.ts';
import { embeddedAnswerer } from '../embedded/index.ts';
import { brokenOff } from '../openai/failures.ts';
import { readingCtx } from '../reading-ctx.ts';
import { cleanBlock } from '../safety/clean-block.ts';
import type { Evidence } from '../safety/evidence.ts';
import { type Fault, judgeBlock } from '../safety/judge-block.ts';
import { NEVER_ASKED, NO_ADVICE, NO_INSTRUCTIONS, TAKEN_OVER } from '../safety/notices.ts';
import { type Deadline, until } from './deadline.ts';
import type { Reply } from './reply.ts';
import { splitBlocks } from './split-blocks.ts';

interface Writing {
  answerer: Answerer;
  evidence: Evidence | null;
  question: Question;
  reply: Reply;
  deadline: Deadline;
}

/** The text of an answer; what comes beside it goes to `note`. */
async function* textOf(chunks: AsyncIterable<Chunk>, note: (chunk: Exclude<Chunk, { kind: 'text' }>) => void) {
  for await (const chunk of chunks) {
    if (chunk.kind === 'text') yield chunk.text;
    else note(chunk);
  }
}

/**
 * Writes the answer block by block: each is cleaned, what a model wrote is also judged, and only then it is shown. At the
 * first block that must not be shown the model is stopped, and a fixed reply or the built-in assistant ends the answer.
 */
export async function* writeAnswer(ctx: Ctx, writing: Writing): AsyncGenerator<ChatEvent> {
  const fault = yield* writeBlocks(ctx, writing);
  if (fault === null) return;
  const { reply } = writing;
  ctx.log.warn({ fault, model: writing.answerer.model }, 'a reply of the language model was held back');
  if (fault === 'advice') yield reply.block(NO_ADVICE);
  else if (fault === 'asks_key') yield reply.block(NEVER_ASKED);
  else if (fault === 'instructions' || fault === 'secret') yield reply.block(NO_INSTRUCTIONS);
  else {
    yield reply.block(TAKEN_OVER[fault]);
    reply.handOver(embeddedAnswerer.model);
    yield* writeBlocks(ctx, { ...writing, answerer: embeddedAnswerer, evidence: null });
  }
}

async function* writeBlocks(
  ctx: Ctx,
  { answerer, evidence, question, reply, deadline: { signal } }: Writing,
): AsyncGenerator<ChatEvent, Fault | null> {
  const noted: ChatEvent[] = [];
  const text = textOf(until(answerer.answer(readingCtx(ctx, ctx.db), question, signal), signal), (chunk) => {
    if (chunk.kind === 'offer') return reply.offer(chunk.question);
    const event = reply.source(chunk.source);
    if (event !== null) noted.push(event);
  });
  let [given, shown] = [0, 0];
  for await (const block of splitBlocks(text)) {
    const { markdown, plain } = cleanBlock(block);
    given += 1;
    if (markdown === '') continue;
    const fault = evidence === null ? null : judgeBlock(plain, evidence);
    if (fault !== null) return fault;
    yield* noted.splice(0);
    yield reply.block(markdown);
    shown += 1;
  }
  yield* noted.splice(0);
  if (given === 0) throw brokenOff('not a word');
  return shown === 0 && evidence !== null ? 'empty' : null;
}
