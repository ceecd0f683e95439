import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Phone } from './phone.ts';

/** What a request gets: JSON of the platform API, or a page of the phone. */
export type XamanAnswer = { status: number; json: unknown } | { status: number; html: string };

export interface XamanOptions {
  apiKey: string;
  apiSecret: string;
  /** The name of the phone's network. */
  network: string;
  phone: Phone;
}

const API = '/api/v1/platform/payload';
const DEFAULT_EXPIRE_MINUTES = 240;

const returnUrls = z.strictObject({ app: z.string().optional(), web: z.string().optional() });
/** A payload as the platform takes it (XUMM-SDK, `XummPostPayloadBodyJson`); what it does not know, it refuses. */
const bodySchema = z.strictObject({
  txjson: z.looseObject({ TransactionType: z.string() }),
  options: z
    .strictObject({
      submit: z.boolean().default(true),
      multisign: z.boolean().optional(),
      expire: z.int().min(1).optional(),
      signers: z.array(z.string()).optional(),
      force_network: z.string().optional(),
      return_url: returnUrls.optional(),
    })
    .default({ submit: true }),
  custom_meta: z
    .strictObject({ identifier: z.string().max(40).optional(), instruction: z.string().max(280).optional() })
    .optional(),
});

/** What tests change. */
export const settingSchema = z.strictObject({
  /** The status of every answer of the API; null lets it answer. */
  refusesWith: z.int().min(400).max(599).nullable().optional(),
  /** The payload that nobody may open any more. */
  expire: z.guid().optional(),
});

interface Payload {
  uuid: string;
  body: z.output<typeof bodySchema>;
  createdAtMs: number;
  expiresAtMs: number;
  appOpened: boolean;
  cancelled: boolean;
  resolvedAtMs: number | null;
  signed: { account: string; hash: string; result: string | null } | null;
}

