import { z } from 'zod';
import { idPattern } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import type { Source, Tool } from '../answerer.ts';

/** A tool whose answer has a type: the built-in assistant reads its figures from it. */
export interface TypedTool<I extends z.ZodType, D> extends Tool<I> {
  run(ctx: Ctx, input: z.output<I>): Promise<{ data: D; sources: Source[] }>;
}

export const defineTool = <I extends z.ZodType, D>(tool: TypedTool<I, D>): TypedTool<I, D> => tool;

export const projectInput = z
  .string()
  .regex(idPattern('proj'), 'must be proj_<id>')
  .meta({ description: 'Id of the project, from list_projects' });

export const walletInput = accountAddress.meta({ description: 'Ledger account address of the wallet (r…)' });
