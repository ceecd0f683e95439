import type { Card, Source } from '../answerer.ts';
import type { ChatAnswer, ChatEvent } from '../contracts.ts';
import { allowedLink } from '../safety/allowed-link.ts';

/** A reply while it is written: each part becomes an event, and all of them the answer. */
export class Reply {
  readonly #conversationId: string;
  #model: string;
  #text = '';
  readonly #sources = new Map<string, Source>();
  readonly #cards: Card[] = [];

  constructor(conversationId: string, model: string) {
    this.#conversationId = conversationId;
    this.#model = model;
  }

  get text(): string {
    return this.#text;
  }

  start(): ChatEvent {
    return { event: 'start', data: { conversation_id: this.#conversationId, model: this.#model } };
  }

  /** Adds a block of clean Markdown. */
  block(markdown: string): ChatEvent {
    const text = this.#text === '' ? markdown : `\n\n${markdown}`;
    this.#text += text;
    return { event: 'delta', data: { text } };
  }

  /** Notes a page that the reply rests on; null when it is noted already, or is a page of others. */
  source({ title, url: given }: Source): ChatEvent | null {
    const url = allowedLink(given);
    if (url === null || this.#sources.has(url)) return null;
    const source = { title, url };
    this.#sources.set(url, source);
    return { event: 'source', data: source };
  }

  /** Adds a card: what the reply shows from live data, for programs. */
  card(card: Card): ChatEvent {
    this.#cards.push(card);
    return { event: 'card', data: { ...card, facts: { ...card.facts } } };
  }

  /** From here on another writes; the answer names who wrote its end. */
  handOver(model: string): void {
    this.#model = model;
  }

  done(suggestions: ChatAnswer['suggestions']): ChatEvent {
    return {
      event: 'done',
      data: {
        conversation_id: this.#conversationId,
        reply: this.#text,
        sources: [...this.#sources.values()],
        cards: this.#cards.map((card) => ({ ...card, facts: { ...card.facts } })),
        suggestions,
        model: this.#model,
      },
    };
  }
}
