import type { HeldOut } from './held-out.ts';

/** Long, indirect and unusual ways to ask. */
export const INDIRECT: HeldOut = {
  quote: [
    { xrp: 500, said: 'Assuming I part with 500 XRP today, roughly what lands on my side?' },
    { xrp: 45, said: 'only 45 xrp left on my ledger, what would they fetch me' },
    { xrp: 2500, said: 'hello! our club pooled 2,500 XRP. how many tokens is that for the club?' },
  ],
  tier: [
    'I keep hearing about tiers, which is the one on right now?',
    'how soon will it cost more than it does today',
    'I would like to understand at which of your price steps we currently stand.',
  ],
  pay: [
    'My sister talked me into this. Where do I begin with the payment?',
    'Sitting in front of Xaman with XRP ready. Next move?',
    'whats the deposit address again',
  ],
  tag: [
    'Does your sale use one of these destination tag numbers, and what is it?',
    'kraken form: "XRP tag (required)". fill with?',
    'pls send tag',
  ],
  forgot_tag: [
    'The clerk at our office knew nothing of a tag and simply sent the XRP.',
    'transferred w/o tag am i cooked',
    'The tag I copied was one digit short. Will the platform still recognise the payment?',
  ],
  when_tokens: [
    'If I pay before lunch, will I hold the tokens by dinner?',
    'do u drop the coins instantly',
    'Could you tell me the schedule on which purchased tokens are released?',
  ],
  trustline: [
    'An error pops up saying I lack a trust line. What should I do about it?',
    'trustline for dummies',
    'Before the tokens can arrive, is there something my wallet has to be configured for?',
  ],
  where_payment: [
    'I want to trace {hash}, can you?',
    'its been ages since i paid from {wallet} wheres my stuff',
    'Has anything been booked for {wallet}?',
  ],
  sold_out: [
    'Suppose I am the last in line and the pot is empty, will my coins return to me?',
    'ur supply ends mid tx, what happens to the xrp',
    'What becomes of the part of my payment that exceeds the remaining tokens?',
  ],
  minimum: [
    'Could a schoolteacher with 7 XRP take part, or is that below your limit?',
    'tiniest amount possible?',
    'How much at the very least does one have to put down?',
  ],
  refund: [
    'My circumstances have changed since I paid. May I take my XRP out again?',
    'yo i want a takeback',
    'Do you reimburse buyers who no longer wish to hold the token?',
  ],
  api_key: [
    'Where would our IT department request a key to your interface?',
    'api key wya',
    'I keep reading "Authorization: Bearer" in the docs, how do I get hold of such a bearer?',
  ],
  signature: [
    'A stranger could post invented events to our URL. How do we notice?',
    'sig check on webhooks in nodejs, got sample?',
    'I hash the JSON with my whsec but the result never equals the header.',
  ],
  webhook_retry: [
    'Our logs hold five copies of one single event. Explain, please.',
    'webhook fails -> how many more chances',
    'We deploy for ten minutes each night. Will notifications sent in that window be repeated?',
  ],
  platform_id: [
    'My neighbour brags about his Platform ID. What has he got there?',
    'platform id, in one sentence?',
    'I fail to see what a Platform ID is supposed to do for an investor.',
  ],
  get_platform_id: [
    'My wallet still lacks a Platform ID. Which button do I press?',
    'platform id signup link',
    'Which formal steps lead to a Platform ID?',
  ],
  status: [
    'Has anything stopped working over there today?',
    'website borked?',
    'Do all parts of the platform work as they should?',
  ],
  holders: [
    'I would love to see how ownership of DMO is split up.',
    'whales in here?',
    'Can you name the count of addresses which keep this token?',
  ],
  reserve: [
    'Why is a slice of my XRP greyed out in the wallet?',
    'how much xrp cant i touch',
    'What does the ledger demand as a standing balance per account?',
  ],
  advice: [
    'If you were my grandson, would you tell me to buy?',
    'can i get rich quick w this',
    'Will holders be better off in three years?',
  ],
  none: [
    'Which bus goes to the harbour?',
    'how long should i boil potatoes',
    'Compose a limerick about a fox.',
    'did the lakers win',
    'How can I make my hair grow faster?',
    'What does the word "serendipity" mean?',
    'my neighbours are too loud at night',
    'wwwwwwww',
    'How do I sharpen a kitchen knife?',
  ],
};
