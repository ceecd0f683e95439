import type { Ctx } from '#lib/ctx.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import type { Answerer, Chunk, Question, Source } from '../answerer.ts';
import { runTool } from '../run-tool.ts';
import { listProjectsTool } from '../tools/list-projects.ts';
import { ANSWERS } from './answers/index.ts';
import { answerUnknown, offered } from './answers/unknown.ts';
import { type Answer, type Asked, askedOf } from './asked.ts';
import { namesOf } from './choose-project.ts';
import { asQuestion } from './intents.ts';
import { paragraphs, plain } from './markdown.ts';
import { type Understood, understand } from './understand.ts';

const INTRODUCTION =
  '*I am the built-in assistant: what I say comes from this platform’s live data and its documentation.*';

/** What a part that is away means for who asks; any other fault is not for their eyes. */
const AWAY: Partial<Record<PlatformError['code'], string>> = {
  ledger_unavailable:
    'The XRP Ledger cannot be asked at the moment, so I cannot tell you that now. Payments are safe on it. Please ask again in a minute.',
  service_unavailable: 'A part that I need is away at the moment. Please ask again in a minute.',
  project_not_found: 'I know no sale with that id. Ask “which sales are there?” for a list.',
  not_found: 'What you ask about is not on the ledger (any more).',
};

async function told(answer: Answer, asked: Asked): Promise<string> {
  try {
    return await answer(asked);
  } catch (error) {
    const text = error instanceof PlatformError ? AWAY[error.code] : undefined;
    if (text === undefined) throw error;
    return text;
  }
}

/** What is answered to a guess says what it was taken for, and what else it may have meant. */
const answerTo = ({ guess, near }: Understood): Answer =>
  guess === null
    ? answerUnknown(near)
    : async (asked) => {
        const amount = asked.entities.amounts[0]?.text;
        const others = offered(near, amount);
        return paragraphs(
          `I am not sure that I understood you. I take it as “${plain(asQuestion(guess, amount))}”`,
          await ANSWERS[guess](asked),
          others === null ? null : `Or did you mean one of these?\n\n${others}`,
        );
      };

/**
 * The assistant that needs no language model: it recognises what is asked by a model of many wordings, and answers with what the
 * tools find. Where it is not sure it says so and offers the closest questions; what it does not know it searches in the documentation.
 */
export const embeddedAnswerer: Answerer = {
  model: 'built-in',
  async *answer(ctx: Ctx, question: Question, signal: AbortSignal): AsyncIterable<Chunk> {
    const sources = new Map<string, Source>();
    const take = (source: Source) => {
      if (!sources.has(source.url)) sources.set(source.url, source);
    };
    const { data } = await runTool(ctx, listProjectsTool, {});
    const understood = understand(question.message, question.history, namesOf(data.projects));
    const { intents, near, entities } = understood;
    const asked = askedOf(ctx, question, entities, { projects: data.projects, take, signal });
    const answers = intents.length > 0 ? intents.map((intent) => ANSWERS[intent]) : [answerTo(understood)];
    for (const [place, answer] of answers.entries()) {
      signal.throwIfAborted();
      const text = await told(answer, asked);
      yield { kind: 'text', text: place === 0 ? text : `\n\n${text}` };
    }
    if (question.history.length === 0) yield { kind: 'text', text: `\n\n${INTRODUCTION}` };
    for (const source of sources.values()) yield { kind: 'source', source };
    for (const intent of near) yield { kind: 'offer', question: asQuestion(intent, entities.amounts[0]?.text) };
  },
};
