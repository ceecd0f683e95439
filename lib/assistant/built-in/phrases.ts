import type { SaleState } from '../tools/sale-facts.ts';
import type { Language } from './language.ts';
import { dateText, plain } from './markdown.ts';
import phrases from './phrases.json' with { type: 'json' };
import type { Place } from './place.ts';

/** What is said about money, and what is refused, in every language of the answers; what stands in braces is filled in. */
const PHRASES: Readonly<Record<string, Readonly<Record<Language, string>>>> = phrases;

export const phraseKeys = (): readonly string[] => Object.keys(PHRASES);

const STATES: Readonly<Record<SaleState, string>> = {
  draft: 'why_draft',
  upcoming: 'why_before_start',
  live: 'state_live',
  between_tiers: 'why_between_tiers',
  paused: 'why_paused',
  ended: 'why_after_end',
  cancelled: 'why_cancelled',
};
/** What a sale is doing, in words; in Japanese a reason ends as the beginning of another clause. */
export const stateText = (state: SaleState, language: Language): string =>
  say(STATES[state], language).replace(/の$/, 'です');

/** A phrase in a language, with what it names filled in. */
export function say(key: string, language: Language, values: Readonly<Record<string, string | number>> = {}): string {
  const text = PHRASES[key]?.[language];
  if (text === undefined) throw new Error(`There is no phrase ${key} in ${language}`);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Why a payment to a sale would buy nothing now, to who is about to pay that nobody should, and what becomes of who does all the same. */
export function closedText(
  {
    name,
    closed_because,
    opens_at,
    next_tier,
  }: {
    name: string;
    closed_because: string | null;
    opens_at: string | null;
    next_tier?: { tier: number; price_per_token: string } | null;
  },
  language: Language,
  place: Place | null = null,
  isAboutPaying = true,
): string {
  const why = whyText(closed_because ?? 'not_active', language) ?? say('why_not_active', language);
  const parts = [
    say(isAboutPaying ? 'closed' : 'takes_none', language, {
      name: name === '' ? say('any_sale', language) : plain(name),
      why,
    }),
    opens_at === null ? null : say('opens_at', language, { at: dateText(opens_at, language, place) }),
    opens_at === null || next_tier === undefined || next_tier === null
      ? null
      : say('then_price', language, { tier: next_tier.tier, price: next_tier.price_per_token }),
    closed_because === 'cancelled' || closed_because === 'soft_cap_missed' ? say('refunds_run', language) : null,
    // While nothing is decided, nothing goes back either.
    closed_because === 'halted' ? null : say('goes_back', language),
  ];
  return parts.filter((part) => part !== null).join(language === 'ja' ? '' : ' ');
}

/** Why a payment would buy nothing; reasons of single amounts have words in English alone. */
export const whyText = (reason: string, language: Language): string | null =>
  Object.hasOwn(PHRASES, `why_${reason}`) ? say(`why_${reason}`, language) : null;
