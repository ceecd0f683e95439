import { z } from 'zod';
import { containsSeed, SEED_WARNING } from './seed-text.ts';

export const CONTROL_FAULT = 'must not contain control characters';
// Published in the document, and not every tool knows \p{Cc}.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the pattern is about
const NO_CONTROL_CHARACTERS = /^[^\x00-\x1f\x7f-\x9f]*$/;

/** The character that no request may hold (body.ts, parts.ts), as the pattern of a text that may hold every other one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this one is what the pattern is about
export const NO_ZERO = /^[^\x00]*$/;
export const ZERO_FAULT = 'must not contain the character U+0000';

/** Postgres holds no NUL, and no other control character belongs into a text that people read. */
export const plainText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(NO_CONTROL_CHARACTERS, CONTROL_FAULT)
    .refine((text) => text.isWellFormed(), CONTROL_FAULT)
    .refine((text) => !containsSeed(text), SEED_WARNING);

/** Why somebody does what others will ask about. */
export const auditReason = plainText(500)
  .trim()
  .min(3)
  .meta({ description: 'Why; stands in the audit log', example: 'asked for by the owner, ticket 4711' });

/** What turns the direction of a line or takes no room in it; variation selectors only choose between two forms of a sign. */
const DECEPTIVE = /[\p{Bidi_Control}\p{Zl}\p{Zp}[\p{Default_Ignorable_Code_Point}--[\u{FE00}-\u{FE0F}]]]/v;
/** The blank Braille pattern counts as a symbol. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

/** A name that people tell others apart by: two that look alike must not differ by what nobody sees. */
export const visibleName = (maxLength: number) =>
  plainText(maxLength)
    .trim()
    .min(1)
    .refine((text) => !DECEPTIVE.test(text), 'must not contain characters that are invisible or turn the text around')
    .refine((text) => text === '' || VISIBLE.test(text), 'must contain a visible character');
