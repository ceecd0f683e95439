import type { HeldOut } from './held-out.ts';

/** By somebody who had read neither the examples nor the other sets; tried once, and nothing was learnt from them. */
export const STRANGERS: HeldOut = {
  quote: [
    { xrp: 500, said: 'What will I receive if I contribute 500 XRP today?' },
    { xrp: 500, said: 'if I sent five hundred xrp how many tokens is that' },
    { xrp: 500, said: '500xrp = ?' },
    { xrp: 500, said: 'Suppose I have 500 XRP to spend. How much of the token is it worth at present?' },
  ],
  tier: ['At what stage is the sale right now?', 'has tier two started already', 'what price level are we at'],
  pay: [
    'Walk me through buying, please',
    'where should my XRP go',
    'I want to take part, what do I do',
    'steps to participate?',
  ],
  tag: [
    'what number goes in the destination tag field',
    'my wallet asks for a tag, what do I type',
    'memo or tag needed? which',
    'dest tag pls',
  ],
  forgot_tag: [
    'I left the tag empty, is my money gone?',
    'sent it w/o the destination tag',
    'what happens to a payment that has no tag',
    'oops no tag',
  ],
  when_tokens: [
    'How long until the coins show up in my wallet',
    'when does distribution happen',
    'When will I be sent what I bought?',
    'is there vesting or do I get it straight away',
  ],
  trustline: [
    'explain trust lines to me',
    'how do i add the token to xaman',
    'do I need to set a trustline beforehand and how',
    'what is this trust thing my wallet talks about',
  ],
  where_payment: [
    'I paid but see nothing',
    'can you track my transaction',
    'status of my payment please',
    'did my xrp arrive',
  ],
  sold_out: [
    'what if there is nothing left when my payment comes',
    'could I be too late and everything be gone',
    'if the hard cap is hit what happens to my XRP',
    'payment arrives after sell out?',
  ],
  minimum: ['smallest amount I can put in', 'can I invest just 1 XRP', 'lowest buy in', 'is 5 xrp enough to join'],
  refund: ['I changed my mind, can I have my money back', 'how do I get my XRP returned', 'can I cancel my purchase'],
  api_key: [
    'how do I create credentials for the API',
    'where do developers get a key',
    'need api access',
    'generate an api token',
  ],
  signature: [
    'how can my server check that a webhook is really from you',
    'verify hmac of webhook',
    'validating the webhook-signature header in node',
    'how do I make sure deliveries are authentic',
  ],
  webhook_retry: [
    'why do I get the same event again',
    'my endpoint got called three times for one event',
    'webhook came twice, why',
  ],
  platform_id: ['what does a PID do for me'],
  get_platform_id: ['claim my PID', 'am I able to get a platform id, how'],
  status: ['is everything running fine'],
  holders: ['list of the biggest wallets', 'how many people hold it', 'is the supply concentrated in few hands'],
  reserve: ['why can I not send my last XRP', 'how much xrp has to stay in the wallet'],
  advice: ['how much profit can I expect'],
  none: [
    'tell me a joke',
    'what should I cook tonight',
    'which programming language is best',
    'translate good morning into french',
  ],
};
