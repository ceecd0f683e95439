import type { Ctx } from '#lib/ctx.ts';
import type { Answerer, Chunk, Question } from '../answerer.ts';
import { payerOf } from '../built-in/asked.ts';
import { builtInAnswerer } from '../built-in/index.ts';
import { languageOf } from '../built-in/language.ts';
import { closedText } from '../built-in/phrases.ts';
import type { ChatEvent } from '../contracts.ts';
import { brokenOff } from '../openai/failures.ts';
import { readingCtx } from '../reading-ctx.ts';
import { cleanBlock } from '../safety/clean-block.ts';
import type { Evidence } from '../safety/figures.ts';
import { type Fault, judgeBlock } from '../safety/judge-block.ts';
import { NEVER_ASKED, NO_ADVICE, NO_INSTRUCTIONS, TAKEN_OVER } from '../safety/notices.ts';
import { payGate } from '../tools/pay-gate.ts';
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

type Beside = Exclude<Chunk, { kind: 'text' }>;

/** The text of an answer; what comes beside it goes to `note`. */
async function* textOf(chunks: AsyncIterable<Chunk>, note: (chunk: Beside) => void) {
  for await (const chunk of chunks) {
    if (chunk.kind === 'text') yield chunk.text;
    else note(chunk);
  }
}

/**
 * Writes the answer block by block: each is cleaned, what a model wrote is also judged, everything is held against the gate
 * for money (tools/pay-gate.ts), and only then it is shown. At the first block that must not be shown the model is stopped,
 * and a fixed reply or the built-in assistant ends the answer.
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
    reply.handOver(builtInAnswerer.model);
    yield* writeBlocks(ctx, { ...writing, answerer: builtInAnswerer, evidence: null });
  }
}

/** An address may be parted by the end of a block: so much of what was shown before is read with the next one. */
const READ_BEFORE = 120;

async function* writeBlocks(
  ctx: Ctx,
  { answerer, evidence, question, reply, deadline: { signal } }: Writing,
): AsyncGenerator<ChatEvent, Fault | null> {
  const reading = readingCtx(ctx, ctx.db);
  const scope = { projectId: question.projectId, wallet: payerOf(question) };
  const gate = payGate(reading, scope);
  const isClosed = gate.closedSaleIn;
  let noted: Beside[] = [];
  const text = textOf(until(answerer.answer(reading, question, signal), signal), (chunk) => noted.push(chunk));
  const showNoted = async function* (): AsyncGenerator<ChatEvent> {
    const now = noted;
    noted = [];
    for (const chunk of now) {
      if ((await isClosed(JSON.stringify(chunk))) !== null) continue;
      if (chunk.kind === 'card') yield reply.card(chunk.card);
      else {
        const event = reply.source(chunk.source);
        if (event !== null) yield event;
      }
    }
  };
  let [given, shown] = [0, 0];
  let before = '';
  for await (const block of splitBlocks(text)) {
    const { markdown, plain } = cleanBlock(block);
    given += 1;
    if (markdown === '') continue;
    // A model may write for a minute: what was open at its first word may be closed at its last.
    if (evidence !== null) gate.reread();
    const fault = evidence === null ? null : judgeBlock(plain, evidence);
    if (fault !== null) return fault;
    const closed = (await isClosed(plain)) ?? (before === '' ? null : await isClosed(`${before}${plain}`));
    if (closed !== null) {
      if (evidence !== null) return 'money';
      const language = languageOf(question.message);
      yield reply.block(closedText({ ...closed, closed_because: closed.reason, opens_at: null }, language));
      continue;
    }
    before = plain.slice(-READ_BEFORE);
    yield* showNoted();
    yield reply.block(markdown);
    shown += 1;
  }
  yield* showNoted();
  if (given === 0) throw brokenOff('not a word');
  return shown === 0 && evidence !== null ? 'empty' : null;
}
