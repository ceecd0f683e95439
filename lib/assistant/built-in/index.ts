import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Answerer, Card, Chunk, Question, Source } from '../answerer.ts';
import { ownUrl } from '../links.ts';
import { runTool } from '../run-tool.ts';
import { stakesAll } from '../safety/refusals.ts';
import type { FaqEntry } from '../search/faq.ts';
import { isEntry, type Result, type Results, resultsFor } from '../search/search.ts';
import { blocksOf, excerptOf, gistOf, type Passage } from '../search/sections.ts';
import { termsOf } from '../search/terms.ts';
import { listProjectsTool } from '../tools/sale-reads.ts';
import { readHelpTool, sourcesOfSection } from '../tools/search-help.ts';
import { LIVE } from './answers/index.ts';
import { readGuide } from './answers/money.ts';
import { hasHash, hasPayment } from './answers/payments.ts';
import { type Asked, askedOf } from './asked.ts';
import { saleMeant } from './choose-project.ts';
import { entitiesIn } from './entities.ts';
import { type Language, languageOf } from './language.ts';
import { bullets, link, paragraphs, plain, strong } from './markdown.ts';
import { closedText, say } from './phrases.ts';

/** What a part that is away means for the visitor; any other fault is not for their eyes. */
const AWAY: Partial<Record<PlatformError['code'], string>> = {
  ledger_unavailable:
    'The XRP Ledger cannot be asked at the moment, so I cannot tell you that now. Payments are safe on it. Please ask again in a minute.',
  service_unavailable: 'A part that I need is away at the moment. Please ask again in a minute.',
  project_not_found: 'I know no sale with that id. Ask “which sales are there?” for a list.',
  not_found: 'What you ask about is not on the ledger (any more).',
};

/** What an answer says; what a part that is away means in its place, with `isAway`. Throws any other fault. */
async function tried(answer: () => Promise<string | null>): Promise<{ text: string; isAway: boolean }> {
  try {
    return { text: (await answer()) ?? '', isAway: false };
  } catch (error) {
    const text = error instanceof PlatformError ? AWAY[error.code] : undefined;
    if (text === undefined) throw error;
    return { text, isAway: true };
  }
}

/** What was paid already, or came back, buys nothing more. */
const PAID =
  /\b(?:sent|paid|already|bought|invested|transferred|refund\w*|returned)\b|envi[ée]\b|pagu[ée]\b|mand[ée]\b|compr[ée]\b|reembols|gesendet|geschickt|bezahlt|überwiesen|gekauft|erstatt|envoyé|payé|versé|acheté|rembours|enviei|paguei|mandei|comprei|(?:送|払)った(?!ら)|ました|返金/iu;

/** What docs/faq answers, which it does in every language. */
const textOf = ({ variants }: FaqEntry, language: Language): string =>
  variants.find((one) => one.language === language)?.text ?? '';

/** A short text has too few words to tell its language by. */
const SHORT_TEXT = 60;
const isInEnglish = (text: string): boolean =>
  blocksOf(text).some((block) => block.length >= SHORT_TEXT && !block.startsWith('[**') && languageOf(block) === 'en');

/** When tokens come, and how a wallet gets ready for them: in a cancelled sale nobody sends them any more. */
const isOver = ({ id, live }: FaqEntry, asked: Asked): boolean =>
  (OF_DELIVERY.has(live ?? '') || id === 'investors#do-my-tokens-expire-if-i-do-not-set-the-trust-line') &&
  asked.projects.find((one) => one.id === saleMeant(asked))?.state === 'cancelled';
const OF_DELIVERY: ReadonlySet<string> = new Set(['delivery', 'vesting', 'trust_line', 'trust_line_after']);

/** Live data that are told to who asks for them alone: beside another answer nobody wants a quote, or to be asked for a hash. */
const isOfAsked = (live: string): boolean => OF_ASKED.has(live) || live.endsWith('_after') || live === 'project_page';
const OF_ASKED: ReadonlySet<string> = new Set(
  'pay tag check_address quote cost lookup payment refund wallet_page verify status'.split(' '),
);

/** A message of so many words that names an amount is nothing but that. */
const AMOUNT_WORDS = 3;
const wordsOf = (message: string): number => message.trim().split(/\s+/).length;
const QUOTES: ReadonlySet<string> = new Set(['quote', 'cost']);
const OF_QUOTE: ReadonlySet<string> = new Set(['@quote', '@buy', '@price']);
/** Whether an amount is named to hear what it buys: not where it was paid already, or only stands there. */
const asksForQuote = ({ message, isSure }: Asked): boolean =>
  !PAID.test(message) &&
  (isSure || wordsOf(message) <= AMOUNT_WORDS || termsOf(message).some((term) => OF_QUOTE.has(term)));

