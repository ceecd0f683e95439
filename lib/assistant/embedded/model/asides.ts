import type { Example } from './examples.ts';

/** What people say before a question, and is no part of it. */
const BEFORE = [
  'ok so',
  'quick question',
  'hi, i have a question:',
  'can you tell me',
  'could you please tell me',
  'i would like to know',
  'i was wondering',
  'does anyone know',
  'sorry if this was asked before but',
  'i am new here.',
  'honestly',
  'my friend asks',
  'just to be sure:',
  'one more thing,',
  'please explain',
  'so',
  'hmm',
  'hey guys',
  'sir',
  'i do not understand,',
  'sorry for my english,',
  'before i do anything:',
  'i have decided to take part.',
  'i have some xrp in my wallet.',
  'i am a bit worried.',
  'i looked at your page yesterday.',
  'i read the documentation and did not find it.',
  'i never did this before.',
  'good morning everybody, nice project.',
  'my brother bought tokens too.',
] as const;
/** What people say behind one. */
const BEHIND = [
  'please',
  'thanks',
  'asap',
  'lol',
  'any idea',
  'please help',
  'thank you in advance',
  'i am confused',
  'sir',
  'for me',
  'right now',
  'exactly',
  'then',
  'or not',
  'bro',
] as const;

const every = <T>(list: readonly T[], place: number): T => list[place % list.length] as T;

/** Each example once more with what people say beside a question, so that a model learns that it says nothing. Pure. */
export const withAsides = (examples: readonly Example[]): Example[] => [
  ...examples,
  ...examples.map(({ label, text }, place) => ({
    label,
    text: place % 2 === 0 ? `${every(BEFORE, place >> 1)} ${text}` : `${text} ${every(BEHIND, place >> 1)}`,
  })),
];
