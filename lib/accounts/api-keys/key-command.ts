import { z } from 'zod';
import type { CommandOutput } from '#lib/base/command-output.ts';
import { readSeedFile, walletOfSeed } from '#lib/base/seed-file.ts';
import { CHALLENGE_TITLE } from './challenge-text.ts';

/** What a user gives on the command line. */
export interface KeyOptions {
  baseUrl: string;
  seedFile: string;
  algorithm?: 'ed25519' | 'secp256k1';
  address?: string;
  name?: string;
  scopes?: string[];
  expiresInDays?: number;
}

const challengeAnswer = z.object({ id: z.string(), message: z.string() });
const keyAnswer = z.object({ id: z.string(), api_key: z.string(), expires_at: z.string().nullable() });
const problem = z.object({ detail: z.string() });

async function post<T>(baseUrl: string, path: string, body: unknown, schema: z.ZodType<T>): Promise<T> {
  const response = await fetch(new URL(path, baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const answer: unknown = await response.json().catch(() => null);
  const read = schema.safeParse(answer);
  if (response.ok && read.success) return read.data;
  throw new Error(problem.safeParse(answer).data?.detail ?? `${path} answered ${response.status}`);
}

/** A key signs what it was asked for and nothing else, even where another server answers at that address. */
function requireExpected(message: string, baseUrl: string, walletAddress: string): void {
  const [title, domain, , action, wallet] = message.split('\n');
  if (title !== CHALLENGE_TITLE || action !== 'Action: create_key' || wallet !== `Wallet: ${walletAddress}`) {
    throw new Error('The platform asked for a signature over something else than a new key. Nothing was signed');
  }
  if (domain !== `Domain: ${new URL(baseUrl).host}`) {
    throw new Error(
      `The platform calls itself ${domain?.slice('Domain: '.length)}. Nothing was signed: give --base-url so`,
    );
  }
}

/** Makes a key by a proof from a seed file: 0 made and printed, 1 not made. Needs no database and no settings. Never throws. */
export async function createKey(options: KeyOptions, say: CommandOutput): Promise<number> {
  const { baseUrl, seedFile, algorithm, name, scopes, expiresInDays } = options;
  try {
    const { seed, othersMayRead } = await readSeedFile(seedFile);
    if (othersMayRead) say.err(`Warning: others may read ${seedFile}. Run: chmod 600 ${seedFile}`);
    const signer = await walletOfSeed(seed, algorithm);
    const walletAddress = options.address ?? signer.classicAddress;
    say.err(
      `Wallet ${walletAddress}${walletAddress === signer.classicAddress ? '' : `, key ${signer.classicAddress}`}`,
    );
    const challengeBody = { wallet_address: walletAddress, action: 'create_key' };
    const { id, message } = await post(baseUrl, '/api/api-keys/challenge', challengeBody, challengeAnswer);
    requireExpected(message, baseUrl, walletAddress);
    const { sign } = await import('ripple-keypairs');
    const signature = sign(Buffer.from(message, 'utf8').toString('hex').toUpperCase(), signer.privateKey);
    const createBody = {
      wallet_address: walletAddress,
      proof: { challenge_id: id, public_key: signer.publicKey, signature },
      ...(name === undefined ? {} : { name }),
      ...(scopes === undefined ? {} : { scopes }),
      ...(expiresInDays === undefined ? {} : { expires_in_days: expiresInDays }),
    };
    const made = await post(baseUrl, '/api/api-keys/create', createBody, keyAnswer);
    say.err(
      `Made ${made.id}, ${made.expires_at === null ? 'without an end' : `good until ${made.expires_at}`}. Store the key now: it is not shown again.`,
    );
    say.out(made.api_key);
    return 0;
  } catch (error) {
    say.err(`No key was made: ${reasonOf(error)}.`);
    return 1;
  }
}

/** The network's failures say what happened in their cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const detail = error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
  return detail.replace(/\.$/, '');
}
