import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Answerer, Card, Chunk, Question, Source } from '../answerer.ts';
import { runTool } from '../run-tool.ts';
import { tellsToPay } from '../safety/tells-to-pay.ts';
import { wordsOf } from '../search/lexicon.ts';
import { GUIDES, knownWords } from '../search/search.ts';
import { listProjectsTool } from '../tools/list-projects.ts';
import { type HelpFound, searchHelpTool } from '../tools/search-help.ts';
import { ANSWERS } from './answers/index.ts';
import { readGuide } from './answers/money.ts';
import { type Answer, type Asked, askedOf } from './asked.ts';
import { saleMeant } from './choose-project.ts';
import { entitiesIn } from './entities.ts';
import { type Language, languageOf } from './language.ts';
import { bullets, paragraphs, plain, strong } from './markdown.ts';
import { closedText, say } from './phrases.ts';
import { type Topic, topicsOf } from './topics.ts';

/** What a part that is away means for the visitor; any other fault is not for their eyes. */
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

const LONGEST_QUERY = 600;
const NEAREST = 2;
const MOST_SHOWN = 3;
const NEAREST_LENGTH = 420;

/** The beginning of a passage, in whole lines; code is left out. */
function beginning(text: string): string {
  const prose = text
    .replace(/```[\s\S]*?(?:```|$)/g, '')
    .replace(/^\|.*$/gm, '')
    .replace(/^\s*(?:-|\d+\.) /gm, '')
    .trim();
  const first = prose.split('\n\n')[0] ?? '';
  return first.length <= NEAREST_LENGTH ? first : `${first.slice(0, first.lastIndexOf(' ', NEAREST_LENGTH))} …`;
}

/** On a sale's page investors ask: what a guide for developers or operators says in their words is about something else. */
const FOR_INVESTORS: ReadonlySet<string | null> = new Set(
  Object.values(GUIDES).flatMap(({ audience, file }) => (audience === 'investor' ? [file] : [])),
);

/** Answers that are about no sale. */
const WITHOUT_SALE: ReadonlySet<Topic> = new Set<Topic>([
  'hello',
  'self',
  'thanks',
  'support',
  'seed',
  'key',
  'status',
  'projects',
  'platform_id',
]);

/**
 * What every answer about a sale begins with while a payment to it would buy nothing: that, why, and since when it would.
 * Here and for all of them, so that no answer can leave it out.
 */
const ofSale =
  (answer: Answer): Answer =>
  async (asked) => {
    const projectId = saleMeant(asked);
    const guide = projectId === null ? null : await readGuide(asked, projectId);
    if (guide === null || guide.target !== null) return answer(asked);
    const notice = closedText(guide, asked.language);
    const text = await answer({ ...asked, isClosed: true });
    return text.includes(notice) ? text : paragraphs(notice, text);
  };

/** What the guides say: the best passage where it plainly fits, else the two nearest, and that it is not sure. */
const answerFromGuides: Answer = async (asked) => {
  const found = await asked.use(searchHelpTool, {
    query: asked.message.slice(0, LONGEST_QUERY),
    for_investors: asked.givenProject !== null,
  });
  const answer: Answer = async (one) => guidesText(one, found);
  return asked.givenProject !== null ? ofSale(answer)(asked) : answer(asked);
};

function guidesText(asked: Asked, { is_sure, passages }: HelpFound): string {
  const { language } = asked;
  if (is_sure && (asked.givenProject === null || FOR_INVESTORS.has(passages[0]?.file ?? null))) {
    const shown = passages.filter(({ is_named }, place) => place === 0 || is_named).slice(0, MOST_SHOWN);
    const next = passages.find((one) => !shown.includes(one));
    return paragraphs(
      ...shown.flatMap(({ title, text }) => [say('from_guide', language, { title: plain(title) }), text]),
      next === undefined ? null : `${say('see_also', language)} ${strong(plain(next.title))}.`,
    );
  }
  // That nobody should pay now stands before it: a doubt behind it would take it back.
  if (asked.isClosed) return say('no_more', language);
  const nearest = passages.filter(({ file }) => file !== GUIDES.assistant.file).slice(0, NEAREST);
  if (nearest.length === 0) return say('unknown', language);
  // One block with what it announces: the gate for money shows both or neither.
  return `${say('unsure', language)}\n${bullets(
    nearest.map(({ title, text }) => {
      const begins = beginning(text).replace(/\s*\n\s*/g, ' ');
      return begins === '' || tellsToPay(begins) ? strong(plain(title)) : `${strong(plain(title))}: ${begins}`;
    }),
  )}`;
}

const SHORT_WORDS = 5;

/** The topics of a message; a short one without any (a name, an amount, an address) goes on with what was asked before it. */
function topicsIn(asked: Asked, isWord: (word: string) => boolean, mayLeaveOut = false): Topic[] {
  const names = new Set(
    asked.projects.flatMap(({ name, slug, token_name }) =>
      wordsOf(`${name} ${slug} ${token_name}`).trim().split(/[ -]+/),
    ),
  );
  const topics = topicsOf(asked.message, asked.entities, isWord, names, mayLeaveOut);
  const [before] = asked.earlier;
  if (topics.length > 0 || before === undefined || asked.message.trim().split(/\s+/).length > SHORT_WORDS)
    return topics;
  const earlier = entitiesIn(before);
  const { amounts, wallets, hashes } = asked.entities;
  return topicsOf(
    before,
    {
      ...earlier,
      amounts: [...amounts, ...earlier.amounts],
      wallets: [...wallets, ...earlier.wallets],
      hashes: [...hashes, ...earlier.hashes],
    },
    isWord,
    names,
  );
}

/** A short text has too few words to tell its language by. */
const SHORT_TEXT = 60;
/** Many answers are there in English alone: a question in another language hears so in its own. */
const inItsLanguage = (text: string, language: Language): string =>
  language === 'en' || text.length < SHORT_TEXT || languageOf(text) !== 'en'
    ? text
    : `${say('in_english', language)}\n\n${text}`;

/**
 * The assistant that needs no language model. What a question plainly asks for is answered from live data; anything else is
 * looked up in the guides, and shown with its source. When it is not sure, it says so and shows the two nearest.
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
    const [{ data }, isWord] = await Promise.all([runTool(ctx, listProjectsTool, {}), knownWords()]);
    const entities = entitiesIn(message);
    const language = languageOf(message);
    const card = (one: Card) => cards.push(one);
    const asked = askedOf(ctx, question, entities, { language, projects: data.projects, take, card, signal });
    const understood = topicsIn(asked, isWord);
    // On a sale's page words may be left over: the reply says so, and answers what it names.
    const isPartly = understood.length === 0 && asked.givenProject !== null;
    const topics = isPartly ? topicsIn(asked, isWord, true) : understood;
    signal.throwIfAborted();
    const answer: Answer = async (one) => {
      const parts: string[] = isPartly ? [say('partly', language)] : [];
      for (const topic of topics) parts.push(await ANSWERS[topic](one));
      return inItsLanguage(paragraphs(...parts), language);
    };
    const isOfSale = topics.some((topic) => !WITHOUT_SALE.has(topic));
    yield {
      kind: 'text',
      text: await told(topics.length === 0 ? answerFromGuides : isOfSale ? ofSale(answer) : answer, asked),
    };
    for (const one of cards) yield { kind: 'card', card: one };
    if (history.length === 0) yield { kind: 'text', text: `\n\n${say('introduction', language)}` };
    for (const source of sources.values()) yield { kind: 'source', source };
  },
};
