import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { generateSeed } from 'ripple-keypairs';
import type * as z from 'zod';
import { type configSchema, type Key, parseConfig, readKey } from './config.ts';
import { removeHalt, writeApproval, writeHalt } from './folder.ts';
import { handlerOf } from './handle.ts';
import { Witness } from './witness.ts';

export interface RunningWitness {
  url: string;
  /** What may ask it; null when its configuration holds only the hash. */
  token: string | null;
  /** Address of its key. */
  key: string;
  witness: Witness;
  /** Approves a sale by the text of its terms. */
  approve(canonical: string): void;
  halt(reason: string): void;
  resume(): void;
  /** Lets what is being answered be answered, then ends. */
  stop(): Promise<void>;
}

type Settings = Partial<z.input<typeof configSchema>> & Pick<z.input<typeof configSchema>, 'network_id' | 'ledger'>;

export interface WitnessOptions {
  /** Where it keeps approvals, log and stop; it is made when it is not there. */
  folder: string;
  /** A seed (s…), or the key itself; a new one when left out. */
  seed?: string;
  key?: Key;
  /** What witness.json holds; a new token is made when it names none. */
  settings: Settings;
}

const MAX_CONNECTIONS = 256;

/** Starts a witness in this process, on any free port unless the settings name one. Throws what is wrong with them. */
export async function startWitness({ folder, seed, key, settings }: WitnessOptions): Promise<RunningWitness> {
  mkdirSync(folder, { recursive: true });
  const token = settings.tokens_sha256 === undefined ? randomBytes(32).toString('base64url') : null;
  const config = parseConfig({
    name: 'witness',
    listen: { host: '127.0.0.1', port: 0 },
    ...(token === null ? {} : { tokens_sha256: [createHash('sha256').update(token).digest('hex')] }),
    ...settings,
  });
  const witness = new Witness(config, key ?? readKey(seed ?? generateSeed({ algorithm: 'ed25519' })), folder);
  const server = createServer(
    // Whoever sends slowly is cut off; what they hold meanwhile is not what its ledger servers need.
    { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    (incoming, outgoing) => {
      void answer(incoming, outgoing);
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  const handle = handlerOf(witness);

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const { method = 'GET', url = '/' } = incoming;
      const hasBody = method !== 'GET' && method !== 'HEAD';
      const response = await handle(
        new Request(new URL(url, 'http://witness'), {
          method,
          headers: new Headers(
            Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
          ),
          ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' } : {}),
        } as RequestInit),
      );
      // What was left unread of a body that is too large is not waited for.
      if (!incoming.complete && hasBody) outgoing.setHeader('connection', 'close');
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
    } catch {
      outgoing
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":"malformed","detail":"No request"}');
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.listen.port, config.listen.host, resolve);
  });
  witness.start();
  const { port } = server.address() as AddressInfo;
  const host = config.listen.host.includes(':') ? `[${config.listen.host}]` : config.listen.host;
  return {
    url: `http://${host}:${port}`,
    token,
    key: witness.key.address,
    witness,
    approve(canonical) {
      const { project } = JSON.parse(canonical) as { project: string };
      writeApproval(folder, {
        project,
        terms_hash: sha256Hex(canonical),
        approved_at: new Date().toISOString(),
        canonical,
      });
    },
    halt(reason) {
      writeHalt(folder, { since: new Date().toISOString(), reason });
    },
    resume() {
      removeHalt(folder);
    },
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      await witness.stop();
    },
  };
}
