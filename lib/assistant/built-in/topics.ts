import type { Entities } from './entities.ts';

/** What can be answered from live data. */
export type Topic =
  | 'tag'
  | 'pay'
  | 'check_address'
  | 'exchange'
  | 'wallet'
  | 'payment'
  | 'quote'
  | 'cost'
  | 'price'
  | 'minimum'
  | 'maximum'
  | 'refund'
  | 'sold_out'
  | 'soft_cap'
  | 'delivery'
  | 'dates'
  | 'about'
  | 'progress'
  | 'projects'
  | 'trust_line'
  | 'allowlist'
  | 'issuer'
  | 'resale'
  | 'verify'
  | 'fees'
  | 'reserve'
  | 'other_money'
  | 'treasury'
  | 'holders'
  | 'platform_id'
  | 'key'
  | 'seed'
  | 'status'
  | 'hello'
  | 'self'
  | 'thanks'
  | 'support';

interface Asked {
  /** Whether the message names all of these concepts. */
  has: (...concepts: string[]) => boolean;
  any: (...concepts: string[]) => boolean;
  entities: Entities;
  text: string;
}

/**
 * When a message plainly asks for a topic, the most special first. A sure one is asked by what it names alone; of any other
 * most of the message must be understood besides.
 */
const RULES: readonly (readonly [topic: Topic, isSure: boolean | 'weak', fits: (asked: Asked) => boolean])[] = [
  [
    'payment',
    true,
    ({ entities, has }) => (entities.hashes.length > 0 || entities.brokenHash) && !has('tag', 'forgot'),
  ],
  [
    'check_address',
    true,
    ({ entities, any, text }) =>
      (entities.wallets.length > 0 || entities.brokenAddress) &&
      any('address', 'verify') &&
      !any('mypayment', 'tag', 'platformid', 'trustline', 'holders') &&
      /\b(?:right|correct|real|official|genuine|yours|true|is this|is it|check)\b/i.test(text),
  ],
  ['tag', true, ({ has, any }) => has('tag') && any('forgot', 'wrong', 'mypayment', 'refund')],
  [
    'pay',
    true,
    ({ has, any, text }) =>
      has('tag') &&
      (any('which', 'pay', 'address') ||
        /\bwhat(?:['’]?s| is)?(?: the| my| your)? (?:destination )?tag\b|\bwhere\b/i.test(text)),
  ],
  ['tag', false, ({ has }) => has('tag')],
  ['key', true, ({ has, any }) => has('apikey') && !any('operator', 'webhook')],
  ['resale', true, ({ has, any }) => has('resale') && !has('mypayment') && !any('refund')],
  [
    'other_money',
    true,
    ({ has, any, text }) =>
      (has('othermoney') || /[$€£]\s?\d|\d\s?[$€£]/.test(text)) &&
      (any('pay', 'howmuch', 'price', 'mypayment') ||
        /\baccept|\bwith\b|\bmit\b|\bcon\b|\bavec\b|\bcom\b|\bin\b/i.test(text)),
  ],
  ['exchange', true, ({ has, text }) => has('exchange') && !/\bexchange rate/i.test(text)],
  ['seed', true, ({ has, any }) => has('seed') && !any('operator')],
  ['platform_id', true, ({ has }) => has('platformid')],
  ['trust_line', true, ({ has }) => has('trustline')],
  ['refund', true, ({ has, any }) => has('softcap') && any('mypayment', 'refund')],
  ['soft_cap', true, ({ has, any }) => has('softcap') && !any('cancel_mine', 'mypayment')],
  [
    'sold_out',
    true,
    ({ has, any, text }) =>
      has('soldout') &&
      (any('refund', 'pay', 'mypayment') || /\bif\b|\bwhen\b|\bwhat happens\b|\bsi\b|\bwenn\b|\bse\b/i.test(text)) &&
      !/\bis (?:it|the sale|this)\b/i.test(text),
  ],
  [
    'refund',
    true,
    ({ has, any, text }) =>
      has('payment') && any('end', 'start', 'state') && /\b(?:happens?|if|late|after|before|arriv)/i.test(text),
  ],
  ['refund', true, ({ has, any }) => any('refund', 'cancel_mine') && !has('verify')],
  [
    'quote',
    true,
    ({ entities, any }) =>
      entities.amounts.some(({ unit }) => unit === 'xrp') &&
      !any('when', 'mypayment', 'fee', 'reserve', 'left', 'state', 'refund') &&
      any('howmuch', 'pay', 'token', 'price', 'receive'),
  ],
  [
    'delivery',
    true,
    ({ has, any }) =>
      has('vesting') ||
      (has('when', 'receive') && any('token', 'howmuch')) ||
      has('token', 'receive') ||
      (has('when', 'token') && !any('start', 'end', 'howmuch', 'price')),
  ],
  ['fees', true, ({ has, any }) => has('fee') && !any('where', 'status')],
  [
    'verify',
    true,
    ({ has, text }) => has('verify') && /\b(?:safe|legit\w*|scam\w*|trust\w*|fraud\w*|fake|rug)\b/i.test(text),
  ],
  [
    'minimum',
    true,
    ({ has, any }) => has('minimum') && !has('mypayment') && (any('pay', 'howmuch', 'sale', 'price') || !any('end')),
  ],
  ['maximum', false, ({ has }) => has('maximum')],
  ['cost', true, ({ entities }) => entities.amounts.some(({ unit }) => unit === 'tokens')],
  [
    'payment',
    true,
    ({ any, entities }) =>
      any('mypayment') ||
      ((entities.wallets.length > 0 || entities.brokenAddress) && any('where', 'status', 'token', 'receive', 'pay')),
  ],
  [
    'quote',
    false,
    ({ entities, any }) =>
      entities.amounts.some(({ unit }) => unit === 'xrp' || unit === null) &&
      any('howmuch', 'pay', 'token', 'price', 'receive') &&
      !any('tier'),
  ],
  [
    'quote',
    false,
    ({ entities, any }) => entities.amounts.some(({ unit }) => unit === 'xrp') && !any('fee', 'reserve'),
  ],
  ['payment', false, ({ has, any }) => has('where') && any('token', 'receive')],
  ['payment', true, ({ has, any }) => has('payment') && any('receive', 'where', 'status')],
  ['allowlist', true, ({ has }) => has('allowlist')],
  ['treasury', true, ({ has }) => has('treasury')],
  ['holders', false, ({ has }) => has('holders')],
  [
    'wallet',
    false,
    ({ has, any, text }) =>
      has('wallet') &&
      (any('which', 'pay') ||
        /\bwhat\b|\bcan i\b|\bdo i need\b|\bwork|\bok\b|\buse\b|\bgood\b|\bsupport/i.test(text)) &&
      !any('maximum', 'minimum'),
  ],
  ['issuer', false, ({ has }) => has('issuer')],
  ['fees', false, ({ has }) => has('fee')],
  ['reserve', false, ({ has }) => has('reserve')],
  [
    'dates',
    true,
    ({ has, any }) =>
      has('when', 'tier') || (has('when', 'pay') && !any('howmuch', 'token', 'receive', 'refund', 'status')),
  ],
  ['dates', true, ({ has, any }) => has('when') && any('start', 'end', 'sale') && !any('receive', 'token')],
  ['dates', false, ({ any }) => any('start', 'end') && any('sale', 'state', 'when') && !any('pay', 'howmuch')],
  ['about', false, ({ has, any }) => has('state') && any('sale') && !any('howmuch')],
  [
    'price',
    false,
    ({ any, has }) =>
      any('howmuch', 'price') && (any('token', 'price', 'tier') || has('howmuch', 'left')) && !any('raised'),
  ],
  ['progress', false, ({ has, any }) => has('raised') && any('howmuch', 'sale', 'raised')],
  ['price', false, ({ any }) => any('tier', 'left')],
  ['verify', false, ({ has }) => has('verify')],
  ['status', false, ({ has }) => has('system')],
  ['support', false, ({ has }) => has('support')],
  ['pay', false, ({ any }) => any('address')],
  ['pay', 'weak', ({ any }) => any('pay')],
  ['dates', false, ({ has }) => has('when', 'sale')],
  [
    'projects',
    false,
    ({ has, text }) => has('sale') && /\b(?:which|what|list|any|all|show|available|are there)\b/i.test(text),
  ],
  ['about', 'weak', ({ any }) => any('sale', 'state')],
];

const HELLO =
  /^(?:hi|hello|hey|good (?:morning|day|evening)|hola|hallo|guten tag|bonjour|salut|ol[áa]|こんにちは)[\s!.,]*(?:there|all|everyone)?[\s!.,]*$/i;
const THANKS =
  /^(?:thanks?|thank you|thx|ty|cheers|great|perfect|gracias|danke|merci|obrigad[oa]|ありがとう)\b[^?]{0,40}$/i;
const SELF =
  /\b(?:who|what) are you\b|\bare you (?:a |an )?(?:human|bot|robot|ai|person|real|chatgpt|gpt|language model)\b|\bwhat can (?:you|i) (?:do|ask)\b|^help[\s!.?]*$/i;
/** Of what a message says, so much must be understood before an answer that is not plainly asked for. */
const ENOUGH = 0.5;
/** The same for an answer that one word of it would fit. */
const NEARLY_ALL = 0.75;

/** The topic that a message plainly asks for; null where none is plain. Pure. */
export function topicOf(
  text: string,
  entities: Entities,
  { concepts, explained }: { concepts: ReadonlySet<string>; explained: number },
): Topic | null {
  if (HELLO.test(text)) return 'hello';
  if (THANKS.test(text)) return 'thanks';
  if (SELF.test(text)) return 'self';
  const has = (...names: string[]) => names.every((name) => concepts.has(name));
  const any = (...names: string[]) => names.some((name) => concepts.has(name));
  // Developers and operators are answered from the guides.
  const isTechnical = any('webhook', 'operator') || (any('developer') && !any('mypayment', 'tag', 'exchange'));
  if (isTechnical && !(has('apikey') && !any('webhook', 'operator'))) return null;
  const asked: Asked = { has, any, entities, text };
  // Nothing but what is to be looked up.
  if (concepts.size === 0 && (entities.wallets.length > 0 || entities.brokenAddress)) return 'payment';
  return (
    RULES.find(
      ([, isSure, fits]) => (isSure === true || explained >= (isSure === 'weak' ? NEARLY_ALL : ENOUGH)) && fits(asked),
    )?.[0] ?? null
  );
}
