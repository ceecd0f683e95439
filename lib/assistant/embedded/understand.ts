import type { Turn } from '../answerer.ts';
import { classify, type Guess, isReal, type RealGuess, substance } from './classify.ts';
import { type Entities, entitiesIn } from './entities.ts';
import type { IntentName } from './intents.ts';

/** From here on what a message asks for is answered without a word of doubt. */
const SURE_ENOUGH = 0.5;
/** A part of a message is answered on its own from here on: the whole may mean something else. */
const SURE_PART = 0.6;
/** An intent of one part is meant when the whole says as much of it; a figure of speech ("how does that work") is not. */
const HEARD_IN_WHOLE = 0.001;
/** A guess from here on is worth an answer that says what it was taken for, when it stands out by so much. */
const WORTH_A_GUESS = 0.25;
const STANDS_OUT = 0.08;
/** With an amount a guess that it is a quote needs less. */
const QUOTE_BY_AMOUNT = 0.2;
/** From here on the whole of a message is believed rather than a part of it. */
const SURE_WHOLE = 0.6;
/** From here on a message that points back still asks something of its own. */
const SURELY_OWN = 0.9;
/** What is less likely is not offered as what may have been meant. */
const WORTH_AN_OFFER = 0.06;
const MOST_OFFERED = 3;
const MOST_PARTS = 3;
/** Parts of a message that are looked at one by one. */
const MOST_PIECES = 8;
/** Earlier messages that a follow-up may go on from. */
const MOST_EARLIER = 3;

/** Intents whose answers hold those of others already. */
const COVERS: Partial<Record<IntentName, readonly IntentName[]>> = {
  pay: ['tag', 'check_address', 'exchange'],
  tag: ['exchange'],
  forgot_tag: ['tag', 'where_payment', 'exchange'],
  where_payment: ['mine', 'when_tokens'],
  quote: ['cost'],
  about: ['projects', 'progress', 'dates'],
};
/** What another amount, wallet or sale alone asks again. */
const ABOUT_WALLETS: ReadonlySet<IntentName> = new Set([
  'where_payment',
  'mine',
  'trustline',
  'get_platform_id',
  'reserve',
  'when_tokens',
  'refund',
  'allowlist',
  'quote',
]);
const ABOUT_AMOUNTS: ReadonlySet<IntentName> = new Set(['quote', 'cost', 'minimum', 'maximum']);

export interface Understood {
  /** In the order of the message; none when nothing fits. */
  intents: IntentName[];
  /** What it may mean, where nothing fits well. */
  guess: IntentName | null;
  /** What else it may mean, the likeliest first; none where it is sure what is meant. */
  near: readonly IntentName[];
  /** Of the message; what it leaves out, of the question that it goes on from. */
  entities: Entities;
  /** Its words without what the entities hold: what a follow-up goes on from. */
  rest: string;
}

const SEPARATORS =
  /[?!;\n]+|\.(?=\s|$)|,?\s+(?:and|also|plus|as well as|&|n)\s+|,\s+(?=(?:what|how|where|when|who|why|is|are|can|do|which)\b)/i;

const VALUES = /xamount(?: xrp| token)?|xnumber|xother|xwallet|xhash|xtier/g;

const isSure = (piece: string): boolean => (classify(piece)[0]?.score ?? 0) >= SURE_PART;

/** Stands for what was named before. */
const PRONOUN = /\b(?:one|it|that|them|those)\b/i;

/** The parts of a message that may ask for something each; what says too little goes with the part before it, and what points back is read with it. */
function partsOf(rest: string): string[] {
  const parts: string[] = [];
  const pieces = rest.split(SEPARATORS).map((part) => part.trim());
  for (const piece of pieces.filter((part) => part !== '').slice(0, MOST_PIECES)) {
    const last = parts.at(-1);
    const says = substance(piece.replace(VALUES, ' '));
    if (last === undefined) parts.push(piece);
    else if (says < 1) parts[parts.length - 1] = `${last} ${piece}`;
    else parts.push(PRONOUN.test(piece) && !isSure(piece) ? `${last} ${piece}` : piece);
  }
  return parts;
}

/** Who tells how things are and then asks, means the question: the sentences that end as one, where they say enough. */
function askedIn(rest: string): string {
  const asking = (rest.match(/[^.?!;\n]+\?/g) ?? []).join(' ');
  return substance(asking.replace(VALUES, ' ')) >= 2 ? asking : rest;
}

const isCoveredBy = (intent: IntentName, others: readonly IntentName[]): boolean =>
  others.some((other) => other !== intent && COVERS[other]?.includes(intent) === true);

