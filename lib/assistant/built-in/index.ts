import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Answerer, Card, Chunk, Question, Source } from '../answerer.ts';
import { ownUrl } from '../links.ts';
import { runTool } from '../run-tool.ts';
import { stakesAll } from '../safety/refusals.ts';
import type { FaqEntry } from '../search/faq.ts';
import { isOperation, namedIn, namesCode, questionsIn, type Understood } from '../search/search.ts';
import { blocksOf, excerptOf, type Passage } from '../search/sections.ts';
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

async function told(answer: (asked: Asked) => Promise<string>, asked: Asked): Promise<string> {
  try {
    return await answer(asked);
  } catch (error) {
    const text = error instanceof PlatformError ? AWAY[error.code] : undefined;
    if (text === undefined) throw error;
    return text;
  }
}

/** That a payment to the sale that is meant would buy nothing now, why, and since when it would; null while it would. */
async function closedNotice(asked: Asked): Promise<string | null> {
  const projectId = saleMeant(asked);
  const guide = projectId === null ? null : await readGuide(asked, projectId);
  return guide === null || guide.target !== null ? null : closedText(guide, asked.language, asked.place);
}

const isOfSale = ({ id }: FaqEntry): boolean => id.startsWith('investors#');

/** What docs/faq answers, in a language where it has the answer in it, else in English. */
const textOf = ({ variants }: FaqEntry, language: Language): string =>
  variants.find((one) => one.language === language)?.text || (variants[0]?.text ?? '');

/** How a wallet gets ready for tokens, which in a cancelled sale nobody sends any more. */
const isOver = ({ id, live }: FaqEntry, asked: Asked): boolean =>
  (OF_DELIVERY.has(live ?? '') || id === 'investors#do-my-tokens-expire-if-i-do-not-set-the-trust-line') &&
  asked.projects.find((one) => one.id === saleMeant(asked))?.state === 'cancelled';
const OF_DELIVERY: ReadonlySet<string> = new Set(['trust_line', 'trust_line_after']);

/** What docs/faq answers to a question, with what live data add to it. */
async function answerOf(entry: FaqEntry, asked: Asked): Promise<string> {
  const { language } = asked;
  if (isOver(entry, asked)) return say('delivery_cancelled', language);
  const own = textOf(entry, language);
  if (entry.card !== null) asked.card({ kind: entry.card, title: entry.heading, facts: {} });
  if (entry.more !== null) for (const source of sourcesOfSection(entry.more)) asked.take(source);
  const live = entry.live === null ? undefined : LIVE[entry.live];
  if (live === undefined) return inItsLanguage(own, language);
  const text = await live(asked, own);
  // How to pay is no answer while nothing can be bought: the notice before it is.
  if (text === '' && !asked.isClosed) return inItsLanguage(own, language);
  // What is there in the language of the question comes before what is not.
  const isOwnFirst = own !== '' && text.startsWith(own);
  return isOwnFirst
    ? paragraphs(inItsLanguage(own, language), inItsLanguage(text.slice(own.length).trim(), language))
    : inItsLanguage(text, language);
}

/**
 * The answers to some questions of docs/faq. Those about a sale begin with the notice while it takes no payments: here and for
 * all of them, so that no answer can leave it out.
 */
async function answersOf(
  entries: readonly FaqEntry[],
  given: Asked,
  first: string | null = null,
  shown = (_: FaqEntry, answer: string): string => answer,
): Promise<string> {
  const isOfIt = entries.every(isOfSale) || (!given.isSure && given.givenProject !== null);
  const notice = entries.length > 0 && isOfIt ? await closedNotice(given) : null;
  const asked = { ...given, isClosed: notice !== null };
  const parts: string[] = [];
  for (const entry of entries) parts.push(shown(entry, await answerOf(entry, asked)));
  const text = paragraphs(first, ...new Set(parts.flatMap(blocksOf)));
  return notice === null || text.includes(notice) ? text : paragraphs(notice, text);
}

/** The question of an entry, in the language of the one that was asked where it has one. */
const questionOf = ({ variants, heading }: FaqEntry, { language }: Asked): string =>
  plain(variants.find((one) => one.language === language)?.asks[0] ?? heading);

/** The question of an entry as the heading of a result, with where it stands in the documentation. */
function headingOf(entry: FaqEntry, asked: Asked): string {
  const [page, anchor] = entry.id.split('#');
  return link(strong(questionOf(entry, asked)), ownUrl(`/docs/faq/${page}#${anchor}`));
}

