import { SYSTEM_PROMPT } from '../openai/system-prompt.ts';
import { advises } from './advice.ts';
import type { Evidence } from './figures.ts';
import { quoting } from './figures.ts';
import { redact } from './redact.ts';
import { keyIn } from './secrets-in.ts';

/** `empty`: nothing that may be shown is left of the answer. `money`: it tells to pay where a payment would buy nothing. */
export type Fault = 'advice' | 'asks_key' | 'empty' | 'figures' | 'instructions' | 'money' | 'secret';

const quotesInstructions = quoting(SYSTEM_PROMPT);

/** What takes no room parts words and digits for a check and not for a reader. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

const PUBLIC_KINDS = new Set(['email', 'phone']);
const holdsSecret = (text: string): boolean =>
  keyIn(text) !== null || redact(text).kinds.some((kind) => !PUBLIC_KINDS.has(kind));

const ASKS_KEY =
  /\b(?:type|enter|send|give|tell|share|paste|provide|post|write|confirm|submit|reveal|message)\b(?: \w+){0,5} (?:seed|recovery phrase|mnemonic|private key|secret key|secret numbers|secret phrase)\b/gi;
/** A warning names the same. */
const WARNS = /\b(?:no|not|never|nobody|none|don['’]t|without|who(?:ever)?|anyone|if)\b[^.!?;\n]*$/i;

const asksForKey = (text: string): boolean =>
  [...text.matchAll(ASKS_KEY)].some(({ index }) => !WARNS.test(text.slice(Math.max(0, index - 120), index)));

/**
 * What is wrong with a block that a language model wrote, given what it was told and looked up; null when it may be shown.
 * Models follow their instructions mostly, and those of others sometimes: what must not happen is checked here.
 */
export function judgeBlock(plain: string, evidence: Evidence): Fault | null {
  const text = plain.replace(INVISIBLE, '');
  if (quotesInstructions(text)) return 'instructions';
  if (holdsSecret(text)) return 'secret';
  if (asksForKey(text)) return 'asks_key';
  if (advises(text)) return 'advice';
  return evidence.missing(text).length > 0 ? 'figures' : null;
}
