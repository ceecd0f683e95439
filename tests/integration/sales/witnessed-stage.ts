import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { approve, findKey, init } from '@tranche/witness/commands.ts';
import { parseConfig } from '@tranche/witness/config.ts';
import { type RunningWitness, startWitness } from '@tranche/witness/server.ts';
import { expect } from 'vitest';
import { Wallet } from 'xrpl';
import { startLedger } from 'xrpl-sandbox/index.ts';
import { setUpCustody } from '#lib/custody/command.ts';
import { listOf, type SignerSetFile } from '#lib/custody/signer-set.ts';
import { setCustody } from '#lib/sales/accounts/set-custody.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { type Served, serveRoutes } from '#tests/integration/verifier/serve.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { openStage, type ProjectBody, type Sale, type Stage } from './stage.ts';

/** What a command says, and what its user answers. */
export const terminal = (answer: (question: string) => boolean = () => true) => {
  const out: string[] = [];
  const err: string[] = [];
  return {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    get say() {
      return { out: this.out, err: this.err };
    },
    confirm: async (question: string) => answer(question),
    lines: out,
    get text() {
      return [...out, ...err].join('\n');
    },
  };
};

/** A witness of its own operator: a folder that `witness init` has made, and a server that may be stopped and started. */
export interface OperatedWitness {
  folder: string;
  config: string;
  seed: string;
  key: string;
  /** Null while it is stopped. */
  running: RunningWitness | null;
  start(): Promise<void>;
  /** As if its machine were gone. */
  kill(): Promise<void>;
}

/** A stage whose sales are paid with the signatures of real witnesses, which read two ledger servers. */
export interface WitnessedStage {
  stage: Stage;
  served: Served;
  /** Of the operators of platform and witnesses. */
  folder: string;
  ledger: string[];
  platform: Wallet;
  witnesses: [OperatedWitness, OperatedWitness, OperatedWitness];
  set: SignerSetFile;
  /** The set as the file that the custody commands read. */
  custodyFile: string;
  keyFile(key: { address: string; seed?: string | undefined }): string;
  /** Closes ledgers while a command waits for them. */
  whileClosing<T>(work: () => Promise<T>): Promise<T>;
  /** A draft whose accounts were brought under custody by the commands, approved by every witness. */
  draft(body?: Partial<ProjectBody>): Promise<Sale>;
  approve(sale: Pick<Sale, 'project'>, witness: OperatedWitness, earlierVerified?: boolean): Promise<number>;
  /** A further witness, which the platform knows and no signer set names. */
  join(): Promise<OperatedWitness>;
  end(): Promise<void>;
}

const CLOSE_EVERY_MS = 15;
export const LEDGERS_TO_LIVE = 20;

function operate(folder: string, index: number, ledger: string[], lists: string): OperatedWitness & { line: string } {
  const config = path.join(folder, `w${index}`, 'witness.json');
  const said = terminal();
  const options = { host: '127.0.0.1', port: 0, oneServer: false, networkId: NETWORK_ID, ledger, lists: [lists] };
  expect(init({ ...options, config, name: `W${index}` }, said)).toBe(0);
  const [key = '', line = ''] = said.lines;
  const own = path.dirname(config);
  const seed = readFileSync(path.join(own, 'witness.key'), 'utf8').trim();
  registerSecrets(seed);
  return {
    folder: own,
    config,
    seed,
    key,
    line,
    running: null,
    async start() {
      const settings = parseConfig(JSON.parse(readFileSync(this.config, 'utf8')));
      this.running = await startWitness({ folder: this.folder, key: findKey(this.folder), settings });
      // It comes back where the platform knows it.
      const listen = { host: '127.0.0.1', port: Number(new URL(this.running.url).port) };
      writeFileSync(this.config, JSON.stringify({ ...settings, listen }));
    },
    async kill() {
      await this.running?.stop();
      this.running = null;
    },
  };
}

