import { ownUrl } from '../../links.ts';
import { readHelpTool } from '../../tools/search-help.ts';
import type { Answer, Asked } from '../asked.ts';
import { code, link, paragraphs, steps, strong } from '../markdown.ts';

const read = async (asked: Asked, id: string): Promise<string> => (await asked.use(readHelpTool, { id })).text;

/** The first code block of a language in a text of the documentation. */
const firstBlock = (text: string, language: string): string | null =>
  new RegExp(`\`\`\`${language}[^\\n]*\\n([\\s\\S]*?)\n\`\`\``).exec(text)?.[1] ?? null;

const block = (language: string, body: string | null): string | null =>
  body === null ? null : `\`\`\`${language}\n${body}\n\`\`\``;

/** The first table of a text of the documentation. */
const firstTable = (text: string): string | null => /(?:^\|.*\|\s*$\n?)+/m.exec(text)?.[0].trim() ?? null;

const reference = (anchor: string): string => `More: ${link('the API reference', ownUrl(`/reference#${anchor}`))}.`;

/** An API key, by one call. */
export const answerApiKey: Answer = async (asked) => {
  const first = await read(asked, 'access#a-key-in-a-minute');
  const isAboutLoss = /lost|forgot|revoke|leak|stolen|rotat/i.test(asked.message);
  const further = isAboutLoss ? `${await read(asked, 'access#rotate')}\n\n${await read(asked, 'access#revoke')}` : null;
  return paragraphs(
    further,
    `One call to ${code('POST /api/api-keys/create')} makes ${isAboutLoss ? 'a new' : 'an'} API key; you need no account:`,
    block('sh', firstBlock(first, 'sh')),
    steps([
      `The answer holds ${code('api_key')} (${code('tr_live_…')}) ${strong('this once')}: store it now. Only its SHA-256 is kept.`,
      `Send it as ${code('Authorization: Bearer <key>')}.`,
      `In production prove that the wallet is yours (${code('POST /api/api-keys/challenge')}, then ${code('proof')} with the create): all keys of a proven wallet share one tenant, and can be listed and revoked also when you have lost them.`,
    ]),
    reference('createApiKey'),
  );
};

/** Checking a webhook's signature. */
export const answerSignature: Answer = async (asked) => {
  const verify = await read(asked, 'webhooks#verify');
  const isPython = /python|django|flask/i.test(asked.message);
  const isShell = /\b(?:shell|bash|openssl|curl)\b/i.test(asked.message);
  const [page, language] = isPython ? ['python', 'python'] : isShell ? ['shell', 'sh'] : ['node', 'js'];
  const example = firstBlock(await read(asked, `webhooks#${page}`), language);
  const fails = /not match|mismatch|fail|invalid|wrong|401|not work|doesn/i.test(asked.message);
  const trouble = await read(asked, 'webhooks#troubleshooting');
  return paragraphs(
    fails ? (trouble.split('\n\n').find((part) => part.includes('**401**')) ?? null) : null,
    `Compute the HMAC-SHA-256 of ${strong('the body’s bytes as they came')} with the webhook’s secret, and compare it in constant time with the header; answer 401 when it does not match. Each delivery carries two signatures, check one of them:`,
    firstTable(verify),
    block(language, example),
    reference('webhooks'),
  );
};

/** Why a delivery came again, and when the next one comes. */
export const answerWebhookRetry: Answer = async (asked) => {
  const retries = await read(asked, 'webhooks#retries');
  const isAboutOff = /disabled|deactivat|switched off|inactive|stopped/i.test(asked.message);
  return paragraphs(
    isAboutOff ? await read(asked, 'webhooks#automatic-deactivation') : null,
    `A delivery is tried again because ${strong('your receiver did not answer with a 2xx within ten seconds')}: any other status (a redirect too), a time-out, or no connection is a failure.`,
    retries,
    `The log says what happened: ${code('GET /webhooks/{webhook_id}/deliveries')}, then one delivery for each attempt with its status and ${code('error_kind')}. An event may also come twice because your answer was lost: drop duplicates by ${code('event_id')}.`,
    reference('listDeliveries'),
  );
};

/** Webhooks: registering, events, testing. */
export const answerWebhook: Answer = async (asked) => {
  const isTest = /\btest/i.test(asked.message);
  const isEvents = /\bevents?\b|\btypes?\b/i.test(asked.message) && !isTest;
  const id = isTest ? 'webhooks#test-events' : isEvents ? 'webhooks#events' : 'webhooks#register';
  return paragraphs(
    'A webhook is an address of yours to which the platform sends each event (a payment seen, confirmed, a tier completed, and so on), signed and with retries.',
    await read(asked, id),
    isEvents
      ? `All types with examples: ${link('GET /api/webhooks/event-types', ownUrl('/api/webhooks/event-types'))}.`
      : null,
    isTest ? null : `You need an API key with the scope ${code('webhooks:write')}: ask me “how do I make an API key”.`,
  );
};
