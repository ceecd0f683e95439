import { z } from 'zod';
import { type Env, env, isLoopbackUrl } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';

/** Nobody looks at a QR code for longer than this to see whether it comes. */
const TIMEOUT_MS = 8_000;
/** Its answers hold a few kilobytes. */
const MOST_BYTES = 256 * 1024;

const NETWORKS: Readonly<Record<number, string>> = { 0: 'MAINNET', 1: 'TESTNET', 2: 'DEVNET' };

export interface XamanSettings {
  apiUrl: string;
  apiKey: string;
  apiSecret: string;
  /** The only network on which a sign request may be signed, as Xaman names it. */
  network: string;
}

/** How Xaman is asked; null where its keys are not set, or nobody said what it calls the network. */
export function xamanSettings(settings: Env = env()): XamanSettings | null {
  const { XAMAN_API_KEY: apiKey, XAMAN_API_SECRET: apiSecret, XAMAN_API_URL: apiUrl } = settings;
  const network = settings.XAMAN_NETWORK ?? NETWORKS[settings.XRPL_NETWORK_ID];
  if (apiKey === undefined || apiSecret === undefined || network === undefined) return null;
  return { apiUrl, apiKey, apiSecret, network };
}

/** What is asked of Xaman: a transaction, or the sign-in that shows which account its owner pays from. */
export interface NewPayload {
  txjson: { TransactionType: string } & Record<string, unknown>;
  /** Minutes within which it must be opened. Who has opened it may sign later. */
  expireMinutes: number;
  /** The only account that may sign; null for any. */
  signer: string | null;
  /** Where a phone goes once it is signed; `{txid}` becomes the transaction's hash. */
  returnUrl: string | null;
  /** Told to the person who is asked, for at most 280 characters. */
  instruction: string;
}

/** Where its owner is sent to sign: shown as a link and as a QR code, so it must be a page of the web. */
const link = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine((url) => url.startsWith('https:') || isLoopbackUrl(url));

const createdSchema = z.object({ uuid: z.guid(), next: z.object({ always: link }) });

// Of an answer to `GET payload`, what is used (docs.xaman.dev, "Status updates": API call).
const payloadSchema = z.object({
  meta: z.object({
    resolved: z.boolean(),
    signed: z.boolean(),
    cancelled: z.boolean(),
    expired: z.boolean(),
    app_opened: z.boolean(),
  }),
  response: z.object({
    account: z.string().nullable(),
    txid: z.string().nullable(),
    dispatched_result: z.string().nullish(),
    dispatched_nodetype: z.string().nullish(),
    environment_nodetype: z.string().nullish(),
  }),
});

export type XamanPayload = z.output<typeof payloadSchema>;

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`The answer is larger than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Throws `service_unavailable`, whose cause names the status and never what was sent or answered. */
async function call<T>(path: string, method: 'GET' | 'POST' | 'DELETE', answer: z.ZodType<T>, body?: object) {
  const settings = xamanSettings();
  try {
    if (settings === null) throw new Error('Xaman is not set up');
    const response = await fetch(`${settings.apiUrl.replace(/\/$/, '')}/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'x-api-key': settings.apiKey,
        'x-api-secret': settings.apiSecret,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`Xaman answered ${response.status}`);
    }
    const parsed = answer.safeParse(JSON.parse(await boundedText(response)));
    if (!parsed.success) {
      const fields = parsed.error.issues.map((issue) => issue.path.join('.'));
      throw new Error(`Xaman answered in another form: ${fields.join(', ')}`);
    }
    return parsed.data;
  } catch (cause) {
    throw new PlatformError('service_unavailable', 'Xaman could not be asked just now.', { cause });
  }
}

/** Makes a sign request at Xaman (docs.xaman.dev, "Payloads"). */
export async function createPayload({ txjson, expireMinutes, signer, returnUrl, instruction }: NewPayload) {
  const { uuid, next } = await call('payload', 'POST', createdSchema, {
    txjson,
    options: {
      submit: true,
      expire: expireMinutes,
      force_network: xamanSettings()?.network,
      ...(signer !== null && { signers: [signer] }),
      ...(returnUrl !== null && { return_url: { app: returnUrl, web: returnUrl } }),
    },
    custom_meta: { instruction },
  });
  return { uuid, link: next.always };
}

export const readPayload = (uuid: string): Promise<XamanPayload> => call(`payload/${uuid}`, 'GET', payloadSchema);

/** Ends a sign request that nobody has opened; one that was opened stays with its owner. */
export async function cancelPayload(uuid: string): Promise<void> {
  await call(`payload/${uuid}`, 'DELETE', z.object({ result: z.object({ cancelled: z.boolean() }) }));
}
