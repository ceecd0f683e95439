import type { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import type { getAssistantSuggestionsContract } from './contracts.ts';
import { runTool } from './run-tool.ts';
import { passage, warmUp } from './search/search.ts';
import { type Standing, suggestionsFor } from './suggestions-for.ts';
import { listProjectsTool } from './tools/list-projects.ts';
import { walletInvestmentsTool } from './tools/wallet-investments.ts';

type Suggestions = z.output<(typeof getAssistantSuggestionsContract)['responses'][200]>;

const HELP_TOPICS = [
  'investing#how-to-pay',
  'investing#destination-tags',
  'investing#trust-lines',
  'investing#when-you-receive-tokens',
  'investing#refunds',
  'investing#track-a-payment',
  'access#create-an-api-key',
  'webhooks#retries',
] as const;

interface Asking {
  wallet_address?: string | undefined;
  project_id?: string | undefined;
}

/** The sale that suggestions are about: the one given, else one that takes payments, else the newest. */
async function standingOf(ctx: Ctx, { wallet_address: wallet, project_id: projectId }: Asking): Promise<Standing> {
  const [{ data }, found] = await Promise.all([
    runTool(ctx, listProjectsTool, {}),
    wallet === undefined ? null : runTool(ctx, walletInvestmentsTool, { wallet_address: wallet }),
  ]);
  const { projects } = data;
  const given = projects.find(({ id }) => id === projectId);
  const live = projects.find(({ state }) => state === 'live' || state === 'between_tiers');
  const sale = given ?? live ?? projects.find(({ state }) => state === 'upcoming') ?? projects[0] ?? null;
  return { sale, isOneOfMany: projects.length > 1, wallet: wallet ?? null, own: found?.data ?? null };
}

/** What can be asked now, the most useful first. */
export const suggest = async (ctx: Ctx, asking: Asking): Promise<Suggestions['suggestions']> =>
  suggestionsFor(await standingOf(ctx, asking));

/** The same, with the topics of the documentation that most people need. A question follows soon: the search is made ready for it. */
export async function getSuggestions(ctx: Ctx, asking: Asking): Promise<Suggestions> {
  const [suggestions, help] = await Promise.all([
    suggest(ctx, asking),
    Promise.all(HELP_TOPICS.map((id) => passage(id))),
  ]);
  warmUp();
  return { suggestions, help: help.map(({ heading, text }) => ({ title: heading, text })) };
}
