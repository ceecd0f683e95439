import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type SubmittableTransaction } from 'xrpl';
import { z } from 'zod';
import type { SignerList } from './signer-set.ts';
import type { AccountFacts, OpenObject, RipplingLine } from './steps.ts';

const API_VERSION = 2;
const MASTER_DISABLED = 0x0010_0000;
const PAGE = 200;
/** Two servers may be a ledger apart. */
const AGREE_ATTEMPTS = 10;
const CONNECT_TIMEOUT_MS = 10_000;

const drops = z
  .string()
  .regex(/^\d+$/)
  .transform((text) => BigInt(text));
const listEntry = z.object({
  SignerQuorum: z.int(),
  PreviousTxnLgrSeq: z.int(),
  SignerEntries: z.array(z.object({ SignerEntry: z.object({ Account: z.string(), SignerWeight: z.int() }) })),
});
const accountInfo = z.object({
  account_data: z.object({
    Account: z.string(),
    Balance: drops,
    OwnerCount: z.int(),
    Flags: z.int(),
    RegularKey: z.string().optional(),
  }),
  signer_lists: z.array(listEntry),
  ledger_index: z.int(),
  validated: z.literal(true),
});
const owned = z.object({
  LedgerEntryType: z.string(),
  index: z.string(),
  Account: z.string().optional(),
  Owner: z.string().optional(),
  Flags: z.int().default(0),
  LowLimit: z.unknown().optional(),
  HighLimit: z.unknown().optional(),
  Balance: z.unknown().optional(),
});
const tokens = z.object({ currency: z.string(), issuer: z.string(), value: z.string() });
const LOW_NO_RIPPLE = 0x0010_0000;
const HIGH_NO_RIPPLE = 0x0020_0000;
const objectsPage = z.object({ account_objects: z.array(owned), marker: z.unknown().optional() });
const serverState = z.object({
  state: z.object({
    validated_ledger: z.object({ seq: z.int(), reserve_base: z.int(), reserve_inc: z.int(), base_fee: z.int() }),
  }),
});
const historyPage = z.object({
  ledger_index_min: z.int(),
  marker: z.unknown().optional(),
  transactions: z.array(
    z.object({
      hash: z.string(),
      ledger_index: z.int(),
      validated: z.boolean(),
      tx_json: z.looseObject({
        TransactionType: z.string(),
        Account: z.string(),
        Signers: z.array(z.object({ Signer: z.object({ Account: z.string() }) })).optional(),
        Memos: z.unknown().optional(),
      }),
      meta: z.looseObject({ TransactionResult: z.string() }),
    }),
  ),
});
export type HistoryRow = z.output<typeof historyPage>['transactions'][number];

/** Objects that an account may own: by none of these does anything leave it without a signature. */
const HARMLESS = new Set([
  'SignerList',
  'Ticket',
  'RippleState',
  'MPToken',
  'MPTokenIssuance',
  'DepositPreauth',
  'DID',
  'Oracle',
  'Credential',
  'NFTokenPage',
  'PermissionedDomain',
]);

/** The XRP Ledger as the custody commands need it: one server is asked and sent to, the others must show the same. */
export interface CustodyLedger {
  networkId: number;
  /** The account in the newest validated ledger; null when it does not exist. Throws when the servers stay different. */
  facts(address: string): Promise<AccountFacts | null>;
  validatedIndex(): Promise<number>;
  /** Fee for so many signatures, sequence, LastLedgerSequence and network id filled in; what is there stays. */
  complete(
    transaction: SubmittableTransaction,
    options: { signatures: number; validForLedgers: number },
  ): Promise<SubmittableTransaction>;
  baseFeeDrops(): Promise<bigint>;
  nextSequence(address: string): Promise<number>;
  /** Submits and waits until the ledger has validated it; throws when it has not succeeded, or never can. */
  submit(blob: string, hash: string, lastLedgerSequence: number): Promise<{ ledgerIndex: number }>;
  /** Every validated transaction of the account from a ledger on, the oldest first. Throws when the server lacks some. */
  history(address: string, fromLedger: number): AsyncGenerator<HistoryRow>;
  /** Waits until there may be something new. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

export interface CustodyLedgerOptions {
  urls: readonly string[];
  pollMs?: number;
  /** Where nobody else closes ledgers. */
  beforePoll?: () => Promise<void>;
}

type Ask = (command: string, fields?: object) => Promise<unknown>;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'data' in error
    ? z.object({ error: z.string() }).safeParse(error.data).data?.error
    : undefined;

async function connect(url: string): Promise<{ client: Client; ask: Ask }> {
  const client = new Client(url, { connectionTimeout: CONNECT_TIMEOUT_MS, timeout: CONNECT_TIMEOUT_MS });
  // Broken connections show where a request fails; without a listener they would be uncaught errors.
  client.on('error', () => {});
  await client.connect();
  const ask: Ask = async (command, fields = {}) =>
    (
      await client.connection.request<{ command: string }, { result: unknown }>({
        ...fields,
        command,
        api_version: API_VERSION,
      } as { command: string })
    ).result;
  return { client, ask };
}

