/**
 * Words and phrases that mean the same to a question about a sale, by the one word that stands for them. A phrase counts
 * before its words. Matching is by stem, so one form of a word is enough.
 */
export const LEXICON: Readonly<Record<string, string>> = {
  // Things
  trustline:
    'trust line|trustline|trust-line|trust lines|trustlines|trustset|trust set|token line|opt in|mptokenauthorize|trust|trust the issuer|token setup|currency line|iou line',
  tag: 'tag|destination tag|dest tag|dt|dtag|memo|destination number|payment reference|reference number|payment id|memo id|number do i put',
  apikey:
    'api key|apikey|api-key|api keys|access key|developer key|api token|access token|api credential|api credentials|dev key|key for the api|bearer token|credentials|auth key|credential|tr_live|key to use your api|api access|scope|scopes|developer account|developer access|secret token|login for the api|api login|auth token|authorization header|new key|key|keys|header for the key|get a key|key issued|do i authenticate|i authenticate|authenticate with|authenticate against',
  webhook:
    'webhook|hook|callback|web hook|webhooks|endpoint|receiver|notification|notifications|push|notified|notify|get notified|webhook delivery|post request|http post|my url|listener|our server|our endpoint|our receiver|our logs|our listener|my server|answered 200|returned 200|responded 200|http 200|status 200|2xx|we answered|we returned|we responded|we replied',
  signature:
    'signature|hmac|x-platform-signature|webhook-signature|signed|sign|authenticity|genuine|forged|fake|spoofed|authentic|tampered|really from you|really comes from you|actually came from you|came from you|comes from you|authenticate webhook|authenticate a webhook|authenticate webhooks|legit webhook|trust the webhook|webhook authenticity|integrity|hash of the body|not from a hacker|impersonate|impostor|validate the payload|verify the payload|computed hash|my hash|own hash|hash does not match|hash in the header|authentic event',
  verify: 'verify|validate|check|verification|authenticate|confirm that|make sure|prove',
  retry:
    'retry|retried|retries|resend|resent|repeat|repeated|duplicate|duplicates|same event|redeliver|redelivery|over and over|reattempt|keep getting|keeps sending|keep sending|failed delivery|failing delivery|failed webhook|redelivered|backoff|back off|attempt|attempts|schedule of retries|retransmit|try again|tries again|tried again|trying again|pauses|intervals|sent it again|send it again|sends it again',
  platformid:
    'platform id|platform-id|pid|platformid|platform identity|platform identification|platform ids|identity|platform name|platform-ids|platform ident|platform identifier|platform tag id|your id thing|id|ids',
  holders:
    'holder|holders|token holders|owner|owners|whale|whales|top 10|top ten|biggest|distribution of tokens|token distribution|concentration|rich list|richlist|shareholder|shareholders|largest|gini|who owns|who holds|who has the tokens|how many wallets|how many people hold|share|stake|portion|bag holder|bag holders|bag|own|owns|owned|held by|hold the most|concentrated|distribution of holders|holder distribution|wallet distribution|cap table|holder list|who all has|token ownership|ownership|hold the token|hold the tokens|have the most tokens|has the most tokens|hold this token|accounts hold|wallets hold|people hold|has the most|have the most|got the most|owns the most|own the most',
  reserve:
    'reserve|reserves|minimum balance|base reserve|owner reserve|min balance|keep in my wallet|stay in my wallet|left in my wallet|keep in the wallet|leave in my wallet|leave in the wallet|account activation|activation cost|activation fee|unspendable|set aside|remain on my|remain in my|stay on my|keep on my|leave on my|spend all|send all|all my xrp|whole balance|entire balance|last xrp|empty my wallet|full balance|keep|spend my last|must remain|has to remain|can i not spend|not spend|not touch|not use all|has to hold|have to hold|must hold|must be held|needs to hold|has to keep|has to contain|must contain|account must have|account has to have',
  tier: 'tier|tiers|stage|phase|round|level of the sale|price level|bracket|xtier|level|levels',
  price:
    'price|cost|rate|priced|expensive|cheap|how much is one|per token|exchange rate|token price|costs|going for|price tag|valuation|selling for|sell for|sold for|unit price',
  token: 'token|tokens|coin|coins|asset|units',
  xrp: 'xrp|ripple|xrps|xrpl coin',
  money: 'money|fund|funds|cash',
  payment:
    'payment|transaction|transfer|deposit|tx|txn|contribution|remittance|transactions|transfers|transaction id|tx id|txid',
  wallet:
    'wallet|wallets|xwallet|account|my address|my wallet|my account|wallet address|my wallet address|my address is',
  address: 'address|which address|deposit address|send to|send it to',
  sale: 'sale|ico|crowdsale|project|launch|offering|presale|token sale|ido|fundraiser|projects|sales|project id|sale id',
  exchange:
    'binance|coinbase|kraken|bitstamp|uphold|bybit|okx|kucoin|exchange|exchange account|custodial|cex|trading platform|bitfinex|crypto.com|robinhood|revolut|hosted wallet|from an exchange',
  terms: 'terms|conditions|contract|terms hash|smart contract',
  issuer:
    'issuer|issuing account|team|creator|clawback|claw back|clawed back|freeze|frozen|mint|take back|take away|seize|confiscate|print more|inflate|take my tokens|rug|rugpull|rug pull|blackholed|black holed|dilute|create more|issue more|token issue',
  allowlist:
    'allowlist|whitelist|allow list|white list|kyc|allowed list|whitelisted|allowlisted|eligible to buy|permitted|admitted|who can buy|who may buy|who can take part|who can participate|am i allowed|open to everyone|open for everyone|open to anyone|restricted|restricted to|can anyone',
  vesting:
    'vesting|vest|vested|cliff|released in parts|installment|instalments|installments|lockup period|lock up period|unlock schedule',
  softcap:
    'soft cap|softcap|goal|funding goal|not enough is raised|hard cap|hardcap|fails to raise|does not reach|not reached|misses its target|target|fall short|falls short|sale fails|sale fail|raise enough',
  cancel: 'cancel|cancelled|canceled|cancellation|called off|call off|abort|aborted',
  fee: 'fee|fees|commission|charge|gas|network fee|transaction cost|surcharge',
  status: 'status|health',
  working:
    'up|down|online|offline|outage|working|operational|running|healthy|broken|crashed|uptime|maintenance|reachable|issues|incident|everything ok|everything okay|all good|live system|functional|works right now|problems right now|problems with the platform|having problems|unavailable|fully working|technical problem|technical problems|technical issue|technical difficulties|glitch|glitches|service disruption|disruption|responding|not responding|slow today|lagging|frozen site|hiccups|something wrong with|anything wrong with|wrong with your',
  system: 'system|platform|site|service|server|website|app|backend|servers|api|tranche|your endpoints',
  // Acts
  pay: 'pay|invest|send|participate|join|contribute|take part|put in|get in|buy in|paid|fund it|participation|paying|investing|sending|make a payment|put money|pay in|pay into|buy tokens|buy some|buy the token|purchase tokens|buy your token|get involved|steps|instructions|walk me through|guide me|guide me through|show me how|teach me|talk me through|get in on|be part of|deposit xrp|deposit the xrp|deposit my xrp|transfer xrp|transfer my xrp|get started|getting started|procedure|hop in|chip in|deposit funds|send funds|transfer funds|send money|hand over|process of buying|buying process|count me in|i am in',
  buy: 'buy|purchase|get me|buys|bring me|swap|convert|equivalent|gives me|give me|yield|come out to|translate to|amount to|how many tokens|how many coins|how much would i get|how much do i get|how many do i get|how many would i get|how many will i get|how much will i get|what do i get|what would i get|what will i get|bang|worth of|exchanged for|for my|turn into|end up with|end up|wind up with|translate into|come to|would be|exchange for|trade for|in return|count of tokens|token count|token amount|number of tokens|amount of tokens|token quantity|walk away with|come away with|leave with|come out with',
  receive:
    'receive|get|arrive|land|come|sent out|distributed|distribution|credited|paid out|show up|obtain|payout|handed out|delivered to|released|drop|airdropped|claim|send me|sends me|send out|in my possession|in my hands',
  sent: 'i sent|i paid|i have sent|i already sent|i have paid|already paid|i made a payment|i did pay|i already paid|just paid|just sent|sent it|i bought|been paid|has been sent|ago|yesterday|hours ago|this morning|last night|minutes ago|days ago|earlier today',
  missing:
    'missing|lost|nothing arrived|not arrived|never arrived|not received|did not receive|have not received|havent received|not here|disappeared|vanished|gone|no tokens|nothing yet|not yet|still waiting|nothing happened|stuck|pending|not showing|does not show|did not arrive|did not get|not get|never got|have not got|nowhere|did not show up|nothing came|locate|track|trace|tracking|where are my|did you receive|did you get|whereabouts|has my|did my|went through|gone through|go through|received my|receive my|look up|lookup|find my|nothing|nothing there|no sign|still no|no coins|not see|can not see|do not see|no trace|not there|not visible|not appear|not come|no tokens in my wallet|any news|no news|not received so far|whatever happened|got nothing|no show|absent|where did it go|what happened to my|swallowed|eaten|hanging|unprocessed|processed|went wrong|go wrong|confirmed yet|arrived yet|zero tokens|empty wallet|what happened with my|happened with my|happening with my',
  forgot:
    'forgot|forget|forgotten|without|left out|leave out|left off|omit|omitted|skip|skipped|left it out|wrong|mistyped|typo|incorrect|left blank|empty|mistake|neglect|misspelled|messed up|not use|not used|did not use|without using|bad|false|another tag|different tag|other tag|old tag',
  soldout:
    'sold out|sale full|full sale|sell out|sells out|sellout|run out|runs out|ran out|fully sold|fully subscribed|oversubscribed|all gone|all sold|none left|no tokens left|nothing left|too late|exhausted|everything is gone|everything is sold|filled up|oversold|no more tokens|fills up|is full|gets full|all tokens are sold|everything sells|tokens are gone|before me|before mine|everything|snapped up|snap up|grab everything|first come|too slow|late|bought up|all bought|completely sold|nothing more to buy|sold through|supply is gone|supply runs dry|out of stock|fully allocated|fully booked|last tokens|buys no tokens|everything bought|everything has been bought|buys nothing',
  minimum:
    'minimum|min|least|smallest|lowest|at least|minimal|how little|too little|too small|as little|small amount|floor|threshold|enough|only|with just|for just|start with|just|entry|ticket size|tiny|lower limit|minimum investment|minimum amount|low|lower|little|small|bound|lower bound|not much|cheapest|starting amount|bare minimum|start small|small sum|at minimum|low end|penny|modest|entry level|entry point|buy in amount|from how many|from how much|how less',
  maximum:
    'maximum|max|most|largest amount|upper limit|cap|at most|wallet cap|wallet limit|limit|how much at most|highest|limits per wallet|per wallet|per person',
  refund:
    'refund|money back|xrp back|get back|get it back|get my xrp back|get my money back|get them back|give back|refunded|refundable|return|reverse|undo|withdraw|chargeback|change my mind|changed my mind|pull out|reimburse|reimbursement|back out|take it back|sent back|send back|funds back|my xrp back|regret|revoke my investment|backing out|cash back|opt out|reversible|irreversible|revocable|take back my xrp|my money back|not want|no longer want|any more|anymore|give it back|give me back|backsies|recover my xrp|get rid of|reclaim|recall|rescind|void',
  overpay:
    'too much|overpay|excess|change|leftover|left over|surplus|remainder|overpaid|rest of my|bigger than|larger than|exceed|exceeds|more than remains|more than what|more than there is',
  create:
    'create|make|generate|set up|setup|register|sign up|issue me|get hold of|apply|get a|get an|get one|get my|provide me|mint my|sign me up',
  set: 'set|add|establish|enable|configure|put up|switch on',
  define:
    'what is|what are|what does|explain|meaning|mean|definition|what exactly|tell me about|describe|what do you mean|what the hell is|purpose|purpose of|whats|eli5|definition of|used for|good for|what for|stand for|understand|for dummies|define',
  advice:
    'good investment|worth it|recommend|advice|advise|profit|profitable|make money|roi|moon|price prediction|predict|prediction|safe investment|guaranteed|guarantee|rich|10x|100x|double my|future price|price target|potential|bullish|bearish|smart move|worth buying|worth investing|good idea|bad idea|scam|legit|legitimate|trustworthy|risky|risk|risks|gain|gains|earn|earnings|good buy|good deal|will i lose|lose money|lose my money|win|pump|next year|next month|in the future|price going|price be|be worth|savings|going to be|undervalued|overvalued|speculation|wise|smart|opinion|think of this|think about this|worth in|would you buy|would you invest|forecast|when lambo|lambo|yield on|good time|right time|best time|good moment|smart thing|good choice|regret it|expect returns|what returns|in value|lose value|gain value|worth more|more valuable|make a profit|good for my money|trust this project|trust the project|trust this sale|trust this token|trust the team|chance|chances|odds|double|triple|skyrocket|pay off|paying off|worthwhile|fomo|dump|hype|bubble|long term|short term|multiply|fortune|millionaire|promising|future of|how likely|now the time to|make a fortune|your own money|would you put',
  verifysale:
    'fair|fairness|verify the sale|verify this sale|verify sale|verify-sale|audit|transparent|transparency|check the sale|prove the sale|proof|rigged|cheat|cheating|honest|tampered with the sale|manipulated|independently|recompute|trust the results|trust you|verifiable|auditable|auditability|favouritism|insiders',
  resale:
    'sell my|sell the tokens|sell them|trade|tradable|tradeable|dex|secondary market|market|resell|cash out|liquidity|swap them back|transfer to a friend|pass on|where can i sell|to someone else|to somebody else|to another person|be listed|get listed|listed on|transferable token|token transferable|tokens transferable',
  treasury:
    'treasury|where does the money go|where does the xrp go|who gets the money|who gets the xrp|what happens to the xrp|raised funds|proceeds',
  otherpay:
    'usd|usdt|usdc|euro|euros|eur|dollar|dollars|bitcoin|btc|eth|ethereum|credit card|card|paypal|fiat|bank transfer|bank|visa|stablecoin|rlusd|gbp|pounds|other currency|another currency|apple pay|sepa|litecoin|doge|sol|solana',
  seed: 'seed|secret key|private key|secret|mnemonic|recovery phrase|seed phrase|password|passphrase|secret keys|private keys',
  xaddress: 'x-address|x address|xaddress',
  // Time and place
  when: 'when|how soon|how long|how fast|what time|date|how quickly|at what point|eta|timeframe|how many days|how many minutes|delay|what day|wait time|waiting time|at which point|which point|what point|waiting period|wait period|wait|waiting|how much longer|at which time|when exactly|how much time|take long|normally take|usually take|at what moment',
  where: 'where',
  end: 'end|ends|close|closes|finish|over|deadline|last day|expire|ending|closing|until when|time left|run until|remaining time',
  start: 'start|starts|begin|open yet|begins|kick off|commence|kickoff|go live|goes live|started|open',
  now: 'now|current|currently|at the moment|right now|today|presently|at present|atm|these days|this moment|we at|we in',
  left: 'left|remain|remaining|available|supply|still available|how many are left|unsold',
  raised:
    'raised|progress|percentage is sold|percentage sold|percent sold|percentage has been sold|collected|how much has been|how far|backers|funded so far|how many people|sold so far|total raised|how many investors|have been sold|were sold|been sold|sold already',
  list: 'which sales|which projects|list|all sales|all projects|what sales|what projects|any sales|what can i buy|what is on sale|on offer|overview|what tokens|running sales|any other|is there a sale',
  mine: 'my investments|my holdings|my portfolio|did i buy|have i bought|have i invested|i own|i hold|my purchases|my history|do i have|did i get|my balance|my allocation',
  next: 'next|following|upcoming|after this|later',
  event: 'event|events|event types|payload|event type',
  secret: 'signing secret|whsec|webhook secret|rotate|rotation',
  developer: 'developer|integrate|integration|sdk|documentation|docs|rest|rest api|library',
  hello: 'hello|hi|hey|good morning|good evening|good afternoon|greetings|howdy|yo|hiya|moin|hola',
  thanks: 'thanks|thank you|thx|ty|cheers|appreciate|great|perfect|awesome|thank',
  you: 'who are you|what are you|are you a bot|are you human|are you real|what can you do|how can you help|help me|help|what do you know|are you ai|chatgpt|gpt|bot|which model|what model|assistant|your name',
  happen: 'happen|happens|what if|what when|in case|suppose|consequence|if i|occurs|becomes of',
  immediate:
    'right away|immediately|instantly|at once|automatically|straight away|instant|immediate|directly|straight after|right after|in real time|same day',
  can: 'can|is it possible|possible|may i|able to|am i able|allowed to|let me|could i|can i',
  not: 'no|not|never|none|cannot',
  lock: 'lock|locked|lock up|locked up|lockup|locks|unlock|tied up|block|blocked',
  ledger: 'xrpl|xrp ledger|ledger|blockchain|network|chain|on chain',
  rise: 'rise|increase|jump|go up|goes up|climb|raise the price|going up|step up|gone up|went up|gone higher',
  people: 'people|buyer|buyers|investor|investors|participant|participants|person|somebody|someone|anybody|anyone',
  ready: 'ready|accept|prepare|prepared|able to hold|able to receive|compatible|support',
  put: 'put|enter|type|type in|fill|fill in|insert|write|attach|include|fill out|put down',
  why: 'why|reason|how come|what caused|cause|for what reason',
  who: 'who|whose|whom',
  enough: 'is it enough|be enough|sufficient',
  walletapp:
    'xaman|xumm|ledger nano|nano|gem wallet|gemwallet|crossmark|metamask|trust wallet|hardware wallet|girin|which wallet|what wallet|recommended wallet|recommend a wallet|good wallet',
  delivery: 'delivery|deliveries|deliver|delivering',
  again:
    'again|twice|several times|multiple times|many times|three times|more than once|repeatedly|second time|once more|time and again',
  whereto:
    'where do i|where to|where can i|where should i|where shall i|where must i|where would i|where does one|where my xrp should go',
  apidocs:
    'rate limit|rate limits|rate limited|too many requests|throttle|throttled|requests per minute|requests a minute|idempotency|idempotency key|pagination|cursor|cors|error code|error codes|problem json|error response|http status|status code|openapi|swagger|api documentation|api docs|api reference|etag|caching|api limits|json schema|typed client',
  activate: 'activate|activating|activation|open a wallet|open an account|opening an account|new wallet',
};
