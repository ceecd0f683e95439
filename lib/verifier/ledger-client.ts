import type { CredentialQuestion } from '@tranche/rules/credentials.ts';
import * as z from 'zod';
import {
  isLedgerUnavailable,
  isRefusal,
  isUnexpectedAnswer,
  LedgerFault,
  ledgerUnavailable,
  ReadError,
} from './errors.ts';
import { readAccountControl } from './read-control.ts';
import { type ReadCredential, readCredentials } from './read-credentials.ts';
import { readCreatedEscrow, readEscrowStands } from './read-escrow.ts';
import { type LedgerServer, readFeed, readHistory, readLedgerHead } from './read-feed.ts';
import type { LedgerSource } from './types.ts';

/** The form of questions and answers that the readers expect. */
const API_VERSION = 2;
const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** How often the servers are asked when none of them answers. */
const ATTEMPTS = 4;

const answer = z.union([
  z.object({ id: z.int(), status: z.literal('success'), result: z.unknown() }),
  z.object({
    id: z.int(),
    error: z.string(),
    error_message: z.string().optional(),
    ledger_index: z.int().nullable().default(null).catch(null),
  }),
]);

interface Connection extends LedgerServer {
  close(): void;
}

/** A ledger of which a verification reads: over WebSocket, in Node.js as in a browser. */
export interface LedgerClient extends LedgerSource {
  /** Any question, answered by the first server that has a usable answer. */
  request: LedgerServer['request'];
  /** Ends the connection; a later question opens a new one. */
  close(): void;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** An answer to a question of ours; null for anything else that a server may say. */
function readAnswer(data: unknown): z.output<typeof answer> | null {
  try {
    return answer.safeParse(JSON.parse(String(data))).data ?? null;
  } catch {
    return null;
  }
}

/** Opens a connection and checks the network behind it. */
async function connect(url: string, networkId: number): Promise<Connection> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  const opened = Promise.withResolvers<void>();
  const end = (reason: string): void => {
    opened.reject(ledgerUnavailable(reason));
    for (const { reject } of waiting.values()) reject(ledgerUnavailable(reason));
    waiting.clear();
    socket.close();
  };
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => end(`${url} cannot be reached`));
  socket.addEventListener('close', () => end(`${url} has ended the connection`));
  socket.addEventListener('message', ({ data }) => {
    const read = readAnswer(data);
    if (read === null) return;
    const asked = waiting.get(read.id);
    waiting.delete(read.id);
    if ('error' in read) asked?.reject(new LedgerFault(read.error, read.error_message ?? '', read.ledger_index));
    else asked?.resolve(read.result);
  });
  const within = async <T>(ms: number, promise: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => end(`${url} does not answer`), ms);
    return promise.finally(() => clearTimeout(timer));
  };
  const connection: Connection = {
    url,
    request(command) {
      lastId += 1;
      const asked = Promise.withResolvers<unknown>();
      if (socket.readyState !== WebSocket.OPEN) asked.reject(ledgerUnavailable(`${url} has ended the connection`));
      else {
        waiting.set(lastId, asked);
        socket.send(JSON.stringify({ ...command, id: lastId, api_version: API_VERSION }));
      }
      return within(REQUEST_TIMEOUT_MS, asked.promise);
    },
    close: () => end(`${url} is no longer needed`),
  };
  await within(CONNECT_TIMEOUT_MS, opened.promise);
  const found = await readHistory(connection);
  if (found.networkId === networkId) return connection;
  connection.close();
  throw ledgerUnavailable(`The ledger server reports network ${found.networkId}; the sale is on ${networkId}`);
}

const noUsableAnswer = (cause: unknown): ReadError =>
  new ReadError('service_unavailable', 'A question to the ledger got no usable answer', { cause });

/**
 * A ledger over the given servers, the preferred one first. A server that fails is left for the next one, and all of them
 * are asked again a few times when none answers. Throws ReadError.
 */
export function openLedger({ urls, networkId }: { urls: readonly string[]; networkId: number }): LedgerClient {
  let current = 0;
  let connection: Promise<Connection> | null = null;

  const leave = (): void => {
    connection?.then(
      (open) => open.close(),
      () => undefined,
    );
    connection = null;
  };

  async function once<T>(operation: (server: LedgerServer) => Promise<T>): Promise<T> {
    const failures: unknown[] = [];
    for (const _ of urls) {
      connection ??= connect(urls[current] ?? '', networkId);
      const used = connection;
      try {
        return await operation(await used);
      } catch (error) {
        if (isRefusal(error)) throw noUsableAnswer(error);
        if (error instanceof ReadError && !isLedgerUnavailable(error)) throw error;
        failures.push(error);
        // Another question may have left it already.
        if (connection !== used) continue;
        leave();
        current = (current + 1) % urls.length;
      }
    }
    const unexpected = failures.find(isUnexpectedAnswer);
    if (unexpected !== undefined) throw noUsableAnswer(unexpected);
    const [first] = failures;
    throw failures.length === 1 && isLedgerUnavailable(first)
      ? first
      : ledgerUnavailable('No ledger server gave a usable answer', new AggregateError(failures));
  }

  async function patiently<T>(operation: (server: LedgerServer) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await once(operation);
      } catch (error) {
        if (!isLedgerUnavailable(error) || attempt + 1 >= ATTEMPTS) throw error;
        await pause(250 * 2 ** attempt);
      }
    }
  }

  /** What one server does not hold another one may. */
  async function credentials(questions: readonly CredentialQuestion[]): Promise<ReadCredential[]> {
    const ask = () => patiently((server) => readCredentials(server, questions));
    let read = await ask();
    for (const _ of urls.slice(1)) {
      if (!read.includes(undefined)) break;
      leave();
      current = (current + 1) % urls.length;
      const more = await ask();
      read = read.map((each, index) => (each === undefined ? more[index] : each));
    }
    return read;
  }

  return {
    request: (command) => patiently((server) => server.request(command)),
    serverState: () => patiently(readHistory),
    readFeed: (request) => patiently((server) => readFeed(server, request)),
    closedAtMs: async (ledgerIndex) => (await patiently((server) => readLedgerHead(server, ledgerIndex))).closedAtMs,
    accountControl: (account, ledgerIndex) => patiently((server) => readAccountControl(server, account, ledgerIndex)),
    credentials,
    createdEscrow: (hash, ledgerIndex) => patiently((server) => readCreatedEscrow(server, hash, ledgerIndex)),
    escrowStands: (escrowId, ledgerIndex) => patiently((server) => readEscrowStands(server, escrowId, ledgerIndex)),
    close: leave,
  };
}
