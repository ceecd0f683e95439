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

const requestSchema = z.looseObject({ id: z.union([z.number(), z.string()]), method: z.string(), params: z.unknown() });

interface Message {
  topic: string;
  message: string;
  tag: number;
  publishedAt: number;
  untilMs: number;
  /** Nobody is told what they said themselves. */
  from: WebSocket;
}

/** The relay of WalletConnect v2 over one WebSocket a client: it passes on what it cannot read. */
export class Relay {
  readonly #projectId: string;
  readonly #subscriptions = new Map<WebSocket, Set<string>>();
  /** What waits for a client that is not there yet. */
  #waiting: Message[] = [];
  #sent = 0;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** Connections that are open now. */
  get clients(): number {
    return this.#subscriptions.size;
  }

  /** Breaks off every connection, as a lost network does. */
  drop(): void {
    for (const socket of this.#subscriptions.keys()) socket.terminate();
  }

  accept(socket: WebSocket, request: IncomingMessage): void {
    const { searchParams } = new URL(request.url ?? '/', 'ws://relay');
    if (searchParams.get('projectId') !== this.#projectId || !isToken(searchParams.get('auth'))) {
      socket.close(UNAUTHORIZED, 'Unauthorized: invalid project or token');
      return;
    }
    this.#subscriptions.set(socket, new Set());
    socket.on('message', (data) => this.#take(socket, String(data)));
    socket.on('close', () => this.#subscriptions.delete(socket));
    socket.on('error', () => socket.terminate());
  }

  #take(socket: WebSocket, text: string): void {
    const request = requestSchema.safeParse(JSON.parse(text));
    // An acknowledgement of what was delivered.
    if (!request.success) return;
    const { id, method, params } = request.data;
    const answer = this.#answer(socket, method, params);
    socket.send(
      JSON.stringify(
        answer === undefined
          ? { id, jsonrpc: '2.0', error: { code: -32602, message: 'Invalid method or params' } }
          : { id, jsonrpc: '2.0', result: answer },
      ),
    );
    this.#deliver();
  }

  #answer(socket: WebSocket, method: string, params: unknown): unknown {
    const mine = this.#subscriptions.get(socket);
    const { data: one } = topicSchema.safeParse(params);
    const { data: many } = topicsSchema.safeParse(params);
    switch (method) {
      case 'irn_publish':
        return this.#publish(socket, params);
      case 'wc_proposeSession':
        return this.#propose(socket, params);
      case 'wc_approveSession':
        return this.#approve(socket, params);
      case 'irn_subscribe':
        if (one === undefined) return undefined;
        mine?.add(one.topic);
        return subscriptionId(one.topic);
      case 'irn_batchSubscribe':
        for (const each of many?.topics ?? []) mine?.add(each);
        return many?.topics.map(subscriptionId);
      case 'irn_unsubscribe':
        if (one === undefined) return undefined;
        mine?.delete(one.topic);
        return true;
      case 'irn_batchUnsubscribe':
        for (const each of many?.topics ?? []) mine?.delete(each);
        return many === undefined ? undefined : true;
      case 'irn_fetchMessages':
        return one && { messages: this.#fetch(socket, [one.topic]), hasMore: false };
      case 'irn_batchFetchMessages':
        return many && { messages: this.#fetch(socket, many.topics), hasMore: false };
      default:
        return undefined;
    }
  }

  #publish(from: WebSocket, params: unknown): true | undefined {
    const { data } = publishSchema.safeParse(params);
    if (data === undefined) return undefined;
    this.#keep(from, data);
    return true;
  }

  #keep(from: WebSocket, said: { topic: string; message: string; tag: number; ttl: number }): void {
    const { ttl, ...message } = said;
    const publishedAt = Date.now();
    this.#waiting.push({ ...message, publishedAt, untilMs: publishedAt + ttl * 1000, from });
  }

  #propose(from: WebSocket, params: unknown): true | undefined {
    const { data } = proposeSchema.safeParse(params);
    if (data === undefined) return undefined;
    this.#keep(from, { topic: data.pairingTopic, message: data.sessionProposal, tag: TAGS.propose, ttl: FIVE_MINUTES });
    this.#subscriptions.get(from)?.add(data.pairingTopic);
    return true;
  }

  #approve(from: WebSocket, params: unknown): true | undefined {
    const { data } = approveSchema.safeParse(params);
    if (data === undefined) return undefined;
    const { pairingTopic, sessionTopic, sessionProposalResponse, sessionSettlementRequest } = data;
    const ttl = FIVE_MINUTES;
    this.#keep(from, { topic: pairingTopic, message: sessionProposalResponse, tag: TAGS.response, ttl });
    this.#keep(from, { topic: sessionTopic, message: sessionSettlementRequest, tag: TAGS.settle, ttl });
    this.#subscriptions.get(from)?.add(sessionTopic);
    return true;
  }

  #fetch(socket: WebSocket, topics: readonly string[]) {
    const found = this.#waiting.filter((one) => topics.includes(one.topic) && one.from !== socket);
    this.#waiting = this.#waiting.filter((one) => !found.includes(one));
    return found.map(({ topic, message, publishedAt, tag }) => ({ topic, message, publishedAt, tag }));
  }

  #deliver(): void {
    const now = Date.now();
    this.#waiting = this.#waiting.filter((one) => {
      if (one.untilMs < now) return false;
      const { topic, message, publishedAt, tag, from } = one;
      const receivers = [...this.#subscriptions].filter(([socket, topics]) => socket !== from && topics.has(topic));
      for (const [socket] of receivers) {
        this.#sent += 1;
        const params = { id: subscriptionId(topic), data: { topic, message, publishedAt, tag } };
        socket.send(
          JSON.stringify({ id: now * 1000 + this.#sent, jsonrpc: '2.0', method: 'irn_subscription', params }),
        );
      }
      return receivers.length === 0;
    });
  }
}

const subscriptionId = (topic: string): string => createHash('sha256').update(topic).digest('hex');

/** The form of the token that a client signs with its own key; whose key it is does not matter to a relay. */
const isToken = (auth: string | null): boolean => auth !== null && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(auth);
