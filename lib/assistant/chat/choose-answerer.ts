import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Answerer, Question } from '../answerer.ts';
import { takeModelAnswer } from '../budget/take-answer.ts';
import { builtInAnswerer } from '../built-in/index.ts';
import { modelAnswerer } from '../openai/model-answerer.ts';
import { Evidence } from '../safety/evidence.ts';
import { tools } from '../tools/index.ts';
import type { Deadline } from './deadline.ts';

export interface Chosen {
  answerer: Answerer;
  /** What a model's words are held against; null where our own code answers. */
  evidence: Evidence | null;
}

/** The language model where there is a key and today's budgets allow it, else the built-in assistant. */
export async function chooseAnswerer(
  ctx: Ctx,
  caller: string,
  question: Question,
  { leftMs }: Deadline,
): Promise<Chosen> {
  if (env().OPENAI_API_KEY === undefined || !(await takeModelAnswer(ctx, caller))) {
    return { answerer: builtInAnswerer, evidence: null };
  }
  const evidence = new Evidence();
  evidence.add(question);
  return { answerer: modelAnswerer(tools, evidence, leftMs), evidence };
}
