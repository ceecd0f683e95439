import { ownUrl, saleSource } from '../../links.ts';
import type { Answer } from '../asked.ts';
import { saleMeant } from '../choose-project.ts';
import { bullets, code, link, paragraphs, plain, strong } from '../markdown.ts';
import { say } from '../phrases.ts';
import { NEVER_SEED } from './texts.ts';

const TOPICS = bullets([
  'what an amount buys, tiers and prices: “what does 500 XRP buy now?”',
  'paying, tags, trust lines, refunds: “I sent without the tag”',
  'your payment and tokens, with a wallet address or transaction hash: “where is my payment?”',
  'for developers and operators: anything that the guides tell, such as “rotate a webhook secret”',
]);

export const answerHello: Answer = async () =>
  paragraphs('Hello! I look up the sales, payments and guides of this platform. For example:', TOPICS);

export const answerSelf: Answer = async (asked) =>
  paragraphs(
    asked.language === 'en'
      ? `I am ${strong('the built-in assistant')} of this platform: a program, no person and no language model. I look things up; I cannot change, pay or decide anything. Ask me about:`
      : say('introduction', asked.language),
    asked.language === 'en' ? TOPICS : null,
  );

export const answerThanks: Answer = async () => 'You are welcome.';

export const answerSeed: Answer = async () =>
  paragraphs(
    `${strong('Never give your seed, secret key or recovery phrase to anybody')}, and do not type it here. ${NEVER_SEED}`,
    'Your wallet signs by itself. If somebody has seen yours, move your funds to a new wallet at once.',
  );

export const answerSupport: Answer = async () =>
  'I am a program, and I cannot pass you on to a person. With a transaction hash or the wallet that paid I can look up a payment; the operators see every payment that is held.';

/** What neither the data nor the guides of a platform tell: who else may know it. */
export const answerOutside: Answer = async (asked) => {
  const meant = saleMeant(asked);
  const project = asked.projects.find(({ id }) => id === meant);
  return paragraphs(
    say('unknown', asked.language),
    say('ask_project', asked.language, {
      page:
        project === undefined
          ? link(new URL(ownUrl('/')).host, ownUrl('/'))
          : link(plain(project.name), saleSource(project).url),
    }),
  );
};

const KEY_ADVICE = {
  list: `${strong('List')} those of your wallet: ${code('GET /api/api-keys/list/{wallet_address}')}. It shows anyone their ids, first characters and dates, and never the keys themselves: nobody can show those again.`,
  leak: `${strong('Leaked')}: revoke it at once with ${code('POST /api/api-keys/revoke')}: with the key itself, or with its id and a proof of your wallet. It ends immediately.`,
  lost: `${strong('Lost')}: nobody can show it again, only its SHA-256 is kept. Make a new one, and revoke the old one by its id.`,
  refused: `${strong('Refused (401)')}: the call carried no live key. Check the header ${code('Authorization: Bearer <key>')}, and that the key was not revoked.`,
  rotat: `${strong('Rotate')}: create a new key with the old one as credential, so it joins the same tenant; then revoke the old one.`,
  prove: `${strong('Prove that a wallet is yours')}: ${code('POST /api/api-keys/challenge')}, sign the ${code('message')} with the wallet, and send ${code('proof')} (challenge_id, public_key, signature) with the call.`,
  make: `${strong('Make one')}: ${code('POST /api/api-keys/create')} with ${code('{"wallet_address":"r…","name":"…"}')}, or on the developers’ page. The key is shown this once; send it as ${code('Authorization: Bearer <key>')}. Scopes: ${code('webhooks:read')}, ${code('webhooks:write')}.`,
} as const;
/** What is asked for comes first. */
const KEY_WORDS: readonly (readonly [keyof typeof KEY_ADVICE, RegExp])[] = [
  [
    'leak',
    /leak|commit|push|publi|git ?hub|公開|compromis|stolen|expos|revoke|delete|disable|filtrad|geleakt|gestohlen|vol[ée]|vazou|漏/i,
  ],
  ['lost', /lost|lose|forg[oe]t|perd|verloren|紛失/i],
  ['refused', /\bwork|\binvalid|\breject|\brefus|\bdenied/i],
  ['rotat', /rotat|roll|renew|replace|expire|downtime/i],
  ['prove', /prov|proof|sign|challenge|\bown\b/i],
  ['list', /\blist|\bshow|\ball\b|\bsee\b|muestra|mu[ée]str|lista|zeig|liste|montre|mostre|一覧|すべて/i],
];

/** The key card: making, listing, replacing and revoking API keys. */
export const answerKey: Answer = async (asked) => {
  asked.card({
    kind: 'key',
    title: 'API keys',
    facts: { create: 'POST /api/api-keys/create', revoke: 'POST /api/api-keys/revoke' },
  });
  const first = KEY_WORDS.filter(([, words]) => words.test(asked.message)).map(([what]) => what);
  const order = [...first, 'make', 'lost', 'leak', 'rotat', 'list', 'refused', 'prove'] as const;
  return paragraphs(
    bullets([...new Set(order)].map((what) => KEY_ADVICE[what])),
    `More on ${link('the developers’ page', ownUrl('/developers'))} and in ${link('the API reference', ownUrl('/reference#createApiKey'))}.`,
  );
};
