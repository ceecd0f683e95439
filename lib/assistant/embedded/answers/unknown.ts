import type { Answer } from '../asked.ts';
import { asQuestion, type IntentName } from '../intents.ts';
import { bullets, paragraphs, plain, strong } from '../markdown.ts';
import { fromDocumentation } from './documentation.ts';

/** What a message may have meant, as questions; null when nothing comes near. */
export const offered = (near: readonly IntentName[], amount?: string): string | null =>
  near.length === 0 ? null : bullets(near.map((intent) => `“${plain(asQuestion(intent, amount))}”`));

/** What is no question that we know: the closest ones that are, what the documentation has on it, else what can be asked. */
export const answerUnknown =
  (near: readonly IntentName[]): Answer =>
  async (asked) => {
    const found = await fromDocumentation(asked);
    const closest = offered(near, asked.entities.amounts[0]?.text);
    const meant = closest === null ? null : `Did you mean one of these?\n\n${closest}`;
    if (found !== null || meant !== null) {
      return paragraphs(strong('I am not sure that I understood you.'), meant, found);
    }
    return paragraphs(
      `${strong('I do not know the answer to that.')} I am the built-in assistant: I look up this platform’s sales, payments and documentation, and nothing else.`,
      'You can ask me, for example:',
      bullets([
        '“what does 500 XRP buy now?” or “which tier are we in?”',
        '“how do I pay, and with which tag?”',
        '“where is my payment?” with a wallet address or transaction hash',
        '“can I get a refund?”, “how do I verify the sale?”',
        '“how do I make an API key?”, “why was my webhook retried?”',
      ]),
    );
  };
