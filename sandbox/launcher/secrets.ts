import { randomBytes, randomUUID } from 'node:crypto';
import { Wallet } from 'xrpl';
import type { Keypair, OwnerAccounts, SaleAccounts } from '../crowd/accounts.ts';

/** A witness's key, and the token by which the platform asks it. */
export type WitnessSecrets = Keypair & { name: string; token: string };

/** Everything secret of one sandbox start. Nothing of it is printed or passed on a command line. */
export type Secrets = SaleAccounts &
  OwnerAccounts & {
    adminToken: string;
    /** Of another operator. */
    colleagueToken: string;
    /** Of an administrator who may only look. */
    readOnlyToken: string;
    cronSecret: string;
    qstashToken: string;
    qstashCurrentSigningKey: string;
    qstashNextSigningKey: string;
    redisToken: string;
    /** Of an application at Xaman. */
    xamanApiKey: string;
    xamanApiSecret: string;
    /** Of WalletConnect; public. */
    walletConnectProjectId: string;
    /** Of the platform on the signer lists of the accounts. */
    platformSigner: Keypair;
    witnesses: WitnessSecrets[];
    /** AES-256 key, base64. */
    encryptionKey: string;
  };

/** New secrets; the seeds are of ed25519 keys. */
export function generateSecrets(witnesses = 0): Secrets {
  return {
    adminToken: token('admin'),
    colleagueToken: token('admin'),
    readOnlyToken: token('admin'),
    cronSecret: token('cron'),
    qstashToken: token('qstash'),
    qstashCurrentSigningKey: token('sig'),
    qstashNextSigningKey: token('sig'),
    redisToken: token('redis'),
    xamanApiKey: randomUUID(),
    xamanApiSecret: randomUUID(),
    walletConnectProjectId: randomBytes(16).toString('hex'),
    encryptionKey: randomBytes(32).toString('base64'),
    platformSigner: keypair(),
    witnesses: Array.from({ length: witnesses }, (_, index) => ({
      ...keypair(),
      name: `witness-${index + 1}`,
      token: token('witness'),
    })),
    deposit: keypair(),
    distributor: keypair(),
    issuer: keypair(),
    ownerDeposit: keypair(),
    ownerDistributor: keypair(),
  };
}

function token(kind: string): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}

function keypair(): Keypair {
  const { classicAddress: address, seed } = Wallet.generate();
  if (seed === undefined) throw new Error('A generated wallet has no seed.');
  return { address, seed };
}
