import type { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import { plain } from './built-in/markdown.ts';
import type { getAssistantSuggestionsContract } from './contracts.ts';
import { runTool } from './run-tool.ts';
import { passage, warmUp } from './search/search.ts';
import { type ListedProject, listProjectsTool, type WalletFound, walletInvestmentsTool } from './tools/sale-reads.ts';

export interface Suggestion {
  title: string;
  prompt: string;
}

/** What suggestions depend on. */
export interface Standing {
  /** The sale that is meant; null when the platform has none. */
  sale: ListedProject | null;
  isOneOfMany: boolean;
  wallet: string | null;
  /** What the wallet has bought; null without a wallet. */
  own: WalletFound | null;
}

const MOST = 6;

/** What concerns the wallet itself comes first: what waits for it, then what is on its way. */
function ofWallet({ wallet, own }: Standing, of: string): Suggestion[] {
  if (wallet === null || own === null) return [];
  const isAny = (fits: (status: string) => boolean) =>
    own.investments.some(({ payouts }) => payouts.some(({ status }) => fits(status)));
  const some: Suggestion[] = [];
  if (isAny((status) => status === 'waiting_holder')) {
    some.push({
      title: 'Your tokens wait for a trust line',
      prompt: `How do I set the trust line${of} for ${wallet}?`,
    });
  }
  const isOpen = own.investments.some(({ status }) => status === 'pending_confirmation');
  if (isOpen || own.payments_without_sale.length > 0 || isAny((status) => status !== 'validated')) {
    some.push({ title: 'Where is my payment?', prompt: `Where is my payment from ${wallet}?` });
  } else if (own.investments.length > 0) {
    some.push({ title: 'What have I bought?', prompt: `What has ${wallet} bought?` });
  } else {
    some.push({ title: 'Is my wallet ready?', prompt: `Is the trust line${of} set for ${wallet}?` });
  }
  return some;
}

/** What people want to know of a sale, by how far it is. */
function ofSale(sale: ListedProject, of: string): Suggestion[] {
  const verify = { title: 'How can I verify the sale?', prompt: `How do I verify the sale${of}?` };
  const tiers = { title: 'Tiers and prices', prompt: `Which tier are we in${of}?` };
  switch (sale.state) {
    case 'live':
      return [
        { title: 'What does 500 XRP buy?', prompt: `What does 500 XRP buy now${of}?` },
        tiers,
        { title: 'How do I pay?', prompt: `How do I pay${of}, and with which tag?` },
        { title: 'What if it sells out?', prompt: `What happens if it sells out${of}?` },
      ];
    case 'between_tiers':
      return [tiers, { title: 'When does the next tier start?', prompt: `When does the sale start${of}?` }, verify];
    case 'draft':
    case 'upcoming':
      return [
        { title: 'When does it start?', prompt: `When does the sale start${of}?` },
        tiers,
        verify,
        { title: 'Make my wallet ready', prompt: `How do I set the trust line${of}?` },
      ];
    case 'paused':
      return [
        { title: 'Is the sale open?', prompt: `Is the sale still open${of}?` },
        { title: 'What happens to payments now?', prompt: `In which cases is XRP sent back${of}?` },
        verify,
      ];
    case 'cancelled':
      return [
        { title: 'Does my XRP come back?', prompt: `Can I get a refund${of}?` },
        { title: 'How did it go?', prompt: `How much has been raised${of}?` },
        verify,
      ];
    default:
      return [
        { title: 'How did it go?', prompt: `How much has been raised${of}?` },
        { title: 'When do I get my tokens?', prompt: `When do I get tokens${of}?` },
        { title: 'Who are the holders?', prompt: `Who are the holders${of}?` },
        verify,
      ];
  }
}

const FOR_DEVELOPERS: readonly Suggestion[] = [
  { title: 'Make an API key', prompt: 'How do I make an API key?' },
  { title: 'Verify a webhook’s signature', prompt: 'How do I verify a signature?' },
];
const WITHOUT_SALE: readonly Suggestion[] = [
  { title: 'Is the system up?', prompt: 'Is the system up?' },
  { title: 'What is a trust line?', prompt: 'What is a trust line?' },
  { title: 'What is a Platform ID?', prompt: 'What is a Platform ID?' },
];

/** What can be asked now, the most useful first; the last places are for developers. Pure. */
export function suggestionsFor(standing: Standing): Suggestion[] {
  const { sale, isOneOfMany } = standing;
  const of = sale !== null && isOneOfMany ? ` (${plain(sale.name)})` : '';
  const first = [...ofWallet(standing, of), ...(sale === null ? WITHOUT_SALE : ofSale(sale, of))];
  return [...first.slice(0, MOST - 1), ...(sale === null ? FOR_DEVELOPERS : [])].slice(0, MOST);
}

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
