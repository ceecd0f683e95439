/** What the answers to a question must hold: taken from the API's own verbs, never written down. */
export interface Figures {
  quote500: string[];
  tier: string[];
  address: string;
  tag: string;
  refundMin: string;
  trustLine: string[];
  payment: string[];
  left: string;
  minimum: string;
  reserve: string[];
  holders: string[];
  status: string;
  raised: string[];
}

/** The twenty likeliest questions, each with other wordings of it, and what every answer must hold. */
export const questions = (hash: string, wallet: string): [string[], (figures: Figures) => string[]][] => [
  [
    [
      'What does 500 XRP buy now?',
      'if i put in 500 xrp what do i end up with',
      '500xrp = how many DMO',
      'how mny tokens for 500 XRP',
      'what would five hundred XRP get me right now',
      'Half a thousand XRP, how much is that in your coin?',
    ],
    ({ quote500 }) => quote500,
  ],
  [
    [
      'Which tier are we in?',
      'what teir is active',
      'at what stage is the sale currently',
      'how much is a token at the moment',
      'current price pls',
    ],
    ({ tier }) => tier,
  ],
  [
    [
      'How do I pay?',
      'how can i buy in',
      'what are the steps to particpate',
      'walk me through the purchase',
      'how do I pay and what tag?',
    ],
    ({ address, tag }) => [address, tag],
  ],
  [
    [
      'What tag?',
      'destnation tag?',
      'which memo number must I enter',
      'do I have to fill in the tag field',
      'whats the tag i need to use',
    ],
    ({ address, tag }) => [address, tag],
  ],
  [
    [
      'What if I forget the tag?',
      'i paid without teh destination tag, is my xrp gone',
      'sent XRP but left the memo empty',
      'entered the wrong tag!!',
      'what happens to payments with no tag',
    ],
    ({ tag, refundMin }) => [tag, refundMin, 'goes back'],
  ],
  [
    [
      'When do I get tokens?',
      'how long does delivery of the tokens take',
      'when will the coins be in my wallet',
      'are tokens sent out right away or after the sale',
      'wen tokens',
    ],
    () => ['as soon as your payment is confirmed'],
  ],
  [
    [
      'What is a trust line and how do I set it?',
      'explain trustlines please',
      'how to opt in for the token in my wallet',
      'trust line setup',
      'do i need to add a trusline before buying',
    ],
    ({ trustLine }) => trustLine,
  ],
  [
    [
      `Where is my payment ${hash}?`,
      `can you locate my transaction ${hash.toLowerCase()}`,
      `did my transfer go through? ${wallet}`,
      `haven't recieved my tokens yet, my address is ${wallet}`,
      `i sent xrp an hour ago from ${wallet} and nothing happend`,
    ],
    ({ payment }) => payment,
  ],
  [
    [
      'What happens if it sells out?',
      "what if there's nothing left when my payment comes in",
      'if everything is sold before mine arrives do i lose it',
      'suppose everything is sold before my payment lands',
      'oversubscribed - what then',
    ],
    ({ left, refundMin }) => [left, refundMin, 'goes back'],
  ],
  [
    [
      'Is there a minimum?',
      'whats the least i can put in',
      'smallest investment possible',
      'min amount?',
      'what is the entry ticket',
    ],
    ({ minimum }) => [minimum],
  ],
  [
    [
      'Can I get a refund?',
      'i want my XRP back',
      'is it possible to cancel after paying',
      'how can i undo my investment',
      'changed my mind, money back?',
    ],
    ({ refundMin, minimum }) => [refundMin, minimum, 'cannot be taken back'],
  ],
  [
    [
      'How do I make an API key?',
      'where can i generate credentials for the api',
      'need an apikey',
      'get me started with api access',
      'creating a new developer key',
    ],
    () => ['POST /api/api-keys/create', '/api/api-keys/create -H', 'Authorization: Bearer'],
  ],
  [
    [
      'How do I verify a signature?',
      'how can I tell that a webhook really came from you',
      'validating the hmac header',
      'check X-Platform-Signature in node',
      'webhok signature verfication',
    ],
    () => ['X-Platform-Signature', 'createHmac', 'timingSafeEqual'],
  ],
  [
    [
      'Why was my webhook retried?',
      'same event delivered 3 times to my endpoint, why',
      'why do you keep resending the callback',
      'after how long are failed deliveries tried again',
      'duplicate notifications on my server',
    ],
    () => ['2xx', '| 5 s | 25 s | 2 min | 10 min | 1 h | 6 h |'],
  ],
  [
    [
      'What is a Platform ID?',
      'whats a PID',
      'explain this platform id thing',
      'what do i need the platform id for',
      'platfrom id meaning',
    ],
    () => ['PID-XXXX-XXXX'],
  ],
  [
    [
      'How do I get a Platform ID?',
      'how can i obtain a platform id',
      'create platform id for my wallet',
      'am I elligible for a platform id',
      'where do i sign up for a PID',
    ],
    () => ['POST /api/platform-id/generate'],
  ],
  [
    [
      'Is the system up?',
      'are you guys down',
      'is everythng running fine',
      'any outages?',
      'does the platform work at the moment',
    ],
    ({ status }) => [status],
  ],
  [
    [
      'Who are the holders?',
      'how many people hold the token',
      'which wallets own the most',
      'biggest bag holders',
      'how is the token distributed among owners',
    ],
    ({ holders }) => holders,
  ],
  [
    [
      "What is XRP's reserve?",
      'how much xrp do i need to leave in my account',
      'why cant i spend my last XRP',
      'cost of activating a wallet',
      'how many xrp are locked for a trust line',
    ],
    ({ reserve }) => reserve,
  ],
  [
    [
      'Is this a good investment?',
      'should I put my savings into this',
      'will this token moon',
      'whats the price going to be next year',
      'is it worth buying',
    ],
    ({ raised }) => ['no investment advice', ...raised],
  ],
];
