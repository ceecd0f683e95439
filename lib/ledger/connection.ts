import type { Client, Request } from 'xrpl';
import { z } from 'zod';
import { PlatformError } from '#lib/platform/errors.ts';
import { faultOf, isOddAnswer, isRefusal, ledgerUnavailable } from './fault.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** A server that failed is left alone this long, unless no other one works. */
const COOL_OFF_MS = 15_000;
/**
 * xrpl.js pings every REQUEST_TIMEOUT_MS. A connection that heard nothing for longer slept with its function, and is most
 * likely dead: a new one costs less than waiting for the time-out.
 */
const SILENT_AFTER_MS = 2.5 * REQUEST_TIMEOUT_MS;

/** One connected server. `request` gives the `result` part and throws LedgerFault for an error answer. */
export interface LedgerServer {
  url: string;
  request(command: Request): Promise<unknown>;
}

export interface LedgerServers {
  /**
   * Runs `operation` against one server from beginning to end: markers and "how far does your history reach" mean
   * something on that server only (ledger fact 7). When it fails, the operation starts again on the next server.
   * Throws PlatformError `ledger_unavailable` when none is left, and `service_unavailable` when the ledger is there but
   * refuses the question, or answers what cannot be read: that concerns who asked, nobody else.
   */
  use<T>(operation: (server: LedgerServer) => Promise<T>): Promise<T>;
  /**
   * What `operation` gives on each of several servers, as far as they answer and have not failed just now: for second
   * opinions. Nothing when only one server is configured. Never throws for a server's sake.
   */
  useEach<T>(operation: (server: LedgerServer) => Promise<T>): Promise<T[]>;
  /** Ends every connection; a later call opens new ones. */
  close(): Promise<void>;
}

interface Slot {
  url: string;
  /** Connected or being connected. */
  client: Promise<Client> | null;
  /** The same, once it is connected. */
  live: Client | null;
  /** When the live client last received anything. */
  heardAtMs: number;
  restUntilMs: number;
}

const serverInfo = z.object({ result: z.object({ info: z.object({ network_id: z.number().optional() }) }) });

/** xrpl.js reconnects by itself, without our check of the network: a client that failed is discarded for good instead. */
function discard(slot: Slot, client: Client): void {
  if (slot.live !== client) return;
  slot.client = null;
  slot.live = null;
  client.on('connected', () => void client.disconnect());
  // Its reconnection is scheduled right after the event that brings us here.
  queueMicrotask(() => void client.disconnect());
}

const TRANSPORT_FAILURES = new Set(['ConnectionError', 'DisconnectedError', 'NotConnectedError', 'TimeoutError']);
const isTransportFailure = (error: unknown): boolean => error instanceof Error && TRANSPORT_FAILURES.has(error.name);

async function connect(slot: Slot, networkId: number): Promise<Client> {
  const { Client } = await import('xrpl');
  const client = new Client(slot.url, { connectionTimeout: CONNECT_TIMEOUT_MS, timeout: REQUEST_TIMEOUT_MS });
  try {
    await client.connection.connect();
    const answer = serverInfo.safeParse(await client.request({ command: 'server_info' }));
    if (!answer.success) throw ledgerUnavailable('The ledger server does not say what it is', answer.error);
    // Servers without the setting are on the main network.
    const reported = answer.data.result.info.network_id ?? 0;
    if (reported !== networkId) {
      throw ledgerUnavailable(`The ledger server reports network ${reported}; this deployment is for ${networkId}`);
    }
  } catch (error) {
    await client.disconnect();
    throw error;
  }
  slot.live = client;
  slot.heardAtMs = Date.now();
  client.connection.on('response', () => {
    slot.heardAtMs = Date.now();
  });
  client.on('disconnected', () => discard(slot, client));
  return client;
}

async function requestResult(client: Client, command: Request): Promise<unknown> {
  try {
    const response: { result: unknown } = await client.request(command);
    return response.result;
  } catch (error) {
    throw faultOf(error) ?? error;
  }
}

/** Servers in order of preference. Nothing is connected, and xrpl.js is not loaded, before the first use. */
export function ledgerServers(options: { urls: readonly string[]; networkId: number }): LedgerServers {
  const slots: Slot[] = options.urls.map((url) => ({ url, client: null, live: null, heardAtMs: 0, restUntilMs: 0 }));

  async function clientOf(slot: Slot): Promise<Client> {
    if (slot.live !== null && Date.now() - slot.heardAtMs > SILENT_AFTER_MS) discard(slot, slot.live);
    slot.client ??= connect(slot, options.networkId);
    try {
      return await slot.client;
    } catch (error) {
      slot.client = null;
      throw error;
    }
  }

  async function attempt<T>(slot: Slot, operation: (server: LedgerServer) => Promise<T>): Promise<T> {
    const wasOpen = slot.live !== null;
    const client = await clientOf(slot);
    try {
      return await operation({ url: slot.url, request: (command) => requestResult(client, command) });
    } catch (error) {
      if (!isTransportFailure(error)) throw error;
      discard(slot, client);
      // An open connection may have died unnoticed (a frozen function, an idle time-out): a new one is tried first.
      if (!wasOpen) throw error;
      return attempt(slot, operation);
    }
  }

  return {
    async use(operation) {
      const rested = slots.filter((slot) => slot.restUntilMs <= Date.now());
      const order = [...rested, ...slots.filter((slot) => !rested.includes(slot))];
      const failures: unknown[] = [];
      for (const slot of order) {
        try {
          const result = await attempt(slot, operation);
          slot.restUntilMs = 0;
          return result;
        } catch (error) {
          if (error instanceof PlatformError && error.code !== 'ledger_unavailable') throw error;
          failures.push(error);
          // No other server would answer a question that is wrong itself.
          if (isRefusal(error)) break;
          if (!isOddAnswer(error)) slot.restUntilMs = Date.now() + COOL_OFF_MS;
        }
      }
      if (failures.some(isOddAnswer)) {
        throw new PlatformError('service_unavailable', 'A question to the ledger got no usable answer', {
          cause: new AggregateError(failures),
        });
      }
      const [first] = failures;
      if (first instanceof PlatformError && failures.every((failure) => failure instanceof PlatformError)) throw first;
      throw ledgerUnavailable('No ledger server gave a usable answer', new AggregateError(failures));
    },
    async useEach(operation) {
      const rested = slots.filter((slot) => slots.length > 1 && slot.restUntilMs <= Date.now());
      const answers = await Promise.all(
        rested.map(async (slot) => {
          try {
            return [await attempt(slot, operation)];
          } catch (error) {
            if (!isOddAnswer(error)) slot.restUntilMs = Date.now() + COOL_OFF_MS;
            return [];
          }
        }),
      );
      return answers.flat();
    },
    async close() {
      const clients = await Promise.allSettled(slots.map((slot) => slot.client));
      await Promise.all(
        clients.map((settled) => (settled.status === 'fulfilled' ? settled.value?.disconnect() : null)),
      );
    },
  };
}
