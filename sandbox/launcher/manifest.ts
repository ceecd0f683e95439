import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Keypair, SaleAccounts } from '../crowd/accounts.ts';
import type { DemoProject } from '../crowd/options.ts';

/** What a program needs to use a running sandbox; the file holds secrets and is readable by its owner only. */
export type Manifest = {
  base_url: string;
  ledger_ws: string;
  ledger_rpc: string | null;
  faucet_url: string | null;
  qstash_url: string;
  qstash_token: string;
  redis_url: string;
  postgres_url: string;
  admin_token: string;
  /** Of a second operator, who can approve what the first one asks for. */
  colleague_token: string;
  read_only_token: string;
  cron_secret: string;
  receiver_url: string;
  /** Where Xaman and WalletConnect stand in, for a wallet of yours; null when a real ledger is used. */
  wallet_apps: { url: string; relay_url: string; project_id: string } | null;
  /**
   * null when a real ledger is used: nothing is funded there. Under custody (`witnesses` is not empty) the ledger takes no
   * signature of the seeds of `deposit` and `distributor` any more.
   */
  accounts: SaleAccounts | null;
  /** For sales of owners; null when a real ledger is used. */
  owner_accounts: { deposit: Keypair; distributor: Keypair } | null;
  /** Who signs with the platform for the accounts, by the address of each key; none with `--witnesses 0`. */
  witnesses: { name: string; url: string; key: string }[];
  project: DemoProject | null;
};

/** Writes the manifest so that a reader sees all of it or none of it. */
export async function writeManifest(file: string, manifest: Manifest): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  // A draft left by an earlier process keeps its old mode.
  await chmod(draft, 0o600);
  await rename(draft, file);
}

/** Removes the manifest, unless another sandbox has written its own there meanwhile. */
export async function removeManifest(file: string, manifest: Manifest): Promise<void> {
  const written = await readFile(file, 'utf8').catch(() => '');
  if (written === `${JSON.stringify(manifest, null, 2)}\n`) await rm(file, { force: true });
}
