import { isRefusal, isUnexpectedAnswer, LedgerFault, lacksCommand } from '@tranche/verifier/errors.ts';
import type { BaseRequest, Request } from 'xrpl';
import type { Connection } from 'xrpl/dist/npm/client/connection.js';
import { z } from 'zod';
import { PlatformError } from '#lib/base/errors.ts';
import { faultOf, ledgerUnavailable, platformError } from './fault.ts';
import { jointWritesAgent } from './joint-writes.ts';

/** The form of questions and answers that the readers beside this file expect. */
const API_VERSION = 2;

const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** A server that failed is left alone this long, unless no other one works. */
const COOL_OFF_MS = 15_000;
/**
 * xrpl.js pings every REQUEST_TIMEOUT_MS. A connection that heard nothing for longer slept with its function, and is most
 * likely dead: a new one costs less than waiting for the time-out.
 */
const SILENT_AFTER_MS = 2.5 * REQUEST_TIMEOUT_MS;

/** A command of Clio servers, which the ledger library does not declare. */
interface MptHoldersRequest extends BaseRequest {
  command: 'mpt_holders';
  mpt_issuance_id: string;
}
type Command = Request | MptHoldersRequest;

/** One connected server. `request` gives the `result` part and throws LedgerFault for an error answer. */
export interface LedgerServer {
  url: string;
  request(command: Command): Promise<unknown>;
}

export interface LedgerServers {
  /**
   * Runs `operation` against one server from beginning to end: markers and "how far does your history reach" mean
   * something on that server only (docs/ledger-facts.md, 7). When it fails, the operation starts again on the next
   * server. Throws PlatformError `ledger_unavailable` when none is left, and `service_unavailable` when the ledger is
   * there but refuses the question, or answers what cannot be read: that concerns who asked, nobody else.
   */
  use<T>(operation: (server: LedgerServer) => Promise<T>): Promise<T>;
  /**
   * Runs `operation` on this very server, for what only it can go on with (docs/ledger-facts.md, 7); null when it is
   * none of ours or cannot be reached. Throws what the server answers, a LedgerFault, as it is.
   */
  at<T>(url: string, operation: (server: LedgerServer) => Promise<T>): Promise<T | null>;
  /**
   * What `operation` gives on each of several servers, as far as they answer and have not failed just now: for second
   * opinions. Nothing when only one server is configured. Never throws for a server's sake.
   */
  useEach<T>(operation: (server: LedgerServer) => Promise<T>): Promise<T[]>;
  /**
   * Tells `onLedger` of each ledger that a server validates from now on, and null when it stops to tell: its connection broke,
   * or was not to be had. `renew` asks those again that do not tell.
   */
  subscribe(onLedger: (url: string, ledgerIndex: number | null) => void): Subscription;
  /** Ends every connection; a later call opens new ones. */
  close(): Promise<void>;
}

export interface Subscription {
  renew(): void;
  end(): void;
}

interface Slot {
  url: string;
  /** Open or being opened. */
  connection: Promise<Connection> | null;
  /** The same, once it is open. */
  live: Connection | null;
  /** When the live connection last received anything. */
  heardAtMs: number;
  /** By the process's stopwatch: a clock that is set back must not make a rest longer. */
  restUntilMs: number;
  /** The same for its stream of ledgers alone. */
  muteUntilMs: number;
}

const validatedLedger = z.lazy(() => z.object({ ledger_index: z.int() }));
const serverInfo = z.lazy(() =>
  z.object({ result: z.object({ info: z.object({ network_id: z.number().optional() }) }) }),
);

/** xrpl.js reconnects by itself, without our check of the network: a connection that failed is discarded for good instead. */
function discard(slot: Slot, connection: Connection): void {
  if (slot.live !== connection) return;
  slot.connection = null;
  slot.live = null;
  connection.on('connected', () => void connection.disconnect());
  // Its reconnection is scheduled right after the event that brings us here.
  queueMicrotask(() => void connection.disconnect());
}

