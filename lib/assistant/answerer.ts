import type { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';

/** A page that an answer rests on: one of ours, or of the ledger explorer. */
export interface Source {
  title: string;
  url: string;
}

/** What a tool gives: JSON, money as decimal strings, and the pages where the same figures stand. */
export interface ToolResult {
  data: unknown;
  sources: Source[];
}

/** A read of the platform that an assistant may make; `description` is written for a model. It changes nothing. */
export interface Tool<I extends z.ZodType = z.ZodType> {
  name: string;
  description: string;
  input: I;
  /** What it reads is shared with other callers of this process: not from within a transaction of one of them. */
  isShared?: true;
  run(ctx: Ctx, input: z.output<I>): Promise<ToolResult>;
}

export interface Turn {
  role: 'user' | 'assistant';
  text: string;
}

/** Whose questions and guides come first. */
export type Audience = 'investor' | 'developer' | 'operator';

/** What a visitor asks, after secrets were taken out of it; `history` is oldest first. */
export interface Question {
  message: string;
  history: readonly Turn[];
  walletAddress?: string;
  projectId?: string;
  audience?: Audience;
}

/** What an answer shows from live data, for programs: the same figures as its words. */
export interface Card {
  kind: 'pay' | 'quote' | 'sale' | 'tag' | 'exchange' | 'refund' | 'delivery' | 'key';
  title: string;
  facts: Readonly<Record<string, string>>;
}

/** A part of an answer. */
export type Chunk = { kind: 'text'; text: string } | { kind: 'source'; source: Source } | { kind: 'card'; card: Card };

/** Answers in Markdown, piece by piece. Throws when it cannot finish: a half answer is never passed off as a whole one. */
export interface Answerer {
  model: string;
  answer(ctx: Ctx, question: Question, signal: AbortSignal): AsyncIterable<Chunk>;
}
