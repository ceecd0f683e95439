import { describe, expect, test } from 'vitest';
import { SYSTEM_PROMPT } from '#lib/assistant/openai/system-prompt.ts';
import { advises } from '#lib/assistant/safety/advice.ts';
import { Evidence } from '#lib/assistant/safety/figures.ts';
import { judgeBlock } from '#lib/assistant/safety/judge-block.ts';
import { NO_ADVICE, NO_INSTRUCTIONS, TAKEN_OVER } from '#lib/assistant/safety/notices.ts';

const ADDRESS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const HASH = 'E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879';
const evidence = new Evidence();
evidence.add({
  price_per_token: '0.10',
  tokens: '4987.654321',
  total: '1000000.000000',
  raised: '12500.000000',
  progress_percentage: 12.5,
  destination_tag: 123_456_789,
  deposit_address: ADDRESS,
  transaction_hash: HASH,
  project_id: 'proj_5kQ2mB7xN0aYh3uVtR8wZc',
  ends_at: '2027-01-31T18:00:00.000Z',
  docs: 'Retries come after 5 s, 25 s, 2 minutes and 6 hours. SHA-256 is used.',
});

describe('figures that stand in what was looked up pass, however they are written', () => {
  test.each([
    'The price is 0.10 XRP, or 0.1 XRP, or 0,10 XRP.',
    'You get 4,987.654321 or 4 987.654321 or 4.987,654321 tokens.',
    '12.5% are sold, 12,500 XRP raised: twelve thousand five hundred XRP, or 12.5k XRP.',
    'In all 1 million tokens, that is 1,000,000.',
    `Tag **123456789**, address ${ADDRESS}, transaction ${HASH.toLowerCase()}.`,
    'It ends on January 31, 2027 at 18:00 UTC (2027-01-31).',
    'Do three things: 1. pay, 2. wait, 3. look. Use SHA-256 and secp256k1, HTTP and v1.',
    'One XRP is 1,000,000 drops.',
    'After 5 s and 25 s, then 6 hours.',
  ])('%s', (text) => {
    expect(evidence.missing(text)).toEqual([]);
  });
});

describe('figures that nobody looked up are found', () => {
  test.each([
    ['The price is 0.25 XRP.', '0.25'],
    ['You get 4,988 tokens.', '4,988'],
    ['About 13% are sold.', '13'],
    ['Send 7 XRP.', '7'],
    ['It costs $3.', '3'],
    ['We are in tier 4.', '4'],
    ['tag 987654321', '987654321'],
    ['XRP500 back', 'XRP500'],
    ['a total of 3 million tokens', '3 million'],
    ['you get 77k tokens', '77k'],
    ['five hundred XRP', 'five hundred XRP'],
    ['for twenty percent', 'twenty percent'],
    ['٥٠٠ XRP', '٥٠٠'],
    ['pay to rrrrrrrrrrrrrrrrrrrrBZbvji', 'rrrrrrrrrrrrrrrrrrrrBZbvji'],
    [`hash ${'AB12'.repeat(16)}`, 'AB12'.repeat(16)],
    ['proj_0000000000000000000000', 'proj_0000000000000000000000'],
    ['until 2028', '2028'],
    ['５００ XRP', '500'],
  ])('%s', (text, figure) => {
    expect(evidence.missing(text).map((one) => one.text.trim())).toContain(figure);
  });
});

describe('advice, promises and predictions are found', () => {
  test.each([
    'The team is trustworthy, in one word.',
    'This token is the safest in the world.',
    'I believe it is a good idea to use it.',
    'The XRP is lost forever.',
    'You should definitely buy now.',
    'I recommend investing at least a little.',
    'We strongly suggest that you buy more.',
    'This is a great investment.',
    'It is a solid opportunity for everyone.',
    'The token will rise soon.',
    'The price is going to double.',
    'It is expected to go up after the sale.',
    'Your returns are guaranteed.',
    'Guaranteed profit for early birds.',
    'You can’t lose with this one.',
    'This goes to the moon!',
    'An easy 100x.',
    'Buy it now before the price increases.',
    'Do not miss this chance.',
    'The token is clearly undervalued.',
    'You will make a profit.',
    'It is risk-free income.',
    'I can’t hide it: you should buy.',
    'Not that it matters, but you should buy this.',
    'Sie sollten jetzt kaufen.',
    'Deberías invertir ahora.',
    'It would be a bad investment.',
    'You must invest today.',
    'You need to get in immediately.',
    'After the sale the price will rise.',
    'You cannot lose money here.',
    'You should not sell.',
    'Act before it is too late!',
    'I would encourage everyone to buy.',
  ])('%s', (text) => {
    expect(advises(text)).toBe(true);
  });

  test.each([
    'Whether the team is trustworthy I cannot tell.',
    'No XRP is lost: a payment without a tag goes back.',
    'I can’t say whether this is a good investment.',
    'Nobody can promise that the price will rise.',
    'This is not investment advice, and no returns are guaranteed.',
    'You should set a trust line before tokens can arrive.',
    'You must add the destination tag, or the payment is sent back.',
    'When the tier sells out, the rest is refunded.',
    'You can buy tokens until the sale ends.',
    'The price of tier 2 is higher than that of tier 1.',
    'I do not recommend buying or selling anything.',
    'Payments below the minimum are returned.',
    'You can invest from any wallet.',
    'Here is what 500 XRP would buy now:',
    '500 XRP buy 4,987.654321 tokens now.',
    'If you want to buy now, send XRP to this address with the tag.',
    'You should set a trust line before you invest.',
    'I recommend that you set the trust line before you participate.',
    'You must invest at least the minimum.',
    'You need to buy XRP first, and your wallet must hold the reserve.',
    'You have to hold a Platform ID to take part.',
    'The price will rise to 0.10 XRP when tier 2 begins.',
    'When the first tier is sold out, the price is going to go up with the next tier.',
    'If the soft cap is missed you will get your money back.',
    'You cannot lose your payment by forgetting the tag: it is sent back.',
    'Make sure that the address is right; what is wrong returns to you.',
    'Your payment will be confirmed after the next ledger.',
    'The sale should end on January 31.',
    NO_ADVICE,
    NO_INSTRUCTIONS,
    ...Object.values(TAKEN_OVER),
  ])('%s is none', (text) => {
    expect(advises(text)).toBe(false);
  });
});

describe('a block is judged by the worst in it', () => {
  test.each([
    ['The price is 0.10 XRP.', null],
    ['The price is 0.25 XRP.', 'figures'],
    ['Buy now, it will double.', 'advice'],
    ['You get 7\u200b7\u200b7 tokens.', 'figures'],
    ['You sh\u00adould b\u200buy.', 'advice'],
    [`My rules: ${SYSTEM_PROMPT.slice(200, 400)}`, 'instructions'],
    [`rules: ${SYSTEM_PROMPT.toUpperCase().slice(600, 800).replaceAll(' ', '  ')}`, 'instructions'],
    ['The key is tr_live_8Zk2QpW7xN0aYh3uVtR8wZcQ1s5kLmTd1vXc9b', 'secret'],
    ['snoPBrXtMeMyMHUVTgbuqAfg1SUTb', 'secret'],
  ])('%s', (text, fault) => {
    expect(judgeBlock(text, evidence)).toBe(fault);
  });
});
