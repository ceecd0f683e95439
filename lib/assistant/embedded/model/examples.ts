import { readFileSync } from 'node:fs';
import { INTENTS, type IntentName, type Label } from '../intents.ts';

/** A wording, and what it asks for. */
export interface Example {
  label: Label;
  text: string;
}

export const LABELS: readonly Label[] = [...(Object.keys(INTENTS) as IntentName[]), 'none'];

/**
 * The wordings that the model is trained on: one a line in `examples/<label>.txt`. Addresses, hashes, amounts, tiers and token
 * names stand in them as the entities leave them: `xwallet`, `xhash`, `xamount xrp`, `xamount token`, `xnumber`, `xother`, `xtier`, `tokens`.
 * For training and tests: nothing of it is read to answer.
 */
export const readExamples = (): Example[] =>
  LABELS.flatMap((label) =>
    readFileSync(new URL(`../examples/${label}.txt`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((text) => ({ label, text })),
  );