export async function openWitnessedStage(): Promise<WitnessedStage> {
  const stage = await openStage();
  const served = await serveRoutes();
  const second = await startLedger({ peerOf: stage.desk.ledger, networkId: NETWORK_ID });
  const folder = mkdtempSync(path.join(tmpdir(), 'tranche-witnessed-'));
  const ledger = [stage.desk.ledger.wsUrl, second.wsUrl];
  const witnesses = [0, 1, 2].map((index) => operate(folder, index, ledger, served.url));
  for (const witness of witnesses) await witness.start();
  const platform = Wallet.generate();
  registerSecrets(platform.seed);
  const set: SignerSetFile = {
    quorum: 4,
    platform: { account: platform.address, weight: 2 },
    witnesses: witnesses.map(({ key }, index) => ({
      account: key,
      weight: 1,
      name: `W${index}`,
      operator: `Operator ${index}`,
    })),
    ledgers_to_live: LEDGERS_TO_LIVE,
  };
  const custodyFile = path.join(folder, 'custody.json');
  writeFileSync(custodyFile, JSON.stringify(set));
  const introduce = (): void =>
    stage.set({
      WITNESSES: witnesses.map(({ line, running }) => line.replace('<url>', running?.url ?? '')).join(','),
      BASE_URL: served.url,
    });
  introduce();

  const world: WitnessedStage = {
    stage,
    served,
    folder,
    ledger,
    platform,
    witnesses: witnesses as unknown as WitnessedStage['witnesses'],
    set,
    custodyFile,
    keyFile({ address, seed }) {
      const file = path.join(folder, `${address}.key`);
      writeFileSync(file, `${seed}\n`, { mode: 0o600 });
      return file;
    },
    async whileClosing(work) {
      const closing = setInterval(() => stage.desk.close(), CLOSE_EVERY_MS);
      try {
        return await work();
      } finally {
        clearInterval(closing);
      }
    },
    async draft(body = {}) {
      const sale = await stage.draft({ treasury: (await stage.account()).address, ...body });
      const accounts = [sale.deposit, sale.issuer];
      const keys = [...accounts, platform, ...witnesses.map(({ key, seed }) => ({ address: key, seed }))];
      const setUp = terminal();
      const options = {
        accounts: accounts.map(({ address }) => address),
        custody: custodyFile,
        ledger,
        keyFile: keys.map(world.keyFile),
        folder,
        wait: 1,
        pollMs: CLOSE_EVERY_MS,
      };
      expect(await world.whileClosing(() => setUpCustody(options, setUp)), setUp.text).toBe(0);
      for (const account of accounts) stage.entrust(account, platform);
      const { quorum, platform: first, witnesses: others, ledgers_to_live } = set;
      const custody = { quorum, platform: first, witnesses: others, ledgers_to_live };
      await setCustody(stage.ctx, { address: sale.deposit.address, custody, reason: 'its owners said so' });
      for (const witness of witnesses) {
        expect(await world.approve(sale, witness)).toBe(0);
        await witness.running?.witness.readFresh();
      }
      return sale;
    },
    async approve({ project }, { config }, earlierVerified = false) {
      const { sha256 } = await getTerms(stage.ctx, project.id);
      const ask = { config, project: project.id, termsHash: sha256, baseUrl: served.url, yes: false };
      return approve({ ...ask, earlierVerified }, terminal());
    },
    async join() {
      const witness = operate(folder, witnesses.length, ledger, served.url);
      await witness.start();
      witnesses.push(witness);
      introduce();
      return witness;
    },
    async end() {
      for (const witness of witnesses) await witness.kill();
      await second.close();
      await served.close();
      await stage.end();
      rmSync(folder, { recursive: true });
    },
  };
  return world;
}

/** The list of a set, as the ledger keeps it. */
export const weightsOf = (set: SignerSetFile) => listOf(set as Required<SignerSetFile>);