/** The surest intent of each part, when several are sure; else that of the whole. */
function intentsIn(rest: string): { intents: IntentName[]; score: number } {
  const guesses = classify(rest);
  const [whole] = guesses;
  const isHeard = ({ intent }: Guess): boolean =>
    guesses.some((guess) => guess.intent === intent && guess.score >= HEARD_IN_WHOLE);
  const parts = partsOf(askedIn(rest));
  const sure = parts
    .flatMap((part) => classify(part).slice(0, 1))
    .filter(isReal)
    .filter((guess) => guess.score >= SURE_PART && isHeard(guess));
  const named = [...new Set(sure.map(({ intent }) => intent))];
  const several = named.filter((intent) => !isCoveredBy(intent, named)).filter(isNoCourtesy(named));
  if (parts.length > 1 && several.length > 1) {
    return { intents: several.slice(0, MOST_PARTS), score: Math.max(...sure.map(({ score }) => score)) };
  }
  // The whole says more than a part of it; a part decides where the whole is a muddle.
  const best =
    whole !== undefined && whole.score >= SURE_WHOLE
      ? whole
      : strongest([...(whole === undefined ? [] : [whole]), ...withoutCourtesy(sure)]);
  return best === undefined || !isReal(best)
    ? { intents: [], score: 0 }
    : { intents: [best.intent], score: best.score };
}

const COURTESIES: ReadonlySet<IntentName> = new Set(['hello', 'thanks', 'self']);
const isNoCourtesy = (all: readonly IntentName[]) => (intent: IntentName) =>
  !COURTESIES.has(intent) || all.every((other) => COURTESIES.has(other));
const withoutCourtesy = (guesses: readonly RealGuess[]): RealGuess[] => {
  const real = guesses.filter(({ intent }) => !COURTESIES.has(intent));
  return real.length > 0 ? real : [...guesses];
};
const strongest = (guesses: readonly Guess[]): Guess | undefined =>
  guesses.reduce<Guess | undefined>(
    (best, one) => (best === undefined || one.score > best.score ? one : best),
    undefined,
  );

const isEmpty = ({ wallets, hashes, amounts, tier, projectIds }: Entities): boolean =>
  wallets.length + hashes.length + amounts.length + projectIds.length === 0 && tier === null;

/** What a message that is hardly more than a value asks: the same as before, where a value of its kind belongs to that. */
function byValue(entities: Entities, before: IntentName | undefined): IntentName | null {
  if (entities.hashes.length > 0 || entities.brokenHash) return 'where_payment';
  if (entities.amounts.some(({ unit }) => unit === 'xrp'))
    return before === 'minimum' || before === 'maximum' ? before : 'quote';
  if (entities.wallets.length > 0 || entities.brokenAddress) {
    return before !== undefined && ABOUT_WALLETS.has(before) ? before : 'mine';
  }
  if (entities.amounts.length > 0) return before !== undefined && ABOUT_AMOUNTS.has(before) ? before : 'quote';
  return entities.tier === null ? null : 'tier';
}

/** What an amount buys, or what an amount costs: its unit decides. */
function byUnit(intent: IntentName, { amounts }: Entities): IntentName {
  if (intent !== 'quote' && intent !== 'cost') return intent;
  const units = new Set(amounts.map(({ unit }) => unit));
  if (units.has('xrp')) return 'quote';
  return units.has('tokens') ? 'cost' : intent;
}

const merged = (now: Entities, before: Entities): Entities => ({
  ...now,
  wallets: now.wallets.length > 0 ? now.wallets : before.wallets,
  hashes: now.hashes.length > 0 || now.wallets.length > 0 ? now.hashes : before.hashes,
  amounts: now.amounts.length > 0 ? now.amounts : before.amounts,
  tier: now.tier ?? before.tier,
  projectIds: now.projectIds.length > 0 ? now.projectIds : before.projectIds,
});

/** A message that goes on from the one before begins so, or says next to nothing by itself. */
const GOES_ON = /^\s*(?:and|but|what about|how about|what if it is|or|also|then|so|same for|for)\b/i;

/** How the sales of the platform are called. */
export interface Names {
  /** Words that name a sale tell which one is meant, not what is asked. */
  sales: readonly string[];
  /** Names of tokens mean tokens, also as what a number counts. */
  tokens: readonly string[];
}
const NO_NAMES: Names = { sales: [], tokens: [] };

/**
 * What a message asks for, by its own words, else as going on from what was asked before. Pure.
 */
export function understand(message: string, history: readonly Turn[], names: Names = NO_NAMES): Understood {
  let before: Understood | null = null;
  for (const { text } of history.filter(({ role }) => role === 'user').slice(-MOST_EARLIER)) {
    before = understandAfter(text, before, names);
  }
  return understandAfter(message, before, names);
}