const stateOf = async (ask: Ask) => serverState.parse(await ask('server_state')).state.validated_ledger;

async function* historyOf(ask: Ask, account: string, fromLedger: number): AsyncGenerator<HistoryRow> {
  let marker: unknown;
  do {
    const page = historyPage.parse(
      await ask('account_tx', {
        account,
        ledger_index_min: fromLedger,
        ledger_index_max: -1,
        forward: true,
        limit: PAGE,
        ...(marker === undefined ? {} : { marker }),
      }),
    );
    if (fromLedger !== -1 && page.ledger_index_min > fromLedger) {
      throw new HistoryMissing(`The ledger server holds no ledgers before ${page.ledger_index_min}`);
    }
    yield* page.transactions.filter(({ validated }) => validated);
    marker = page.marker;
  } while (marker !== undefined);
}

class HistoryMissing extends Error {}

/**
 * The line of an account that holds or would hold tokens by it and lets others' payments ripple through; null for any other
 * object, and for a line by which the account issues.
 */
function ripplingLine(entry: z.output<typeof owned>, address: string): RipplingLine | null {
  if (entry.LedgerEntryType !== 'RippleState') return null;
  const [low, high, balance] = [entry.LowLimit, entry.HighLimit, entry.Balance].map((amount) => tokens.parse(amount));
  if (low === undefined || high === undefined || balance === undefined) return null;
  const isLow = low.issuer === address;
  const [own, other] = isLow ? [low, high] : [high, low];
  const held = isLow ? Number(balance.value) : -Number(balance.value);
  const isClosed = (entry.Flags & (isLow ? LOW_NO_RIPPLE : HIGH_NO_RIPPLE)) !== 0;
  if (isClosed || (Number(own.value) === 0 && held <= 0)) return null;
  return { currency: own.currency, peer: other.issuer, limit: own.value };
}

async function ownedBy(
  ask: Ask,
  address: string,
  ledgerIndex: number,
): Promise<Pick<AccountFacts, 'openObjects' | 'ripplingLines' | 'tickets'>> {
  const open: OpenObject[] = [];
  let tickets = 0;
  const ripplingLines: RipplingLine[] = [];
  let marker: unknown;
  do {
    const page = objectsPage.parse(
      await ask('account_objects', {
        account: address,
        ledger_index: ledgerIndex,
        limit: PAGE,
        ...(marker === undefined ? {} : { marker }),
      }),
    );
    for (const entry of page.account_objects) {
      const { LedgerEntryType: type, index, Account, Owner } = entry;
      const line = ripplingLine(entry, address);
      if (line !== null) ripplingLines.push(line);
      if (type === 'Ticket') tickets += 1;
      // Others' checks, escrows and channels to this account are listed too: they bring something.
      const isOwn = (Owner ?? Account ?? address) === address;
      if (isOwn && !HARMLESS.has(type)) open.push({ type, index });
    }
    marker = page.marker;
  } while (marker !== undefined);
  return { openObjects: open, ripplingLines, tickets };
}

/** The keys of a list that have signed what was validated since it was set. */
async function provenKeysOf(
  ask: Ask,
  address: string,
  keys: readonly string[],
  setInLedger: number,
): Promise<string[] | null> {
  const missing = new Set(keys);
  try {
    for await (const { tx_json: transaction, ledger_index, meta } of historyOf(ask, address, setInLedger)) {
      const isOurs = transaction.Account === address && ledger_index > setInLedger;
      if (!isOurs || meta.TransactionResult !== 'tesSUCCESS') continue;
      for (const { Signer } of transaction.Signers ?? []) missing.delete(Signer.Account);
      if (missing.size === 0) break;
    }
  } catch (error) {
    if (error instanceof HistoryMissing || codeOf(error) === 'lgrIdxMalformed') return null;
    throw error;
  }
  return keys.filter((key) => !missing.has(key));
}

async function factsOf(ask: Ask, address: string): Promise<AccountFacts | null> {
  const fields = { account: address, signer_lists: true, ledger_index: 'validated' };
  const answer = await ask('account_info', fields).catch((error: unknown) => {
    if (codeOf(error) === 'actNotFound') return null;
    throw error;
  });
  if (answer === null) return null;
  const { account_data: root, signer_lists: lists, ledger_index: ledgerIndex } = accountInfo.parse(answer);
  const [entry] = lists;
  const list: SignerList | null =
    entry === undefined
      ? null
      : {
          quorum: entry.SignerQuorum,
          weights: Object.fromEntries(
            entry.SignerEntries.map(({ SignerEntry }) => [SignerEntry.Account, SignerEntry.SignerWeight] as const)
              // Sorted, because servers answer in different orders and the answers are compared.
              .toSorted(([one], [other]) => (one < other ? -1 : 1)),
          ),
        };
  const { reserve_base, reserve_inc } = await stateOf(ask);
  return {
    address: root.Account,
    balanceDrops: root.Balance,
    ownerCount: root.OwnerCount,
    masterDisabled: (root.Flags & MASTER_DISABLED) !== 0,
    regularKey: root.RegularKey ?? null,
    list,
    ...(await ownedBy(ask, address, ledgerIndex)),
    provenKeys:
      entry === undefined || list === null
        ? []
        : await provenKeysOf(ask, address, Object.keys(list.weights), entry.PreviousTxnLgrSeq),
    reserveBaseDrops: BigInt(reserve_base),
    reserveIncrementDrops: BigInt(reserve_inc),
  };
}

