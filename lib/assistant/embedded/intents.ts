/** What the assistant can answer, each as somebody would ask for it. */
export const INTENTS = {
  quote: 'What does 500 XRP buy now?',
  cost: 'How much XRP do I need for 1000 tokens?',
  tier: 'Which tier are we in?',
  progress: 'How much has been raised?',
  projects: 'Which projects are there?',
  about: 'What is this project?',
  dates: 'When does the sale end?',
  pay: 'How do I pay?',
  tag: 'What tag do I use?',
  forgot_tag: 'What if I forget the tag?',
  exchange: 'Can I pay from an exchange?',
  other_money: 'Can I pay with bitcoin?',
  check_address: 'Is this the right address?',
  seed: 'Do you need my seed?',
  where_payment: 'Where is my payment?',
  mine: 'What did I buy?',
  when_tokens: 'When do I get tokens?',
  refund: 'Can I get a refund?',
  sold_out: 'What happens if it sells out?',
  minimum: 'Is there a minimum?',
  maximum: 'Is there a maximum?',
  soft_cap: 'What happens if the soft cap is not reached?',
  allowlist: 'Who can buy?',
  treasury: 'Where does the money go?',
  fees: 'Are there fees?',
  verify_sale: 'How do I verify the sale?',
  advice: 'Is this a good investment?',
  trustline: 'What is a trust line and how do I set it?',
  issuer: 'Can the issuer freeze my tokens?',
  resale: 'Can I sell my tokens?',
  holders: 'Who are the holders?',
  reserve: 'What is the XRP reserve?',
  api_key: 'How do I make an API key?',
  signature: 'How do I verify a signature?',
  webhook_retry: 'Why was my webhook retried?',
  webhook: 'How do I register a webhook?',
  api_docs: 'What are the rate limits of the API?',
  platform_id: 'What is a Platform ID?',
  get_platform_id: 'How do I get a Platform ID?',
  status: 'Is the system up?',
  hello: 'Hello',
  thanks: 'Thanks',
  self: 'Who are you?',
} as const satisfies Record<string, string>;

export type IntentName = keyof typeof INTENTS;

/** What a message asks for; `none` for what is none of the assistant's business. */
export type Label = IntentName | 'none';

const ABOUT_AMOUNTS: Partial<Record<IntentName, string>> = { quote: '500 XRP', cost: '1000 tokens' };

/** An intent as a question, with the amount that was named. */
export function asQuestion(intent: IntentName, amount?: string): string {
  const usual = ABOUT_AMOUNTS[intent];
  return usual === undefined || amount === undefined ? INTENTS[intent] : INTENTS[intent].replace(usual, amount);
}