/** What a section of a guide says of the question, as a result. */
async function passageText(passage: Passage, asked: Asked): Promise<string> {
  const { title, url, text } = await asked.use(readHelpTool, { id: passage.id });
  const excerpt = excerptOf(text, new Set(termsOf(asked.message)), termsOf);
  return paragraphs(link(strong(plain(title)), url), inItsLanguage(excerpt, asked.language));
}

/** Live data too long to be told of a second question, or told of the one that is sure alone. */
const NOT_SECOND: ReadonlySet<string> = new Set(['pay', 'tag', 'trust_line', 'trust_line_after', 'verify']);
/** The answer to the second of the nearest questions, with live data where the first has not told the same. */
const secondText = async (entry: FaqEntry, first: FaqEntry | undefined, asked: Asked): Promise<string> =>
  isOver(entry, asked) || (entry.live === 'delivery' && first?.live === 'delivery')
    ? answerOf(entry, { ...asked, isSure: false })
    : entry.live === null || entry.live === first?.live || NOT_SECOND.has(entry.live)
      ? inItsLanguage(textOf(entry, asked.language), asked.language)
      : answerOf(entry, { ...asked, isSure: false });

/**
 * What is not sure, as results of a search: the nearest questions with their answers, the first one with live data, what a guide
 * says, and further questions by name. Each stands under its own heading, so that nobody takes the answer to one question for
 * that to another.
 */
async function results({ certainty, entries, nearest, passage }: Understood, asked: Asked): Promise<string> {
  const { language } = asked;
  const [first, second, ...others] = [...entries, ...nearest];
  if (first === undefined && passage === null) return say('unknown', language);
  const lead = say(certainty, language);
  const underHeading = (entry: FaqEntry, answer: string): string => paragraphs(headingOf(entry, asked), answer);
  return paragraphs(
    first === undefined ? lead : await answersOf([first], { ...asked, isSure: false }, lead, underHeading),
    second === undefined ? null : underHeading(second, await secondText(second, first, asked)),
    passage === null ? null : await passageText(passage, asked),
    bullets(others.map((entry) => headingOf(entry, asked))),
  );
}

/** What a message most likely asks beside what is sure, under its own heading. */
async function besideText({ entries, nearest: [second] }: Understood, asked: Asked): Promise<string | null> {
  if (second === undefined) return null;
  const text = await secondText(second, entries[0], asked);
  return paragraphs(say('beside', asked.language), headingOf(second, asked), text);
}

/** What the guides say of what a question names outright: an error's code, an operation by method and path. */
async function namedText(named: readonly Passage[], asked: Asked): Promise<string> {
  const parts: string[] = [];
  for (const { id } of named.slice(0, MOST_NAMED)) {
    const { title, text } = await asked.use(readHelpTool, { id });
    parts.push(say('from_guide', asked.language, { title: plain(title) }), text);
  }
  return paragraphs(...parts);
}
const MOST_NAMED = 3;

/** A short text has too few words to tell its language by. */
const SHORT_TEXT = 60;
/** Many answers are there in English alone: a question in another language hears so in its own. */
const inItsLanguage = (text: string, language: Language): string =>
  language === 'en' || text.length < SHORT_TEXT || languageOf(text) !== 'en'
    ? text
    : `${say('in_english', language)}\n\n${text}`;

const PAYMENT = 'where is my payment';
const DEPOSIT_ADDRESS = 'Is this the right deposit address?';
/** Whether an address, and no payment, is named with words for where to pay: it is compared, not looked up. */
const isOfDeposit = ({ message, entities: { hashes, brokenHash } }: Asked): boolean =>
  hashes.length === 0 &&
  !brokenHash &&
  !NOT_TO_PAY.test(message) &&
  /\b(?:deposit|where to (?:pay|send)|einzahl|zahladress)|d[ée]p[ôo]t\b|dep[óo]sito|入金|送金先/i.test(message);
const SHORT_WORDS = 5;
const AMOUNT_WORDS = 3;
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

const CERTAINTY = { unsure: 0, likely: 1, sure: 2 } as const;

/** What a message asks: a short one that tells too little goes on with what was asked before it. */
async function understand(asked: Asked): Promise<Understood> {
  const meant = saleMeant(asked);
  const state = asked.projects.find(({ id }) => id === meant)?.state ?? null;
  const place = { audience: asked.audience, state };
  const message = withoutNames(asked.message, asked);
  const understood = await questionsIn(message, place);
  // A hash is given to be looked up, and of a payment that is named its tokens are told as well; a wallet may be of any question.
  const isTaken = understood.certainty === (hasHash(asked) ? 'sure' : 'likely') || understood.certainty === 'sure';
  if (hasPayment(asked) && (!isTaken || understood.entries[0]?.live === 'delivery'))
    return questionsIn(isOfDeposit(asked) ? DEPOSIT_ADDRESS : PAYMENT);
  const [before] = asked.earlier;
  if (understood.certainty === 'sure' || before === undefined) return understood;
  if (message.trim().split(/\s+/).length > SHORT_WORDS) return understood;
  const both = await questionsIn(`${withoutNames(before, asked)} ${message}`, place);
  // An amount by itself answers what was asked back.
  if (asked.entities.amounts.length > 0 && message.trim().split(/\s+/).length <= AMOUNT_WORDS) return both;
  return CERTAINTY[both.certainty] > CERTAINTY[understood.certainty] ? both : understood;
}