const TRANSPORT_FAILURES = new Set(['ConnectionError', 'DisconnectedError', 'NotConnectedError', 'TimeoutError']);
const isTransportFailure = (error: unknown): boolean => error instanceof Error && TRANSPORT_FAILURES.has(error.name);

/**
 * The connection of xrpl.js alone. Its client, which adds nothing to what is asked here, brings every transaction type and
 * the binary codec along: four times as much to load, before the first answer of a process.
 */
async function loadConnection(): Promise<typeof Connection> {
  const [{ Connection }, errors] = await Promise.all([
    import('xrpl/dist/npm/client/connection.js'),
    import('xrpl/dist/npm/errors.js'),
  ]);
  // Its errors are named after their classes, and those are given shorter names where it is bundled.
  for (const [name, known] of Object.entries(errors)) {
    if (typeof known === 'function') Object.defineProperty(known, 'name', { value: name });
  }
  return Connection;
}

async function connect(slot: Slot, networkId: number): Promise<Connection> {
  const Connection = await loadConnection();
  const connection = new Connection(slot.url, {
    agent: jointWritesAgent(slot.url),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    timeout: REQUEST_TIMEOUT_MS,
  });
  try {
    await connection.connect();
    const answer = serverInfo.safeParse(await ask(connection, { command: 'server_info' }));
    if (!answer.success) throw ledgerUnavailable('The ledger server does not say what it is', answer.error);
    // Servers without the setting are on the main network.
    const reported = answer.data.result.info.network_id ?? 0;
    if (reported !== networkId) {
      throw ledgerUnavailable(`The ledger server reports network ${reported}; this deployment is for ${networkId}`);
    }
  } catch (error) {
    // Not waited for: a server that never closes its side takes 30 s.
    void connection.disconnect();
    throw error;
  }
  slot.live = connection;
  slot.heardAtMs = Date.now();
  for (const event of ['response', 'ledgerClosed']) {
    connection.on(event, () => {
      slot.heardAtMs = Date.now();
    });
  }
  connection.on('disconnected', () => discard(slot, connection));
  return connection;
}

const ask = (connection: Connection, command: Command): Promise<{ result: unknown }> =>
  connection.request<BaseRequest, { result: unknown }>({ ...command, api_version: API_VERSION });

async function requestResult(connection: Connection, command: Command): Promise<unknown> {
  try {
    return (await ask(connection, command)).result;
  } catch (error) {
    throw faultOf(error) ?? error;
  }
}