function understandAfter(message: string, before: Understood | null, names: Names): Understood {
  const entities = entitiesIn(withWords(withTokens(message, names.tokens)));
  const rest = withoutNames(entities.rest, names.sales);
  const own = intentsIn(rest);
  const said = substance(rest.replace(VALUES, ' ').replace(GOES_ON, ' '));
  const isFragment = said < 1 && (!isEmpty(entities) || entities.brokenAddress || entities.brokenHash);
  const namesOnly = before !== null && said < 1 && rest !== entities.rest;
  if (isFragment || namesOnly) {
    const value = byValue(entities, before?.intents[0]) ?? before?.intents[0];
    const all = before === null ? entities : merged(entities, before.entities);
    if (value !== undefined) return { intents: [byUnit(value, entities)], guess: null, near: [], entities: all, rest };
  }
  if (before !== null && (GOES_ON.test(message) || own.score < SURE_PART || said < 2)) {
    const all = merged(entities, before.entities);
    const together = intentsIn(`${before.rest} ${rest}`);
    const isOwn = intentsIn(rest.replace(VALUES, ' ')).score >= SURELY_OWN;
    const pointsBack = PRONOUN.test(rest) && !isOwn && together.score >= SURE_WHOLE;
    if (pointsBack || (own.score < SURE_ENOUGH && together.score >= SURE_ENOUGH)) {
      return { intents: together.intents.slice(-1), guess: null, near: [], entities: all, rest };
    }
    return { ...meant(own, rest, entities), entities: all, rest };
  }
  return { ...meant(own, rest, entities), entities, rest };
}

function meant(
  { intents, score }: { intents: IntentName[]; score: number },
  rest: string,
  entities: Entities,
): Pick<Understood, 'intents' | 'guess' | 'near'> {
  if (score >= SURE_ENOUGH)
    return { intents: intents.map((intent) => byUnit(intent, entities)), guess: null, near: [] };
  if (entities.hashes.length > 0) return { intents: ['where_payment'], guess: null, near: [] };
  const guesses = classify(rest);
  const real = guesses.filter(isReal);
  const guess = guessAmong(guesses, real, entities);
  const near = real
    .filter(({ intent, score }) => score >= WORTH_AN_OFFER && !COURTESIES.has(intent) && intent !== guess)
    .map(({ intent }) => intent);
  return { intents: [], guess, near: near.slice(0, MOST_OFFERED) };
}

/** What is worth an answer though it is not sure. */
function guessAmong(all: readonly Guess[], real: readonly RealGuess[], entities: Entities): IntentName | null {
  const quote = real.slice(0, 2).find((guess) => guess.intent === 'quote');
  if (entities.amounts.length > 0 && quote !== undefined && quote.score >= QUOTE_BY_AMOUNT) {
    return byUnit('quote', entities);
  }
  const [first] = real;
  if (first === undefined || first.score < WORTH_A_GUESS) return null;
  const second = all.find((guess) => guess !== first);
  return first.score - (second?.score ?? 0) >= STANDS_OUT ? first.intent : null;
}

/** Digits that stand for words ("how 2 pay", "key 4 the api") count nothing. */
const withWords = (text: string): string =>
  text
    .replace(/(?<=\b(?:how|where|what|want|need|like|have|got|ready|wanna|nothing)\s+)2(?=\s+[a-z])/gi, 'to')
    .replace(/(?<=[a-z]\s+)4(?=\s+(?:\d|(?:the|a|an|my|me|your|api|this|it|that|what)\b))/gi, 'for');

/** After a number in any spelling; elsewhere as it is written, because "PAY" may name a token and "pay" does not. */
const withTokens = (text: string, tokens: readonly string[]): string =>
  tokens.reduce(
    (so, token) =>
      so
        .replace(new RegExp(`(?<=\\d[ km]{0,3})${escaped(token)}(?!\\w)`, 'gi'), ' tokens ')
        .replace(new RegExp(`(?<![A-Za-z_.])${escaped(token)}(?!\\w)`, 'g'), ' tokens '),
    text,
  );

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A name of words that mean something here ("Sale") would take the meaning out of a question. */
const saysMore = (name: string): boolean => substance(name) >= name.split(/\s+/).length;

const withoutNames = (text: string, names: readonly string[]): string =>
  names
    .filter((name) => !saysMore(name))
    .reduce((rest, name) => rest.replace(new RegExp(`(?<!\\p{L})${escaped(name)}(?!\\p{L})`, 'giu'), ' '), text);
