import {
  type Candidate,
  type Refusal,
  type StatusAnswer,
  signaturesAnswer,
  statusAnswer,
  type WitnessSignature,
} from '@tranche/witness/protocol.ts';
import type { z } from 'zod';
import { type Env, env } from '#lib/base/env.ts';

export type WitnessEntry = Env['WITNESSES'][number];

/** An answer that is larger is none: 200 refusals with details are a tenth of it. */
const MAX_ANSWER_BYTES = 512 * 1024;
export const WITNESS_TIMEOUT_MS = 5_000;

/** Why a witness gave no usable answer. Never holds its token, nor what it sent. */
export class WitnessFault extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.key = key;
    this.name = 'WitnessFault';
  }
}

/** The witness with this key in WITNESSES; null when it is not named there. */
export const witnessEntry = (key: string): WitnessEntry | null =>
  env().WITNESSES.find((entry) => entry.key === key) ?? null;

async function readLimited(response: Response, fail: (message: string) => WitnessFault): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw fail('answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** One exchange with a witness. Throws WitnessFault for anything but an answer of the right form. */
async function exchange<Schema extends z.ZodType>(
  entry: WitnessEntry,
  request: { path: string; body?: unknown; signal?: AbortSignal },
  schema: Schema,
): Promise<z.output<Schema>> {
  const fail = (message: string) => new WitnessFault(entry.key, message);
  const timeout = AbortSignal.timeout(WITNESS_TIMEOUT_MS);
  try {
    const response = await fetch(entry.url + request.path, {
      method: request.body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${entry.token}`, 'content-type': 'application/json' },
      body: request.body === undefined ? null : JSON.stringify(request.body),
      redirect: 'error',
      signal: request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]),
    });
    const text = await readLimited(response, fail);
    if (!response.ok) throw fail(`answered with status ${response.status}`);
    const parsed = schema.safeParse(JSON.parse(text));
    if (!parsed.success) throw fail('answered in another form than the protocol has');
    return parsed.data;
  } catch (error) {
    if (error instanceof WitnessFault) throw error;
    if (timeout.aborted) throw fail(`did not answer within ${WITNESS_TIMEOUT_MS / 1_000} s`);
    // The message of fetch may quote the address, that of the parser the answer.
    throw fail(error instanceof SyntaxError ? 'answered no JSON' : 'cannot be reached');
  }
}

/** What the witness says of itself. Throws WitnessFault. */
export const readWitnessStatus = (entry: WitnessEntry): Promise<StatusAnswer> =>
  exchange(entry, { path: '/v1/status' }, statusAnswer);

/** What a witness says to candidates, in their order, and the validated ledger that it decided by. */
export interface WitnessReply {
  key: string;
  ledgerIndex: number;
  results: readonly ({ signed: WitnessSignature } | { refused: Refusal })[];
}

/** Asks one witness to sign. The signatures are as it gave them: whoever uses one verifies it. Throws WitnessFault. */
export async function askWitness(
  entry: WitnessEntry,
  account: string,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<WitnessReply> {
  const body = { account, candidates };
  const answer = await exchange(entry, { path: '/v1/signatures', body, signal }, signaturesAnswer);
  if (answer.results.length !== candidates.length) {
    throw new WitnessFault(entry.key, 'answered for another number of candidates');
  }
  return { key: entry.key, ledgerIndex: answer.ledger_index, results: answer.results };
}