/** Servers in order of preference. Nothing is connected, and xrpl.js is not loaded, before the first use. */
export function ledgerServers(options: { urls: readonly string[]; networkId: number }): LedgerServers {
  const slots: Slot[] = options.urls.map((url) => ({
    url,
    connection: null,
    live: null,
    heardAtMs: 0,
    restUntilMs: 0,
    muteUntilMs: 0,
  }));

  async function connectionTo(slot: Slot): Promise<Connection> {
    if (slot.live !== null && Date.now() - slot.heardAtMs > SILENT_AFTER_MS) discard(slot, slot.live);
    slot.connection ??= connect(slot, options.networkId);
    try {
      return await slot.connection;
    } catch (error) {
      slot.connection = null;
      throw error;
    }
  }

  async function attempt<T>(slot: Slot, operation: (server: LedgerServer) => Promise<T>): Promise<T> {
    const wasOpen = slot.live !== null;
    const connection = await connectionTo(slot);
    try {
      return await operation({ url: slot.url, request: (command) => requestResult(connection, command) });
    } catch (error) {
      if (!isTransportFailure(error)) throw platformError(error);
      discard(slot, connection);
      // An open connection may have died unnoticed (a frozen function, an idle time-out): a new one is tried first.
      if (!wasOpen) throw error;
      return attempt(slot, operation);
    }
  }

  return {
    async use(operation) {
      const rested = slots.filter((slot) => slot.restUntilMs <= performance.now());
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
          if (!isUnexpectedAnswer(error) && !lacksCommand(error)) slot.restUntilMs = performance.now() + COOL_OFF_MS;
        }
      }
      if (failures.some(isUnexpectedAnswer)) {
        throw new PlatformError('service_unavailable', 'A question to the ledger got no usable answer', {
          cause: new AggregateError(failures),
        });
      }
      const [first] = failures;
      if (first instanceof PlatformError && failures.every((failure) => failure instanceof PlatformError)) throw first;
      throw ledgerUnavailable('No ledger server gave a usable answer', new AggregateError(failures));
    },
    async at(url, operation) {
      const slot = slots.find((each) => each.url === url);
      if (slot === undefined) return null;
      try {
        return await attempt(slot, operation);
      } catch (error) {
        if (isUnexpectedAnswer(error) || error instanceof LedgerFault) throw error;
        slot.restUntilMs = performance.now() + COOL_OFF_MS;
        return null;
      }
    },
    async useEach(operation) {
      const rested = slots.filter((slot) => slots.length > 1 && slot.restUntilMs <= performance.now());
      const answers = await Promise.all(
        rested.map(async (slot) => {
          try {
            return [await attempt(slot, operation)];
          } catch (error) {
            if (!isUnexpectedAnswer(error)) slot.restUntilMs = performance.now() + COOL_OFF_MS;
            return [];
          }
        }),
      );
      return answers.flat();
    },
    subscribe(onLedger) {
      const subscribed = new Map<Slot, { connection: Connection; leave: () => void }>();
      let hasEnded = false;
      const listen = async (slot: Slot): Promise<void> => {
        let connection: Connection;
        try {
          connection = await connectionTo(slot);
        } catch {
          slot.restUntilMs = performance.now() + COOL_OFF_MS;
          return;
        }
        if (hasEnded || subscribed.get(slot)?.connection === connection) return;
        subscribed.get(slot)?.leave();
        const tell = (message: unknown): void => {
          const ledger = validatedLedger.safeParse(message);
          if (ledger.success) onLedger(slot.url, ledger.data.ledger_index);
        };
        const leave = (): void => {
          connection.off('ledgerClosed', tell);
          connection.off('disconnected', lose);
        };
        const lose = (): void => {
          leave();
          if (subscribed.get(slot)?.connection !== connection) return;
          subscribed.delete(slot);
          onLedger(slot.url, null);
        };
        subscribed.set(slot, { connection, leave });
        connection.on('ledgerClosed', tell);
        connection.on('disconnected', lose);
        try {
          const { result } = await ask(connection, { command: 'subscribe', streams: ['ledger'] });
          if (subscribed.get(slot)?.connection === connection) tell(result);
        } catch (error) {
          lose();
          if (isTransportFailure(error)) discard(slot, connection);
          // It may answer all that is asked, and have no stream: it is only not listened to for a while.
          else slot.muteUntilMs = performance.now() + COOL_OFF_MS;
        }
      };
      return {
        renew() {
          const nowMs = performance.now();
          const heard = slots.filter((slot) => slot.muteUntilMs <= nowMs);
          const rested = heard.filter((slot) => slot.restUntilMs <= nowMs);
          for (const slot of rested.length > 0 ? rested : heard) void listen(slot);
        },
        end() {
          hasEnded = true;
          for (const { connection, leave } of subscribed.values()) {
            leave();
            // The stream is the connection's: another one may listen to it, beside what notes that it is alive.
            if (connection.listenerCount('ledgerClosed') === 1)
              ask(connection, { command: 'unsubscribe', streams: ['ledger'] }).catch(() => undefined);
          }
          subscribed.clear();
        },
      };
    },
    async close() {
      const connections = await Promise.allSettled(slots.map((slot) => slot.connection));
      await Promise.all(
        connections.map((settled) => (settled.status === 'fulfilled' ? settled.value?.disconnect() : null)),
      );
    },
  };
}