/** Where several results are shown, so many blocks of live data are told with each. */
const FEW_BLOCKS = 2;

/** An entry with its live data: short where other results stand beside it, and without what was told before. */
function withLive(own: string, text: string, language: Language, { isWhole, told }: Shown): string {
  const ofEntry = blocksOf(own);
  const news = blocksOf(text).filter((block) => !ofEntry.includes(block) && !told.has(block));
  const live = paragraphs(...(isWhole ? news : news.slice(0, FEW_BLOCKS)));
  for (const block of news) told.add(block);
  // What is there in English alone stands behind what docs/faq says in the language of the question.
  const isForeign = language !== 'en' && isInEnglish(live) && !isInEnglish(own);
  if (live === '' || isForeign || text.startsWith(own)) return paragraphs(own, live);
  return ofEntry.some((block) => text.includes(block)) ? paragraphs(live, own) : live;
}
/** How results are shown. */
interface Shown {
  /** Nothing is left out. */
  isWhole: boolean;
  /** The blocks of live data that results above have told. */
  told: Set<string>;
}

/** Sentences are told by the beginnings of their words: plurals and cases differ in their ends. */
const BEGINNING = 6;
const beginningsOf = (text: string): string[] =>
  termsOf(text).map((term) => (/^[@#]/.test(term) ? term : term.slice(0, BEGINNING)));
/** What an answer says most of what is asked with, in so many letters. */
const gist = (text: string, { message }: Asked, room: number): string =>
  gistOf(text, new Set(beginningsOf(message)), beginningsOf, room);

/** A part of steps in order is of no use. */
const STEPS = /^1\. /m;

/** So much is told of an answer that is not the nearest one. */
const BESIDE = 560;

/** What docs/faq answers to a question, with live data where the entry names some. */
async function entryText(entry: FaqEntry, asked: Asked, { isWhole, told }: Shown): Promise<string> {
  const { language, isAsked } = asked;
  const live = entry.live ?? '';
  if (isOver(entry, asked)) return say('delivery_cancelled', language);
  const whole = textOf(entry, language);
  const own = isWhole || isAsked || STEPS.test(whole) ? whole : gist(whole, asked, BESIDE);
  if (isAsked && entry.card !== null) asked.card({ kind: entry.card, title: entry.heading, facts: {} });
  if (entry.more !== null) for (const source of sourcesOfSection(entry.more)) asked.take(source);
  const answer = LIVE[live];
  if (answer === undefined || (!isAsked && isOfAsked(live)) || (QUOTES.has(live) && !asksForQuote(asked))) return own;
  const { text, isAway } = await tried(() => answer(asked, own));
  if (text === '' || isAway) return paragraphs(text, own);
  return withLive(own, text, language, { isWhole: isWhole || QUOTES.has(live) || hasPayment(asked), told });
}

/** A section of a guide: whole where it is asked for by name, else what in it says most of the question. */
async function sectionText({ id }: Passage, asked: Asked): Promise<string> {
  const { title, url, text } = await asked.use(readHelpTool, { id });
  const shown = asked.isAsked ? text : excerptOf(text, new Set(termsOf(asked.message)), termsOf);
  return paragraphs(link(strong(plain(title.replaceAll('`', ''))), url), shown);
}

/** The question of an entry, with where it stands in the documentation. */
function headingOf({ id, variants, heading }: FaqEntry, { language }: Asked): string {
  const [page, anchor] = id.split('#');
  const question = plain(variants.find((one) => one.language === language)?.asks[0] ?? heading);
  return link(strong(question), ownUrl(`/docs/faq/${page}#${anchor}`));
}

/** A result under the question that it answers, or the heading of its section. */
const resultText = async (result: Result, asked: Asked, shown: Shown): Promise<string> =>
  isEntry(result)
    ? paragraphs(headingOf(result, asked), await entryText(result, asked, shown))
    : sectionText(result, asked);

/** So much is told of an answer in a line. */
const IN_A_LINE = 160;
/** An entry that is less near, in a line: its question, and what in its answer says most of what is asked. */
const lineOf = (entry: FaqEntry, asked: Asked): string =>
  `${headingOf(entry, asked)} ${gist(textOf(entry, asked.language), asked, IN_A_LINE)}`;

const PAYS: ReadonlySet<string> = new Set(['pay', 'tag', 'check_address']);
const BUYS: ReadonlySet<string> = new Set('quote cost price minimum maximum other_money'.split(' '));
/** Entries on the wallet that is to pay. */
const OF_WALLET: ReadonlySet<string> = new Set([
  'investors#which-wallet-can-i-use',
  'investors#my-listed-wallet-has-no-xrp-what-now',
]);
/** Whether an entry is asked by somebody who is about to pay. */
const isOfBuying = ({ live, card, id }: FaqEntry, message: string): boolean =>
  PAYS.has(live ?? '') || ((BUYS.has(live ?? '') || card === 'exchange' || OF_WALLET.has(id)) && !PAID.test(message));

const WHY_CLOSED = 'investors#why-can-i-not-buy-at-the-moment';
/** Who would pay all the same hears why not, whatever else is near. */
const ANYWAY =
  /\b(?:pay|send|buy|invest)\b[^.?!\n]{0,40}\banyway\b|\b(?:trotzdem|dennoch)\b[^.?!\n]{0,40}\b(?:zahl|send|kauf)|\b(?:pag|env[ií]|mand|compr|inv)\w*[^.?!\n]{0,40}\b(?:igual|de todos modos|mesmo assim)\b|\b(?:pa[iy]|envo|achet|invest)\w*[^.?!\n]{0,40}\bquand même\b|それでも[^。\n]{0,10}(?:払|送|買)/i;
const TO_PAY =
  /\b(?:pay|send|buy|invest|pagar|comprar|enviar|zahlen|kaufen|senden|payer|acheter|envoyer)\b|払|買|送金/i;
/** Of what is less likely, words of paying are enough. */
const UNCLEAR = 0.5;

/** Whether an investor asks: who runs the sale, or builds on it, is not told whether to pay. */
const isOfInvestor = ({ results }: Results, { audience }: Asked): boolean =>
  (audience ?? 'investor') === 'investor' && !/^(?:operators|developers)#/.test(results[0]?.id ?? '');

/** Whether somebody asks how to pay or buy. */
function isAboutPaying({ results, asked, likelihood }: Results, { message }: Asked): boolean {
  if (ANYWAY.test(message)) return true;
  if (likelihood < UNCLEAR && TO_PAY.test(message) && !PAID.test(message)) return true;
  return results.some((one, at) => isEntry(one) && (one.id === WHY_CLOSED || (at < asked && isOfBuying(one, message))));
}

/** That a payment to the sale that is meant would buy nothing now, why, and from when it would; empty while it would. Unasked it is said of sales that take none at all. */
async function closedNotice(asked: Asked, isAboutPaying: boolean): Promise<string> {
  const projectId = saleMeant(asked);
  const guide = projectId === null ? null : await readGuide(asked, projectId);
  if (guide === null || guide.target !== null) return '';
  // A live sale refuses the wallet that is meant, or a stranger's, and takes those of others.
  if (!isAboutPaying && guide.state === 'live' && guide.closed_because !== 'halted') return '';
  return paragraphs(
    closedText(guide, asked.language, asked.place, isAboutPaying),
    guide.closed_because === 'paused' ? say('no_resume', asked.language) : null,
  );
}

/** From where on where to pay is told. */
const SURE = 0.97;

/** The reply: the results, each under its own heading, so that nobody takes the answer to another question for that to theirs. */
async function replyOf(found: Results, asked: Asked): Promise<string> {
  const { language } = asked;
  const { results, asked: count, isIt, likelihood } = found;
  if (results.length === 0) return say('unknown', language);
  const isSure = isIt || (count === 1 && likelihood >= SURE);
  const isPaying = isAboutPaying(found, asked);
  // On the page of a sale what it is doing bears on nearly each question, the first time.
  const isOfSale = asked.givenProject !== null && asked.earlier.length === 0;
  const notice =
    isOfInvestor(found, asked) && (isPaying || isOfSale) ? (await tried(() => closedNotice(asked, isPaying))).text : '';
  const shown = { isWhole: results.length === 1, told: new Set(blocksOf(notice)) };
  const texts: string[] = [];
  for (const [at, result] of results.entries()) {
    const isAsked = at < count;
    texts.push(await resultText(result, { ...asked, isAsked, isSure: isAsked && isSure }, shown));
  }
  const [first = '', ...others] = texts;
  const further = found.further.filter((one) => !isOver(one, asked));
  const isForeign = [...texts, ...further.map((one) => textOf(one, language))].some(isInEnglish);
  return paragraphs(
    stakesAll(asked.message) ? say('refuse_advice', language) : null,
    notice,
    isIt ? null : say('nearest', language),
    language !== 'en' && isForeign ? say('in_english', language) : null,
    first,
    isIt && others.length > 0 ? say('near_too', language) : null,
    ...others,
    further.length > 0 && !(isIt && others.length > 0) ? say('near_too', language) : null,
    bullets(further.map((one) => lineOf(one, asked))),
  );
}

const PAYMENT = 'where is my payment';
const DEPOSIT_ADDRESS = 'Is this the right deposit address?';
/** Whether an address, and no payment, is named with words for where to pay: it is compared, not looked up. */
const isOfDeposit = ({ message, entities: { hashes, brokenHash } }: Asked): boolean =>
  hashes.length === 0 &&
  !brokenHash &&
  !PAID.test(message) &&
  /\b(?:deposit|where to (?:pay|send)|einzahl|zahladress)|d[ée]p[ôo]t\b|dep[óo]sito|入金|送金先/i.test(message);
/** Entries that look up what became of a payment that is named. */
const LOOKS_UP: ReadonlySet<string> = new Set(['lookup', 'payment', 'refund', 'wallet_page', 'check_address']);
/** A wallet may be of any question: from where on it is taken for one of what was found. */
const LIKELY = 0.3;

const MISSED = 'An investor misses a payment. What do I do?';
/** Who runs the sale asks for somebody else's payment: what there is to do about it is told beside what became of it. */
async function ofOperators(found: readonly Result[]): Promise<Result[]> {
  const [first] = [...found, ...(await resultsFor(MISSED)).results].filter(({ id }) => id.startsWith('operators#'));
  return first === undefined ? [] : [first];
}

/** What was found, behind what a hash or address asks for by itself. */
async function withNamed(found: Results, asked: Asked): Promise<Results> {
  const [first] = found.results;
  const isTold = first !== undefined && isEntry(first) && LOOKS_UP.has(first.live ?? '');
  const isOfTokens = first !== undefined && isEntry(first) && first.live === 'delivery';
  const isOther = !hasHash(asked) && !isOfTokens && !isOfDeposit(asked) && found.likelihood >= LIKELY;
  if (!hasPayment(asked) || isTold || isOther) return found;
  const { results } = await resultsFor(isOfDeposit(asked) ? DEPOSIT_ADDRESS : PAYMENT);
  const others = found.results.filter(({ id }) => id !== results[0]?.id);
  const isOperator = asked.audience === 'operator';
  const beside = isOperator ? await ofOperators(others) : others.slice(0, found.likelihood >= LIKELY ? 1 : 0);
  return {
    ...found,
    results: [...results.slice(0, 1), ...beside],
    further: [],
    isIt: true,
    asked: isOperator ? 2 : 1,
  };
}

const LONGEST_READ = 1_000;
/** The message with “this sale” for the names of sales: they tell which one is meant, and nothing of what is asked. */
const withoutNames = (message: string, { projects }: Asked): string =>
  projects.reduce(
    (rest, { name }) =>
      rest.replace(
        new RegExp(`(?<![0-9A-Za-z])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![0-9A-Za-z])`, 'gi'),
        'this sale',
      ),
    message.slice(0, LONGEST_READ),
  );

const SHORT_WORDS = 5;
/** What a message asks: a short one that tells too little goes on with what was asked before it. */
async function find(asked: Asked): Promise<Results> {
  const meant = saleMeant(asked);
  const place = { audience: asked.audience, state: asked.projects.find(({ id }) => id === meant)?.state ?? null };
  const message = withoutNames(asked.message, asked);
  const found = await resultsFor(message, place);
  const [before] = asked.earlier;
  const words = wordsOf(message);
  if (found.isIt || before === undefined || words > SHORT_WORDS) return withNamed(found, asked);
  const both = await resultsFor(`${withoutNames(before, asked)} ${message}`, place);
  // An amount by itself answers what was asked back.
  const isAmount = asked.entities.amounts.length > 0 && words <= AMOUNT_WORDS;
  return withNamed(isAmount || both.likelihood > found.likelihood ? both : found, asked);
}

/**
 * The assistant that needs no language model: a search over docs/faq and the guides that shows its results, with live data where
 * an entry names some.
 */
export const builtInAnswerer: Answerer = {
  model: 'built-in',
  async *answer(ctx: Ctx, question: Question, signal: AbortSignal): AsyncIterable<Chunk> {
    const sources = new Map<string, Source>();
    const cards: Card[] = [];
    const take = (source: Source) => {
      if (!sources.has(source.url)) sources.set(source.url, source);
    };
    const { message, history } = question;
    const { data } = await runTool(ctx, listProjectsTool, {});
    const language = languageOf(message);
    const card = (one: Card) => cards.push(one);
    const asked = askedOf(ctx, question, entitiesIn(message), {
      language,
      projects: data.projects,
      take,
      card,
      signal,
    });
    signal.throwIfAborted();
    yield { kind: 'text', text: await replyOf(await find(asked), asked) };
    for (const one of cards) yield { kind: 'card', card: one };
    if (history.length === 0) yield { kind: 'text', text: `\n\n${say('introduction', language)}` };
    for (const source of sources.values()) yield { kind: 'source', source };
  },
};
