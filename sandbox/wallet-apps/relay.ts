import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { z } from 'zod';

/** What closes a connection that may not be (WalletConnect relay: "unauthorized"). */
const UNAUTHORIZED = 3000;

const topic = z.string().regex(/^[0-9a-f]{64}$/);
const publishSchema = z.looseObject({ topic, message: z.string(), ttl: z.number().positive(), tag: z.number() });
const topicSchema = z.looseObject({ topic });
const topicsSchema = z.looseObject({ topics: z.array(topic) });
const text = z.string().min(1);
/** What the library asks since 2.21 in place of publishing and subscribing one by one. */
const proposeSchema = z.looseObject({ pairingTopic: topic, sessionProposal: text });
const approveSchema = z.looseObject({
  pairingTopic: topic,
  sessionTopic: topic,
  sessionProposalResponse: text,
  sessionSettlementRequest: text,
});
/** Tags and life of the messages that these stand for (specs.walletconnect.com, "RPC methods"). */
const TAGS = { propose: 1100, response: 1101, settle: 1102 };
const FIVE_MINUTES = 300;

const idSchema = z.union([z.number(), z.string()]);
const requestSchema = z.looseObject({ id: idSchema, method: z.string(), params: z.unknown() });
const acknowledgementSchema = z.looseObject({ id: idSchema, result: z.literal(true) });
const tokenSchema = z.looseObject({ iss: text });

interface Message {
  topic: string;
  message: string;
  tag: number;
  publishedAt: number;
  untilMs: number;
  /** Nobody is told what they said themselves, over this connection or a later one. */
  from: string;
  /** Ids under which it was delivered, by connection: it waits until one of them is acknowledged. */
  delivered: Map<WebSocket, number>;
}

interface Client {
  /** The public key that it signs its tokens with: the same over all of its connections. */
  id: string;
  topics: Set<string>;
}

/** The relay of WalletConnect v2 over one WebSocket a client: it passes on what it cannot read. */
export class Relay {
  readonly #projectId: string;
  readonly #clients = new Map<WebSocket, Client>();
  /** What nobody has acknowledged yet. */
  #waiting: Message[] = [];
  #sent = 0;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** Connections that are open now. */
  get clients(): number {
    return this.#clients.size;
  }

