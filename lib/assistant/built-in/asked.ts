import type { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import type { Audience, Card, Question, Source } from '../answerer.ts';
import { runTool } from '../run-tool.ts';
import type { TypedTool } from '../tools/define.ts';
import type { ListedProject } from '../tools/sale-reads.ts';
import { type Entities, entitiesIn } from './entities.ts';
import type { Language } from './language.ts';
import { type Place, placeIn } from './place.ts';

/** One question being answered: what it names, and the tools it may use. */
export interface Asked {
  message: string;
  entities: Entities;
  language: Language;
  /** The place that the message names, whose time is shown beside UTC. */
  place: Place | null;
  /** Named in the message or before it, else the one that the visitor has given with the question. */
  wallet: string | null;
  /** The wallet that would pay. */
  payer: string | null;
  /** The sale given with the question. */
  givenProject: string | null;
  /** Who asks, where that is known: on the page of a sale an investor. */
  audience: Audience | null;
  /** What is answered is most likely asked for, not only near it. */
  isAsked: boolean;
  /** It is asked for as good as literally: on what is only likely nobody is told where to pay. */
  isSure: boolean;
  /** What earlier messages of the visitor say, the newest first. */
  earlier: readonly string[];
  /** The sales of the platform. */
  projects: readonly ListedProject[];
  nowMs: number;
  /** Adds a source to the answer. */
  take(source: Source): void;
  /** Adds a card to the answer. */
  card(card: Card): void;
  /** Asks a tool; its sources become the answer's. */
  use<I extends z.ZodType, D>(tool: TypedTool<I, D>, input: z.output<I>): Promise<D>;
}

/** An answer from live data, in Markdown; `text` is what docs/faq says to the question, empty where it does not say it in its language. */
export type Answer = (asked: Asked, text: string) => Promise<string>;

/** The wallet that a question is about: the one that it names, that came with it, or that was named before it. */
export function walletOf({ message, walletAddress, history }: Question): string | undefined {
  const before = history.filter(({ role }) => role === 'user').toReversed();
  return entitiesIn(message).wallets[0] ?? walletAddress ?? before.flatMap(({ text }) => entitiesIn(text).wallets)[0];
}

/** The wallet that would pay: the one given with the question, else the one that is spoken of. */
export const payerOf = (question: Question): string | undefined => question.walletAddress ?? walletOf(question);

/** Everything that the answers to a question share. `take` gets each source once, as soon as a tool was asked. */
export function askedOf(
  ctx: Ctx,
  question: Question,
  entities: Entities,
  {
    language,
    projects,
    take,
    card,
    signal,
  }: {
    language: Language;
    projects: readonly ListedProject[];
    take: (source: Source) => void;
    card: (card: Card) => void;
    signal: AbortSignal;
  },
): Asked {
  const earlier = question.history
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .toReversed();
  /** What was looked up for this answer: each thing is read once, so all that is said is of one moment. */
  const found = new Map<string, Promise<{ data: unknown; sources: Source[] }>>();
  return {
    message: question.message,
    entities,
    language,
    place: placeIn(question.message),
    nowMs: ctx.clock.nowMs(),
    take,
    card,
    wallet: walletOf(question) ?? null,
    payer: payerOf(question) ?? null,
    givenProject: question.projectId ?? null,
    audience: question.audience ?? (question.projectId === undefined ? null : 'investor'),
    isAsked: true,
    isSure: true,
    earlier,
    projects,
    async use(tool, input) {
      signal.throwIfAborted();
      const key = `${tool.name} ${JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`;
      const known = found.get(key) as ReturnType<typeof tool.run> | undefined;
      const looked = known ?? runTool(ctx, tool, input);
      found.set(key, looked);
      const { data, sources } = await looked;
      for (const source of sources) take(source);
      return data;
    },
  };
}
