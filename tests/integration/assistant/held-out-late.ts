import type { HeldOut } from './held-out.ts';

/** Written after the last training, and tried once: nothing was learnt from these. */
export const LATE: HeldOut = {
  quote: [
    { xrp: 500, said: 'Please tell me the number of tokens that 500 XRP will bring me' },
    { xrp: 35, said: 'whats my haul for 35 xrp' },
  ],
  tier: ['how expensive are your tokens at the minute', 'is there a cheaper tier still running or did it end?'],
  pay: ['I want to take part in the sale but where should the XRP be sent?', 'how 2 join, got xrp in xumm'],
  tag: ['Coinbase says destination tag, what should go in it', 'Do I have to enter some tag? Which?'],
  forgot_tag: [
    'I completely forgot about the destination tag when I paid yesterday',
    'paid with the wrong memo number. refund or lost?',
  ],
  when_tokens: ['after paying, when will I actually own the tokens', 'how quick is token delivery'],
  trustline: [
    'my wallet says I need to set a trust line first. help me with that',
    'what do I have to do with trust lines so I can get DMO',
  ],
  where_payment: [
    'I cannot see my payment anywhere, the hash is {hash}',
    'no tokens have come to {wallet} so far although I paid',
  ],
  sold_out: [
    'what will you do with my XRP if there are no tokens left by then',
    'is my payment returned when the sale is already full',
  ],
  minimum: ['what is the smallest payment that counts', 'can somebody invest as little as 4 XRP'],
  refund: [
    'I would like to reverse my investment, is that possible?',
    'can u send the xrp back i dont want it anymore',
  ],
  api_key: ['I need credentials to access the API from my server', 'where can I make an API key for testing'],
  signature: [
    'how should my backend check the webhook signature',
    'the signature in the header is different from the one I compute',
  ],
  webhook_retry: [
    'the webhook was delivered more than once, is this normal',
    'what happens to a webhook when my endpoint returns 503',
  ],
  platform_id: ['could you tell me what Platform IDs are for', 'is there any advantage to a Platform ID'],
  get_platform_id: [
    'I want a Platform ID for my wallet, what should I do',
    'how long and what does it take to obtain a Platform ID',
  ],
  status: ['are there any problems with the platform at the moment', 'is it just me or is the site not responding'],
  holders: [
    'how many accounts currently hold DMO and who is the biggest',
    'show the distribution of the token among its holders',
  ],
  reserve: ['how much XRP is locked up as reserve in each account', 'why is my spendable XRP less than my balance'],
  advice: ['do you think I should put my money into DMO', 'will the token price go up after the sale ends'],
  none: [
    'what should I cook tonight',
    'tell me the distance to the sun',
    'how can I learn the piano',
    'who is the mayor of Berlin',
    'translate this into Dutch',
  ],
};
