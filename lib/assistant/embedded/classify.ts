import type { IntentName, Label } from './intents.ts';
import { load, type Model } from './model/model.ts';
import stored from './model/weights.json' with { type: 'json' };
import { tokensOf } from './tokens.ts';

/** How likely a message asks for something. */
export interface Guess {
  intent: Label;
  score: number;
}

export interface RealGuess extends Guess {
  intent: IntentName;
}

/** Longer texts are read so far: a question comes to its point before. */
const LONGEST_READ = 600;
/** Question words alone decide little, though several intents differ by them. */
const FAINT: ReadonlySet<string> = new Set(
  'what how can any some much many there who which out go need want know like please about xnumber xother'.split(' '),
);
/** These ask, and say nothing of what is asked for. */
const ASKING: ReadonlySet<string> = new Set('when where whereto why not should happen define now'.split(' '));
/** A greeting before a question is no part of it, nor is thanks after it. */
const BEFORE =
  /^\s*(?:(?:hi|hello|hey|yo|good (?:morning|day|evening|afternoon)|dear|greetings|there|sir|madam|all|everyone|team|guys|folks|please|pls|excuse me|sorry)\b[\s,.!:-]*)+/i;
const BEHIND =
  /[\s,.!?-]*\b(?:please|pls|plz|thanks|thank you|thx|ty|cheers)(?: (?:a lot|very much|so much|in advance))?[\s.!?]*$/i;

/** Things that much can be asked of: one of them alone ("my wallet") asks nothing yet. */
const THINGS: ReadonlySet<string> = new Set(
  'token xrp money payment wallet sale ledger system people platform address event'.split(' '),
);
const MOST_WORDS_OF_A_THING = 2;
/** How much less sure a thing alone is: 1 changes nothing, towards 0 all is as likely. */
const DOUBT = 0.25;

let model: Model | undefined;
/** Made ready by the first question of a process: who never asks does not wait for it. */
const known = (): Model => {
  model ??= load(stored);
  return model;
};

const read = (text: string): string[] => tokensOf(text.slice(0, LONGEST_READ));

const says = (text: string): boolean =>
  read(text).some((token) => known().knows(token) && !FAINT.has(token) && !ASKING.has(token));

function withoutCourtesy(text: string): string {
  const rest = text.replace(BEFORE, '').replace(BEHIND, '');
  return says(rest) ? rest : text;
}

const isThingAlone = (text: string): boolean =>
  text.trim().split(/\s+/).length <= MOST_WORDS_OF_A_THING && read(text).every((token) => THINGS.has(token));

function doubted(guesses: readonly Guess[]): Guess[] {
  const flat = guesses.map(({ score }) => score ** DOUBT);
  const sum = flat.reduce((all, score) => all + score, 0);
  return guesses.map(({ intent }, place) => ({ intent, score: (flat[place] ?? 0) / sum }));
}

/** What a text that is already without addresses and numbers asks for, the likeliest first; none when it says nothing. Pure. */
export function classify(text: string): Guess[] {
  const asked = withoutCourtesy(text.slice(0, LONGEST_READ));
  if (!says(asked)) return [];
  const guesses = known()
    .judge(asked)
    .map(({ label, likely }) => ({ intent: label, score: likely }));
  return isThingAlone(asked) ? doubted(guesses) : guesses;
}

export const isReal = (guess: Guess): guess is RealGuess => guess.intent !== 'none';

/** How much a text says beside question words: a follow-up says little. */
export const substance = (text: string): number =>
  [...new Set(read(text))].filter((token) => !FAINT.has(token) && known().knows(token)).length;
