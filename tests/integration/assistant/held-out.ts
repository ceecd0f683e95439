import { CAREFUL } from './held-out-careful.ts';
import { FORUM } from './held-out-forum.ts';
import { INDIRECT } from './held-out-indirect.ts';
import { LATE } from './held-out-late.ts';
import { MIXED } from './held-out-mixed.ts';
import { PEOPLE } from './held-out-people.ts';
import { STRANGERS } from './held-out-strangers.ts';
import { TERSE } from './held-out-terse.ts';

/** One wording, or the messages of a conversation of which the last is what counts. */
export type Wording = string | readonly string[];

/** A wording that names an amount of XRP: what it buys must stand in the answer. */
interface OfAmount {
  xrp: number;
  said: Wording;
}

/** What is none of the assistant's business. */
const NONE = 'none';

/** The twenty likeliest questions by the intents that answer them, in the order of `questions`. */
export const TWENTY = [
  'quote',
  'tier',
  'pay',
  'tag',
  'forgot_tag',
  'when_tokens',
  'trustline',
  'where_payment',
  'sold_out',
  'minimum',
  'refund',
  'api_key',
  'signature',
  'webhook_retry',
  'platform_id',
  'get_platform_id',
  'status',
  'holders',
  'reserve',
  'advice',
] as const;
type Likely = (typeof TWENTY)[number];

/** `{wallet}` and `{hash}` stand for those of a payment. */
export type HeldOut = Readonly<Record<Exclude<Likely, 'quote'> | typeof NONE, readonly Wording[]>> & {
  readonly quote: readonly OfAmount[];
};

export interface HeldOutWording {
  set: string;
  asks: Likely | typeof NONE;
  said: Wording;
  /** The amount that it asks a quote for. */
  xrp: number | null;
}

const SETS: Readonly<Record<string, HeldOut>> = {
  terse: TERSE,
  strangers: STRANGERS,
  careful: CAREFUL,
  forum: FORUM,
  mixed: MIXED,
  people: PEOPLE,
  indirect: INDIRECT,
  late: LATE,
};

const isOfAmount = (wording: Wording | OfAmount): wording is OfAmount =>
  typeof wording === 'object' && 'xrp' in wording;

/**
 * Wordings that the model was not trained on; they measure it. Whoever looks into one that is missed and teaches the model
 * by it puts a fresh wording in its place here, which nobody has tried.
 */
export const HELD_OUT: readonly HeldOutWording[] = Object.entries(SETS).flatMap(([set, { quote, ...others }]) =>
  Object.entries({ quote, ...others }).flatMap(([asks, wordings]) =>
    wordings.map((wording: Wording | OfAmount) => ({
      set,
      asks: asks as HeldOutWording['asks'],
      said: isOfAmount(wording) ? wording.said : wording,
      xrp: isOfAmount(wording) ? wording.xrp : null,
    })),
  ),
);

/** Other intents whose answers hold what is asked for, too. */
export const ALSO: Readonly<Record<string, readonly string[]>> = {
  where_payment: ['mine'],
  when_tokens: ['where_payment'],
  minimum: ['quote'],
  refund: ['soft_cap'],
  pay: ['exchange'],
  get_platform_id: ['platform_id'],
};
