import type { Answer } from '../asked.ts';
import { bullets, paragraphs, strong } from '../markdown.ts';
import { answerAbout } from './sale-state.ts';
import { NEVER_SEED } from './texts.ts';

const TOPICS = bullets([
  'what an amount buys, tiers and prices: “what does 500 XRP buy now?”',
  'how to pay, address and tag, trust lines: “how do I pay?”',
  'your payment, tokens and refunds, with a wallet address or transaction hash: “where is my payment?”',
  'rules: minimum, refunds, what happens when it sells out, what the issuer can do, how to verify the sale',
  'for developers: API keys, webhooks, signatures, retries',
  'Platform IDs, holders, reserves, system status',
]);

export const answerHello: Answer = async () =>
  paragraphs('Hello! I can look up everything about the sales on this platform. For example:', TOPICS);

export const answerSelf: Answer = async () =>
  paragraphs(
    `I am ${strong('the built-in assistant')} of this platform: a program, no person and no language model. I look figures up in the platform and on the ledger, and read its documentation to you; I cannot change, pay or decide anything. Ask me about:`,
    TOPICS,
  );

export const answerThanks: Answer = async () =>
  'You are welcome. If anything else comes up about a sale, a payment or the API, just ask.';

/** Advice, promises and predictions are none of ours: facts to decide by are. */
export const answerAdvice: Answer = async (asked) =>
  paragraphs(
    `${strong('I cannot tell you that')}: I give no investment advice, no promise and no prediction, and nobody can know what a token will be worth. You could lose all that you pay; please decide by yourself, and ask somebody who is licensed to advise you if you are unsure.`,
    'What I can give you are facts. The sale at present:',
    await answerAbout(asked),
    bullets([
      'what the issuer could do with your tokens: ask “what can the issuer do”',
      'whether the sale keeps to its rules: ask “how do I verify the sale”',
      'what comes back, and what does not: ask “can I get a refund”',
    ]),
  );

export const answerSeed: Answer = async () =>
  paragraphs(
    `${strong('Never give your seed, secret key or recovery phrase to anybody')}, and do not type it here. ${NEVER_SEED}`,
    'To pay you need none of it: your wallet signs by itself. If somebody has seen yours, move your funds to a new wallet at once.',
  );