/** What must be the same on every server. A balance moves while it is asked for. */
const comparable = (facts: AccountFacts | null): string =>
  facts === null
    ? 'none'
    : JSON.stringify([
        facts.masterDisabled,
        facts.regularKey,
        facts.list,
        facts.openObjects,
        facts.ripplingLines,
        facts.provenKeys,
      ]);

/** Works on the ledger with connections that are closed afterwards. */
export async function withCustodyLedger<T>(
  options: CustodyLedgerOptions,
  work: (ledger: CustodyLedger) => Promise<T>,
): Promise<T> {
  const ledger = await openCustodyLedger(options);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** Opens connections to all servers. Throws when one cannot be reached, or is on another network than the first. */
export async function openCustodyLedger({
  urls,
  pollMs = 1_000,
  beforePoll = async () => {},
}: CustodyLedgerOptions): Promise<CustodyLedger> {
  const servers = await Promise.all(urls.map(connect));
  const [first] = servers;
  if (first === undefined) throw new Error('Name a ledger server');
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(({ client }) => client.disconnect()));
  };
  const networkId = first.client.networkID ?? 0;
  if (servers.some(({ client }) => (client.networkID ?? 0) !== networkId)) {
    await close();
    throw new Error('The ledger servers are on different networks');
  }
  const { ask, client } = first;
  const pause = async (): Promise<void> => {
    await sleep(pollMs);
    await beforePoll();
  };

  const outcomeOf = async (hash: string): Promise<{ result: string; ledgerIndex: number } | null> => {
    const shown = z.object({
      validated: z.literal(true),
      ledger_index: z.int(),
      meta: z.object({ TransactionResult: z.string() }),
    });
    const answer = await ask('tx', { transaction: hash }).catch((error: unknown) => {
      if (codeOf(error) === 'txnNotFound') return null;
      throw error;
    });
    const read = shown.safeParse(answer);
    if (!read.success) return null;
    return { result: read.data.meta.TransactionResult, ledgerIndex: read.data.ledger_index };
  };

  return {
    networkId,
    pause,
    close,
    async facts(address) {
      for (let attempt = 1; ; attempt++) {
        const [shown, ...others] = await Promise.all(servers.map((server) => factsOf(server.ask, address)));
        const facts = shown ?? null;
        if (others.every((other) => comparable(other) === comparable(facts))) return facts;
        if (attempt === AGREE_ATTEMPTS) throw new Error(`The ledger servers show ${address} differently`);
        await pause();
      }
    },
    validatedIndex: async () => (await stateOf(ask)).seq,
    baseFeeDrops: async () => BigInt((await stateOf(ask)).base_fee),
    async nextSequence(address) {
      const answer = await ask('account_info', { account: address, ledger_index: 'current' });
      return z.object({ account_data: z.object({ Sequence: z.int() }) }).parse(answer).account_data.Sequence;
    },
    async complete(transaction, { signatures, validForLedgers }) {
      const filled = await client.autofill(
        { LastLedgerSequence: (await stateOf(ask)).seq + validForLedgers, ...transaction },
        // Fee of one signature, and one more for each signer of a list.
        signatures > 1 ? signatures : 0,
      );
      return filled;
    },
    async submit(blob, hash, lastLedgerSequence) {
      const submitted = z
        .object({ engine_result: z.string(), engine_result_message: z.string() })
        .parse(await ask('submit', { tx_blob: blob }));
      const { engine_result: preliminary, engine_result_message: message } = submitted;
      // Of these the ledger keeps nothing: waiting would be in vain.
      if (/^te[mf]/.test(preliminary) && (await outcomeOf(hash)) === null) {
        throw new Error(`The ledger does not take it: ${preliminary} (${message.replace(/\.$/, '')})`);
      }
      for (;;) {
        const validated = await stateOf(ask);
        const outcome = await outcomeOf(hash);
        if (outcome?.result === 'tesSUCCESS') return { ledgerIndex: outcome.ledgerIndex };
        if (outcome !== null) throw new Error(`It was validated and did nothing: ${outcome.result}. Hash ${hash}`);
        if (validated.seq > lastLedgerSequence) {
          throw new Error(`It was not validated by ledger ${lastLedgerSequence} and never will be (${preliminary})`);
        }
        await pause();
      }
    },
    history: (address, fromLedger) => historyOf(ask, address, fromLedger),
  };
}
