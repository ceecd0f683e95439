import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Answerer, Audience, Question } from '../answerer.ts';
import { builtInAnswerer } from '../built-in/index.ts';
import { languageOf } from '../built-in/language.ts';
import { say } from '../built-in/phrases.ts';
import type { ChatAnswer, ChatEvent } from '../contracts.ts';
import { type Conversation, forget, recall, remember } from '../memory/conversation.ts';
import { modelAnswerer } from '../openai/model-answerer.ts';
import { Evidence } from '../safety/figures.ts';
import { keyNotice, removedNotice, splitKeyNotice } from '../safety/notices.ts';
import { redact } from '../safety/redact.ts';
import { refusalOf, stakesAll } from '../safety/refusals.ts';
import { keyIn, splitKeyIn } from '../safety/secrets-in.ts';
import { suggest } from '../suggestions.ts';
import { tools } from '../tools/index.ts';
import { takeAnswerSlot, takeModelAnswer } from './budget.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import { Reply } from './reply.ts';
import { writeAnswer } from './write-answer.ts';

export interface Asked {
  message: string;
  conversationId: string | undefined;
  walletAddress: string | undefined;
  projectId: string | undefined;
  audience?: Audience | undefined;
  /** The caller's address, for budgets. */
  caller: string;
}

/** Who answers in fixed words. */
const SAFETY_MODEL = 'safety';

/** What to say to a message that holds a signing key, or the rest of one; null for any other. */
async function keyWarning(ctx: Ctx, { id, turns }: Conversation, message: string): Promise<string | null> {
  const whole = keyIn(message);
  if (whole !== null) return keyNotice(whole);
  const earlier = turns.filter(({ role }) => role === 'user').map(({ text }) => text);
  const split = splitKeyIn(earlier, message);
  if (split === null) return null;
  await forget(ctx, id);
  return splitKeyNotice(split);
}

interface Chosen {
  answerer: Answerer;
  /** What a model's words are held against; null where our own code answers. */
  evidence: Evidence | null;
}

/** The language model where there is a key and today's budgets allow it, else the built-in assistant. */
async function chooseAnswerer(ctx: Ctx, caller: string, question: Question, { leftMs }: Deadline): Promise<Chosen> {
  // Beside a quote of all that somebody has stands our own refusal to advise, and no words of a model.
  if (stakesAll(question.message) || env().OPENAI_API_KEY === undefined || !(await takeModelAnswer(ctx, caller))) {
    return { answerer: builtInAnswerer, evidence: null };
  }
  const evidence = new Evidence();
  evidence.add(question);
  return { answerer: modelAnswerer(tools, evidence, leftMs), evidence };
}

/** The answer is there and waits for nothing else longer than this. */
const PATIENCE_MS = 2_000;

/** What may be asked next; nothing when that cannot be told soon. */
async function nextQuestions(
  ctx: Ctx,
  { walletAddress, projectId }: { walletAddress: string | undefined; projectId: string | undefined },
): Promise<ChatAnswer['suggestions']> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<[]>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, []);
  });
  const suggested = suggest(ctx, { wallet_address: walletAddress, project_id: projectId }).catch((err: unknown) => {
    ctx.log.warn({ err }, 'no suggestions after an answer');
    return [];
  });
  return Promise.race([suggested, tooLate]).finally(() => clearTimeout(timer));
}

/**
 * Answers one message of a conversation, as events: `start`, then `delta` and `source`, then `done` with the whole answer. A
 * message that holds a signing key is answered with a warning alone: it is stored nowhere and sent to nobody. Credentials
 * and personal data are taken out of any other before anybody sees it. What is refused to everybody is refused in fixed
 * words, and no model sees it. Throws `rate_limited`, and `service_unavailable` when
 * Redis is away or the answer cannot be finished; ends without `done` when the client has gone.
 */
export async function* chat(ctx: Ctx, asked: Asked, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const conversation = await recall(ctx, asked.conversationId);
  const notice = await keyWarning(ctx, conversation, asked.message);
  if (notice !== null) {
    const reply = new Reply(conversation.id, SAFETY_MODEL);
    yield reply.start();
    yield reply.block(notice);
    yield reply.done(await nextQuestions(ctx, asked));
    return;
  }
  const leave = await takeAnswerSlot(ctx, asked.caller);
  const deadline = withDeadline(signal, env().ASSISTANT_TIMEOUT_MS);
  try {
    const { text: message, kinds } = redact(asked.message);
    const question: Question = {
      message,
      history: conversation.turns,
      ...(asked.walletAddress === undefined ? {} : { walletAddress: asked.walletAddress }),
      ...(asked.projectId === undefined ? {} : { projectId: asked.projectId }),
      ...(asked.audience === undefined ? {} : { audience: asked.audience }),
    };
    const refusal = refusalOf(message);
    if (refusal !== null) {
      const reply = new Reply(conversation.id, SAFETY_MODEL);
      yield reply.start();
      if (kinds.length > 0) yield reply.block(removedNotice(kinds));
      yield reply.block(say(`refuse_${refusal}`, languageOf(message)));
      yield reply.done(await nextQuestions(ctx, asked));
      return;
    }
    const chosen = await chooseAnswerer(ctx, asked.caller, question, deadline);
    const reply = new Reply(conversation.id, chosen.answerer.model);
    yield reply.start();
    if (kinds.length > 0) yield reply.block(removedNotice(kinds));
    yield* writeAnswer(ctx, { ...chosen, question, reply, deadline });
    const [next] = await Promise.all([
      nextQuestions(ctx, asked),
      remember(ctx, conversation.id, message, reply.text).catch((err: unknown) =>
        ctx.log.warn({ err }, 'a conversation was not remembered'),
      ),
    ]);
    yield reply.done(next);
  } catch (failure) {
    if (!signal.aborted) throw failure;
  } finally {
    deadline.end();
    await leave();
  }
}
