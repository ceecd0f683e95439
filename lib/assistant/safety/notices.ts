import type { PrivateKind } from './redact.ts';
import type { KeyKind } from './secrets-in.ts';

const KEY_NAME: Record<KeyKind, string> = {
  seed: 'the secret seed of a wallet',
  mnemonic: 'the recovery phrase of a wallet',
  secret_numbers: 'the secret numbers of a wallet',
  private_key: 'a private key',
};

/** What somebody hears who pasted a signing key. Nothing else is answered: the money comes first. */
export const keyNotice = (kind: KeyKind): string =>
  [
    `**Your message seems to hold ${KEY_NAME[kind]}. Move your funds now**: make a new wallet and send everything there, because whoever has seen it can take all of it.`,
    'I did not store your message and sent it to nobody. Nobody here will ever ask for a seed, recovery phrase or private key, and no payment to a sale needs one in a chat. Ask your question again without it.',
  ].join('\n\n');

/** The same for a key that came in parts: what came first was kept and may have been passed on, and it says so. */
export const splitKeyNotice = (kind: KeyKind): string =>
  [
    `**Your messages together seem to hold ${KEY_NAME[kind]}. Move your funds now**: make a new wallet and send everything there, because whoever has seen it can take all of it.`,
    'I have deleted this conversation and did not pass this message on; what you wrote before it may have been seen. Nobody here will ever ask for a seed, recovery phrase or private key.',
  ].join('\n\n');

/** In place of a request for what nobody may be asked for. */
export const NEVER_ASKED =
  'Never give a seed, recovery phrase, private key or API key to anybody, and type none of them here. Nobody of this platform needs one, and no payment does: your wallet signs by itself.';

const ADVICE_ON: Record<PrivateKind, string> = {
  api_key: 'I removed an API key from your message. Take it as known to others: revoke it and make a new one.',
  webhook_secret: 'I removed a webhook secret from your message. Take it as known to others: rotate it.',
  bearer_token: 'I removed an access token from your message. Take it as known to others: replace it.',
  email: 'I removed an e-mail address from your message: I do not need it, and it is not stored.',
  phone: 'I removed a phone number from your message: I do not need it, and it is not stored.',
};

/** What is said before an answer about what was taken out of the question. */
export const removedNotice = (kinds: readonly PrivateKind[]): string => kinds.map((kind) => ADVICE_ON[kind]).join(' ');

/** In place of advice, promises and predictions, whoever wrote them. */
export const NO_ADVICE =
  'I can’t advise on investing, and I make no promises or predictions about prices: nobody can know them, and tokens can lose all their value. I can show the facts of a sale, its terms and how to verify it, so that you can decide for yourself.';

/** In place of what gives away how the assistant is instructed. */
export const NO_INSTRUCTIONS =
  'I can’t share how I am instructed. I can help with the token sales on this platform: tiers, payments, trust lines, payouts, webhooks and the API.';

/** Before the built-in assistant goes on where a model's words could not be shown. */
export const TAKEN_OVER = {
  figures:
    'The language model was about to name figures that no look-up shows, so they were held back, and the built-in assistant answers from here.',
  money:
    'The language model was about to name where or that to pay while a payment would buy nothing there, so that was held back, and the built-in assistant answers from here.',
  empty: 'The language model answered with nothing that can be shown here, so the built-in assistant answers instead.',
} as const;