/** To who would put in all that they have: that nobody here advises, and what the amount that they name would buy. */
const withoutAdvice = async (asked: Asked): Promise<string> => {
  const isAmount = asked.entities.amounts.some(({ unit }) => unit === 'xrp');
  return paragraphs(
    say('refuse_advice', asked.language),
    isAmount ? await closedNotice(asked) : null,
    isAmount ? ((await LIVE.quote?.(asked, '')) ?? null) : null,
  );
};

/** The answer to what was understood; what is named outright is told by the guides. */
async function answerTo(understood: Understood, asked: Asked): Promise<string> {
  const { message } = asked;
  // On a sale's page numbers are amounts, and no status of the API.
  const named = asked.givenProject === null ? await namedIn(message) : [];
  // A cause that the runbook has a section of is told by it, and by no more general entry.
  if (named.some(({ page }) => page === 'runbook') || (named.length > 0 && isOperation(message)))
    return namedText(named, asked);
  if (understood.certainty === 'sure') {
    const text = await answersOf(understood.entries, asked);
    // To a developer who names an error with a payment both are told.
    const error = hasPayment(asked) && named.length > 0 ? await namedText(named.slice(0, 1), asked) : null;
    return paragraphs(text, await besideText(understood, asked), error);
  }
  if (named.length === 0) return results(understood, asked);
  // A status says less of what is wrong than words do.
  if (understood.certainty === 'likely' && !namesCode(message))
    return paragraphs(await results({ ...understood, nearest: [] }, asked), await namedText(named.slice(0, 1), asked));
  return namedText(named, asked);
}

/** What was paid already, or comes back, buys nothing more. */
const NOT_TO_PAY =
  /\b(?:sent|paid|already|bought|invested|transferred|refund\w*|minimum|reserve|fees?)\b|envi[ée]|pagu[ée]|mand[ée]\b|compr[ée]\b|reembols|gesendet|geschickt|bezahlt|überwiesen|gekauft|erstatt|envoyé|payé|versé|acheté|rembours|enviei|paguei|mandei|comprei|(?:送|払)った(?!ら)|ました|返金/iu;
/** Entries to which an amount belongs as well, where they are what was asked for sure. */
const OF_BUYING: ReadonlySet<string> = new Set(['price', 'pay', 'cost', 'sold_out', 'maximum', 'delivery']);

/** What the amounts that a visitor of an open sale's page names would buy, where they may be asked of: null where not. */
async function quoteBeside({ certainty, entries }: Understood, asked: Asked): Promise<string | null> {
  const { givenProject, message, entities } = asked;
  const amounts = entities.amounts.filter(({ kind, unit }) => kind === 'exact' && unit === 'xrp');
  if (givenProject === null || amounts.length === 0 || NOT_TO_PAY.test(message)) return null;
  if (certainty === 'sure' && !entries.some(({ live }) => OF_BUYING.has(live ?? ''))) return null;
  if (entities.hashes.length > 0 || (await closedNotice(asked)) !== null) return null;
  return (await LIVE.quote?.({ ...asked, entities: { ...entities, amounts } }, '')) ?? null;
}

/**
 * The assistant that needs no language model. The nearest question of docs/faq is answered, from live data where it has some;
 * an error or operation that is named outright is shown as the guides tell it. What is not sure is shown as results of a search.
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
    const answer = async (one: Asked): Promise<string> => {
      const understood = await understand(one);
      const text = await answerTo(understood, one);
      const isQuoted = cards.some(({ kind }) => kind === 'quote');
      return paragraphs(isQuoted ? null : await quoteBeside(understood, one), text);
    };
    yield { kind: 'text', text: await told(stakesAll(message) ? withoutAdvice : answer, asked) };
    for (const one of cards) yield { kind: 'card', card: one };
    if (history.length === 0) yield { kind: 'text', text: `\n\n${say('introduction', language)}` };
    for (const source of sources.values()) yield { kind: 'source', source };
  },
};
