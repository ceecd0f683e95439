/** Digits that fit a card's width on the smallest phone, size by size. */
const SIZES = [
  [12, 'text-3xl'],
  [16, 'text-2xl'],
  [22, 'text-lg'],
] as const;

/** The size in which a headline figure stands: as large as its length allows, never broken. */
export const amountSize = (text: string): string => SIZES.find(([most]) => text.length <= most)?.[1] ?? 'text-base';
