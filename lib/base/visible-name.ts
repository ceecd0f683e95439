import { plainText } from './plain-text.ts';

/** What turns the direction of a line or takes no room in it; variation selectors only choose between two forms of a sign. */
const DECEPTIVE = /[\p{Bidi_Control}\p{Zl}\p{Zp}[\p{Default_Ignorable_Code_Point}--[\u{FE00}-\u{FE0F}]]]/v;
/** The blank Braille pattern counts as a symbol. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

/** A name that people tell others apart by: two that look alike must not differ by what is invisible. */
export const visibleName = (maxLength: number) =>
  plainText(maxLength)
    .trim()
    .min(1)
    .refine((text) => !DECEPTIVE.test(text), 'must not contain characters that are invisible or turn the text around')
    .refine((text) => text === '' || VISIBLE.test(text), 'must contain a visible character');