  /** Breaks off every connection, as a lost network does. */
  drop(): void {
    for (const socket of this.#clients.keys()) socket.terminate();
    this.#clients.clear();
  }

  accept(socket: WebSocket, request: IncomingMessage): void {
    const { searchParams } = new URL(request.url ?? '/', 'ws://relay');
    const id = clientOf(searchParams.get('auth'));
    if (searchParams.get('projectId') !== this.#projectId || id === undefined) {
      socket.close(UNAUTHORIZED, 'Unauthorized: invalid project or token');
      return;
    }
    const client: Client = { id, topics: new Set() };
    this.#clients.set(socket, client);
    socket.on('message', (data) => this.#take(socket, client, String(data)));
    socket.on('close', () => this.#clients.delete(socket));
    socket.on('error', () => socket.terminate());
  }

  #take(socket: WebSocket, client: Client, text: string): void {
    const said: unknown = JSON.parse(text);
    const acknowledged = acknowledgementSchema.safeParse(said);
    if (acknowledged.success) {
      this.#waiting = this.#waiting.filter(({ delivered }) => delivered.get(socket) !== acknowledged.data.id);
    }
    const request = requestSchema.safeParse(said);
    if (!request.success) return;
    const { id, method, params } = request.data;
    const answer = this.#answer(client, method, params);
    socket.send(
      JSON.stringify(
        answer === undefined
          ? { id, jsonrpc: '2.0', error: { code: -32602, message: 'Invalid method or params' } }
          : { id, jsonrpc: '2.0', result: answer },
      ),
    );
    this.#deliver();
  }

  #answer(client: Client, method: string, params: unknown): unknown {
    const { data: one } = topicSchema.safeParse(params);
    const { data: many } = topicsSchema.safeParse(params);
    switch (method) {
      case 'irn_publish':
        return this.#publish(client, params);
      case 'wc_proposeSession':
        return this.#propose(client, params);
      case 'wc_approveSession':
        return this.#approve(client, params);
      case 'irn_subscribe':
        if (one === undefined) return undefined;
        client.topics.add(one.topic);
        return subscriptionId(one.topic);
      case 'irn_batchSubscribe':
        for (const each of many?.topics ?? []) client.topics.add(each);
        return many?.topics.map(subscriptionId);
      case 'irn_unsubscribe':
        if (one === undefined) return undefined;
        client.topics.delete(one.topic);
        return true;
      case 'irn_batchUnsubscribe':
        for (const each of many?.topics ?? []) client.topics.delete(each);
        return many === undefined ? undefined : true;
      case 'irn_fetchMessages':
        return one && { messages: this.#fetch(client, [one.topic]), hasMore: false };
      case 'irn_batchFetchMessages':
        return many && { messages: this.#fetch(client, many.topics), hasMore: false };
      default:
        return undefined;
    }
  }

  #publish(from: Client, params: unknown): true | undefined {
    const { data } = publishSchema.safeParse(params);
    if (data === undefined) return undefined;
    this.#keep(from, data);
    return true;
  }

  #keep(from: Client, said: { topic: string; message: string; tag: number; ttl: number }): void {
    const { ttl, ...message } = said;
    const publishedAt = Date.now();
    this.#waiting.push({
      ...message,
      publishedAt,
      untilMs: publishedAt + ttl * 1000,
      from: from.id,
      delivered: new Map(),
    });
  }

  #propose(from: Client, params: unknown): true | undefined {
    const { data } = proposeSchema.safeParse(params);
    if (data === undefined) return undefined;
    this.#keep(from, { topic: data.pairingTopic, message: data.sessionProposal, tag: TAGS.propose, ttl: FIVE_MINUTES });
    from.topics.add(data.pairingTopic);
    return true;
  }

  #approve(from: Client, params: unknown): true | undefined {
    const { data } = approveSchema.safeParse(params);
    if (data === undefined) return undefined;
    const { pairingTopic, sessionTopic, sessionProposalResponse, sessionSettlementRequest } = data;
    const ttl = FIVE_MINUTES;
    this.#keep(from, { topic: pairingTopic, message: sessionProposalResponse, tag: TAGS.response, ttl });
    this.#keep(from, { topic: sessionTopic, message: sessionSettlementRequest, tag: TAGS.settle, ttl });
    from.topics.add(sessionTopic);
    return true;
  }

  #fetch(client: Client, topics: readonly string[]) {
    const found = this.#waiting.filter((one) => topics.includes(one.topic) && one.from !== client.id);
    this.#waiting = this.#waiting.filter((one) => !found.includes(one));
    return found.map(({ topic, message, publishedAt, tag }) => ({ topic, message, publishedAt, tag }));
  }

  #deliver(): void {
    const now = Date.now();
    this.#waiting = this.#waiting.filter(({ untilMs }) => untilMs >= now);
    for (const { topic, message, publishedAt, tag, from, delivered } of this.#waiting) {
      for (const [socket, { id: client, topics }] of this.#clients) {
        if (client === from || !topics.has(topic) || delivered.has(socket)) continue;
        this.#sent += 1;
        const id = now * 1000 + this.#sent;
        delivered.set(socket, id);
        const params = { id: subscriptionId(topic), data: { topic, message, publishedAt, tag } };
        socket.send(JSON.stringify({ id, jsonrpc: '2.0', method: 'irn_subscription', params }));
      }
    }
  }
}

const subscriptionId = (topic: string): string => createHash('sha256').update(topic).digest('hex');

/** Who a client says it is by a token that it signs with its own key; whose key it is does not matter to a relay. */
function clientOf(auth: string | null): string | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(auth ?? '') ?? [];
  if (payload === undefined) return undefined;
  try {
    return tokenSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).data?.iss;
  } catch {
    return undefined;
  }
}
