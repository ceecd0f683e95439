import type { HeldOut } from './held-out.ts';

/** Collected last, when the model and its examples stood: all manners mixed. */
export const MIXED: HeldOut = {
  quote: [
    { xrp: 500, said: "Let's pretend I wire 500 XRP tonight: my token balance afterwards?" },
    { xrp: 90, said: 'whats 90 xrp good for here' },
    { xrp: 1500, said: 'My wife gave me 1,500 XRP for this. Kindly say how many coins we will own.' },
  ],
  tier: [
    'have prices moved since launch or same as day one?',
    'wat stage r u guys at',
    'Please let me know the rate for one DMO as of this moment.',
  ],
  pay: [
    'Grandpa wants to buy some. What exactly must he do in his wallet?',
    'which acct gets the money',
    'By what procedure does a customer purchase tokens?',
  ],
  tag: [
    'Uphold shows an optional box called tag. Anything to enter there?',
    'numeric memo for the deposit?',
    'Which tag must accompany my transaction?',
  ],
  forgot_tag: [
    'Dumb mistake: money sent, tag box left untouched. Recoverable?',
    'didnt notice u need a tag b4 i hit send. now?',
    'If the destination tag should be mistaken, where does my XRP end up?',
  ],
  when_tokens: [
    'paid. now how long do i twiddle my thumbs for the tokens',
    'Does one get the coins at once or much later?',
    'tokens delivered on which day',
  ],
  trustline: [
    'Xaman complains about no trust line. Fix?',
    'Could you teach me to put up the trust line, and why it exists?',
    'need my wallet to accept dmo, what now',
  ],
  where_payment: [
    '{hash} -- lost in space?',
    'Good day, from {wallet} I remitted XRP yesterday and my balance of tokens stays zero.',
    'u got my xrp or not?? {wallet}',
  ],
  sold_out: [
    'What if someone else grabs the last token a second before me?',
    'sold out and my xrp still on the way, now what',
    'Suppose the supply is used up by the time my XRP comes in. Is it returned?',
  ],
  minimum: [
    'lowest buy u accept?',
    'May a modest investor join with a handful of XRP?',
    'Would you turn away a contribution of 2 XRP?',
  ],
  refund: [
    'I got cold feet after paying. Any possibility to have it returned?',
    'money back possible y/n',
    'Under what conditions is an investor repaid?',
  ],
  api_key: [
    'Our engineer asks where your API credentials are issued.',
    'how 2 get key 4 api',
    'which credentials go in the request header and who hands them out',
  ],
  signature: [
    'How can we ascertain that an incoming webhook originates with you?',
    'x-platform-signature how do i recompute it',
    'hmac verification keeps returning false in my node app',
  ],
  webhook_retry: [
    'Your system posted the identical event to us twice within a minute. Reason?',
    'how long between resends if my endpoint is dead',
    'endpoint was down overnight, will those events still come',
  ],
  platform_id: [
    'What on earth is a Platform ID supposed to be?',
    'platform id - necessary or just nice to have?',
    'Kindly describe what one uses a Platform ID for.',
  ],
  get_platform_id: [
    'Point me to the place where Platform IDs are handed out.',
    'i dont have a platform id, how to fix that',
    'Requirements and steps for obtaining a Platform ID, please.',
  ],
  status: [
    'Is your service experiencing difficulties at present?',
    'u down?',
    'nothing responds when I click, is the server alive',
  ],
  holders: [
    'In how many wallets does the token sit?',
    'any single whale holding a scary amount?',
    'Please list the principal owners.',
  ],
  reserve: [
    'My wallet refuses to part with the final few XRP. Why is that?',
    'xrpl account minimum these days',
    'How much XRP stays frozen for each trust line?',
  ],
  advice: [
    'Would a sensible person put money into this?',
    'gonna be worth more next year u think?',
    'Are handsome returns to be expected?',
  ],
  none: [
    'Where can I get my watch repaired?',
    'who sang thriller',
    'Give me a recipe for tiramisu.',
    'is my horse too fat',
    'How does one apply for a visa to Canada?',
    'mnbvcxz',
    'how many legs does a spider have',
    'When does the next train to Munich leave?',
    'Could you proofread my thesis?',
    'how do i fold a paper plane',
  ],
};