const problem = (status: number, code: number): XamanAnswer => ({
  status,
  json: { error: { reference: randomUUID(), code } },
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const page = (body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Xaman, stand-in</title><body><h1>Xaman, stand-in of the sandbox</h1>${body}</body></html>`;

/** Xaman's platform API and the app on a phone. Tests and people sign on the page that the link of a payload opens. */
export class XamanPlatform {
  readonly #options: XamanOptions;
  readonly #payloads = new Map<string, Payload>();
  /** Calls of the API, by method: tests count what a purchase costs. */
  readonly calls: Record<string, number> = {};
  #refusesWith: number | null = null;

  constructor(options: XamanOptions) {
    this.#options = options;
  }

  /** Every payload that was made, as it was sent, and whether it was taken back. */
  get bodies() {
    return [...this.#payloads.values()].map(({ uuid, body, cancelled }) => ({ uuid, cancelled, ...body }));
  }

  set({ refusesWith, expire }: z.output<typeof settingSchema>): void {
    if (refusesWith !== undefined) this.#refusesWith = refusesWith;
    const payload = expire === undefined ? undefined : this.#payloads.get(expire);
    if (payload !== undefined) payload.expiresAtMs = Date.now();
  }

  async answer(
    method: string,
    path: string,
    headers: IncomingHttpHeaders,
    body: string,
    origin: string,
  ): Promise<XamanAnswer> {
    if (path.startsWith('/sign/')) return this.#onPhone(method, path.slice('/sign/'.length), body);
    if (path !== API && !path.startsWith(`${API}/`)) return problem(404, 404);
    this.calls[method] = (this.calls[method] ?? 0) + 1;
    if (this.#refusesWith !== null) return problem(this.#refusesWith, this.#refusesWith);
    const { apiKey, apiSecret } = this.#options;
    if (headers['x-api-key'] !== apiKey || headers['x-api-secret'] !== apiSecret) return problem(403, 813);
    if (method === 'POST' && path === API) return this.#create(body, origin);
    const payload = this.#payloads.get(path.slice(API.length + 1));
    if (payload === undefined) return problem(404, 404);
    if (method === 'GET') return { status: 200, json: this.#shown(payload) };
    if (method === 'DELETE') return { status: 200, json: this.#cancel(payload) };
    return problem(405, 405);
  }

  #create(text: string, origin: string): XamanAnswer {
    const parsed = bodySchema.safeParse(JSON.parse(text));
    if (!parsed.success) return problem(400, 602);
    const now = Date.now();
    const { expire = DEFAULT_EXPIRE_MINUTES } = parsed.data.options;
    const uuid = randomUUID();
    this.#payloads.set(uuid, {
      uuid,
      body: parsed.data,
      createdAtMs: now,
      expiresAtMs: now + expire * 60_000,
      appOpened: false,
      cancelled: false,
      resolvedAtMs: null,
      signed: null,
    });
    return {
      status: 200,
      json: {
        uuid,
        next: { always: `${origin}/sign/${uuid}` },
        refs: {
          qr_png: `${origin}/sign/${uuid}_q.png`,
          qr_matrix: `${origin}/sign/${uuid}_q.json`,
          qr_uri_quality_opts: ['m', 'q', 'h'],
          websocket_status: `${origin.replace('http', 'ws')}/sign/${uuid}`,
        },
        pushed: false,
      },
    };
  }

  #isExpired = ({ expiresAtMs, cancelled }: Payload): boolean => cancelled || Date.now() >= expiresAtMs;

  #meta(payload: Payload) {
    const { uuid, body, appOpened, cancelled, resolvedAtMs, signed } = payload;
    const destination = body.txjson.Destination;
    return {
      exists: true,
      uuid,
      multisign: false,
      submit: body.options.submit,
      pathfinding: false,
      pathfinding_fallback: false,
      force_network: body.options.force_network ?? null,
      destination: typeof destination === 'string' ? destination : '',
      resolved_destination: '',
      resolved: resolvedAtMs !== null,
      signed: signed !== null,
      cancelled,
      expired: this.#isExpired(payload),
      pushed: false,
      app_opened: appOpened,
      opened_by_deeplink: appOpened ? true : null,
      return_url_app: body.options.return_url?.app ?? null,
      return_url_web: body.options.return_url?.web ?? null,
      is_xapp: false,
      signers: body.options.signers ?? null,
    };
  }

  #shown(payload: Payload) {
    const { body, createdAtMs, expiresAtMs, resolvedAtMs, signed } = payload;
    const { network } = this.#options;
    const isSent = signed !== null && signed.result !== null;
    return {
      meta: this.#meta(payload),
      application: {
        name: 'Sandbox',
        description: '',
        disabled: 0,
        uuidv4: this.#options.apiKey,
        icon_url: '',
        issued_user_token: null,
      },
      payload: {
        tx_type: body.txjson.TransactionType,
        tx_destination: body.txjson.Destination ?? '',
        tx_destination_tag: body.txjson.DestinationTag ?? null,
        request_json: body.txjson,
        origintype: null,
        signmethod: null,
        created_at: new Date(createdAtMs).toISOString(),
        expires_at: new Date(expiresAtMs).toISOString(),
        expires_in_seconds: Math.round((expiresAtMs - Date.now()) / 1000),
      },
      response: {
        hex: null,
        txid: signed?.hash ?? null,
        resolved_at: resolvedAtMs === null ? null : new Date(resolvedAtMs).toISOString(),
        dispatched_to: isSent ? 'sandbox' : null,
        dispatched_nodetype: isSent ? network : '',
        dispatched_result: signed?.result ?? null,
        dispatched_to_node: isSent,
        environment_nodetype: signed === null ? null : network,
        multisign_account: null,
        account: signed?.account ?? null,
        signer: signed?.account ?? null,
        user: null,
      },
      custom_meta: { identifier: null, blob: null, instruction: null, ...body.custom_meta },
    };
  }

  #cancel(payload: Payload) {
    const reason = payload.cancelled
      ? 'ALREADY_CANCELLED'
      : payload.resolvedAtMs !== null
        ? 'ALREADY_RESOLVED'
        : payload.appOpened
          ? 'ALREADY_OPENED'
          : this.#isExpired(payload)
            ? 'ALREADY_EXPIRED'
            : 'OK';
    if (reason === 'OK') payload.cancelled = true;
    return {
      result: { cancelled: reason === 'OK', reason },
      meta: this.#meta(payload),
      custom_meta: payload.body.custom_meta ?? null,
    };
  }

  async #onPhone(method: string, uuid: string, form: string): Promise<XamanAnswer> {
    const html = (body: string, status = 200): XamanAnswer => ({ status, html: page(body) });
    const payload = this.#payloads.get(uuid);
    if (payload === undefined) return html('<p>There is no such request.</p>', 404);
    if (payload.resolvedAtMs !== null) return html('<p>You have answered this request.</p>');
    // Who has opened it in time may answer later.
    if (this.#isExpired(payload) && !payload.appOpened) return html('<p>This request has expired.</p>');
    payload.appOpened = true;
    if (method === 'POST') return html(await this.#resolve(payload, form));
    const { txjson, custom_meta } = payload.body;
    return html(
      `<p>${escaped(custom_meta?.instruction ?? '')}</p><pre>${escaped(JSON.stringify(txjson, null, 2))}</pre>` +
        '<form method="post"><button name="answer" value="sign">Sign</button> <button name="answer" value="reject">Decline</button></form>',
    );
  }

  async #resolve(payload: Payload, form: string): Promise<string> {
    const { txjson, options } = payload.body;
    const { phone, network } = this.#options;
    if (new URLSearchParams(form).get('answer') !== 'sign') {
      payload.resolvedAtMs = Date.now();
      return '<p>Declined.</p>';
    }
    const account = await phone.address();
    if (options.force_network !== undefined && options.force_network !== network) {
      return `<p>This request is for ${escaped(options.force_network)}.</p>`;
    }
    if (options.signers !== undefined && !options.signers.includes(account)) {
      return '<p>This request is for another account.</p>';
    }
    const sent = txjson.TransactionType === 'SignIn' ? { hash: '', result: null } : await phone.submit(txjson);
    payload.signed = { account, ...sent };
    payload.resolvedAtMs = Date.now();
    const back = options.return_url?.app?.replaceAll('{id}', payload.uuid).replaceAll('{txid}', sent.hash);
    return `<p>Signed.</p>${back === undefined ? '' : `<p><a href="${escaped(back)}">Return</a></p>`}`;
  }
}
