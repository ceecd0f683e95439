import { type Figure, figuresIn, knownForms } from './figures.ts';

const OTHERS_WORDS = 'description';

/** What was said and looked up in one conversation: the figures that a reply may name. */
export class Evidence {
  readonly #forms = new Set<string>();

  /** Adds every text, number and name inside a JSON value but descriptions: projects write those, and may write anything. Without recursion, because tools decide the depth. */
  add(value: unknown): void {
    const rest: unknown[] = [value];
    while (rest.length > 0) {
      const next = rest.pop();
      if (typeof next === 'string') for (const form of knownForms(next)) this.#forms.add(form);
      else if (typeof next === 'number') for (const form of knownForms(String(Math.abs(next)))) this.#forms.add(form);
      else if (typeof next === 'object' && next !== null) {
        for (const [name, part] of Object.entries(next)) if (name !== OTHERS_WORDS) rest.push(name, part);
      }
    }
  }

  /** The figures of a text that stand nowhere in it. */
  missing(text: string): Figure[] {
    return figuresIn(text).filter(({ forms }) => !forms.some((form) => this.#forms.has(form)));
  }
}
