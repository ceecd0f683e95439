import { parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { deriveAddress, deriveKeypair } from 'ripple-keypairs';
import * as z from 'zod';
import type { Limits } from './decide.ts';
import { hostOf } from './read-ledger.ts';

const xrpText = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/);

/** What the operator of a witness sets (witness.json). It holds no key and no token. */
export const configSchema = z.strictObject({
  name: z.string().min(1).max(60),
  network_id: z.int().min(0),
  /** Ledger servers of operators that have nothing to do with each other. */
  ledger: z
    .array(z.url({ protocol: /^wss?$/ }))
    .min(1)
    .max(5),
  /** Says that one server's word is enough. */
  one_server: z.boolean().default(false),
  min_server_version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/)
    .default('2.4.0'),
  /** Where allowlists are looked for: platforms (https://…) and folders. */
  lists: z.array(z.string()).default([]),
  /** SHA-256 of each token that may ask, lower-case hexadecimal. */
  tokens_sha256: z.array(z.string().regex(/^[0-9a-f]{64}$/)).min(1),
  listen: z
    .strictObject({ host: z.string(), port: z.int().min(0).max(65_535) })
    .default({ host: '127.0.0.1', port: 8420 }),
  /** `standard_output` where no file is kept; `none` for who signs nothing. */
  log: z.enum(['file', 'standard_output', 'none']).default('file'),
  limits: z
    .strictObject({
      max_fee_drops: z.int().min(10).max(10_000_000).default(250_000),
      /** In two pots: payments of debts, and everything else. */
      fees_a_day_xrp: z.strictObject({ debts: xrpText.default('50'), other: xrpText.default('20') }).prefault({}),
      /** By deposit account: the most that is released in an hour, XRP. */
      releases_an_hour_xrp: z.record(z.string(), xrpText).default({}),
      requests_a_minute: z.int().min(1).default(600),
      candidates_a_minute: z.int().min(1).default(20_000),
    })
    .prefault({}),
});
export type Config = z.output<typeof configSchema>;

/** Reads a configuration. Throws an error that names what is wrong. */
export function parseConfig(value: unknown): Config {
  const parsed = configSchema.safeParse(value);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const { ledger, one_server: oneServer } = parsed.data;
  if (new Set(ledger.map(hostOf)).size < 2 && !oneServer) {
    throw new Error(
      'ledger: name two servers of different hosts, or say "one_server": true (init: --one-server) to trust one',
    );
  }
  return parsed.data;
}

const drops = (text: string): bigint => parseDecimal(text, XRP_DECIMALS) ?? 0n;

export const limitsOf = ({ limits }: Config): Limits => ({
  maxFeeDrops: BigInt(limits.max_fee_drops),
  feesOfDayDrops: { debts: drops(limits.fees_a_day_xrp.debts), other: drops(limits.fees_a_day_xrp.other) },
  releasesOfHourDrops: new Map(
    Object.entries(limits.releases_an_hour_xrp).map(([account, most]) => [account, drops(most)]),
  ),
});

export interface Key {
  address: string;
  publicKey: string;
  privateKey: string;
}

/** The key pair of a seed (s…). Throws without quoting it. */
export function readKey(seed: string): Key {
  try {
    const { publicKey, privateKey } = deriveKeypair(seed.trim());
    return { address: deriveAddress(publicKey), publicKey, privateKey };
  } catch {
    throw new Error('The key is no seed of the XRP Ledger (s…)');
  }
}
