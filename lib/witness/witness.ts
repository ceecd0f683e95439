import { createHash } from 'node:crypto';
import path from 'node:path';
import { purposeId } from '@tranche/rules/custody.ts';
import { forNetwork } from '@tranche/rules/transactions.ts';
import packageJson from '@tranche/witness/package.json' with { type: 'json' };
import { encodeForMultisigning } from 'ripple-binary-codec';
import * as z from 'zod';
import { type Config, type Key, limitsOf } from './config.ts';
import { BEING_READ, Credentials } from './credentials.ts';
import { credentialsOfAction, decide, faultOf, type Limits, type Signed } from './decide.ts';
import { Derivation } from './derive.ts';
import { approvalsMark, LISTS, LOG_FILE, readApprovals, readHalt } from './folder.ts';
import { signMessage } from './key-signature.ts';
import { Lists } from './lists.ts';
import { loadInputs } from './load-inputs.ts';
import { type LogEntry, openLog, outputLog, type WitnessLog } from './log.ts';
import {
  type Candidate,
  candidate as candidateSchema,
  type HealthAnswer,
  MAX_CANDIDATES,
  type Refusal,
  readPurpose,
  type SignaturesAnswer,
  type StatusAnswer,
  type WitnessSignature,
} from './protocol.ts';
import { beginningOf, hostOf, openServers, type Positions, readOn, type Server, ViewFault } from './read-ledger.ts';

/** Signed, and not seen in a validated ledger yet. */
interface Pending extends Signed {
  account: string;
  sequence: number | null;
  expires: number;
  /** Of the bytes that were signed: the same ones again need no further line. */
  sha256: string;
}

/** Refusals that have a line of their own in the log; more of them in a minute are counted in one. */
const LOGGED_REFUSALS_A_MINUTE = 300;
const MINUTE_MS = 60_000;
/** Refusals that the status names. */
const RECENT_REFUSALS = 20;
const DAY_MS = 24 * 3_600_000;
/** How long after its approval a sale may be launched. */
const APPROVED_FOR_MS = 30 * DAY_MS;
/** A request waits so long for the newest ledger. */
const FRESH_WITHIN_MS = 8_000;
/** A reading waits so long for allowlists and credentials, and a request that names one longer. */
const INPUTS_WITHIN = { listsMs: 500, credentialsMs: 1_500 };
const NAMED_WITHIN_MS = 2_500;
/** As many actions as sequences may lie ahead can be signed at once. */
const MAX_NAMED = 4;
/** Each for the newest ledger. */
const MOST_TRIES = 3;
/** Between two readings while nobody asks. */
const READ_EVERY_MS = 1_000;
/** The platform waits 5 s for a status. */
const SHOWN_WITHIN_MS = 3_000;

const LOGS: Record<Config['log'], (file: string) => WitnessLog> = {
  file: openLog,
  standard_output: () => outputLog((text) => void process.stdout.write(text)),
  none: () => outputLog(() => undefined),
};

/** A witness: reads the ledger, decides, signs and writes it down (docs/custody.md). */
export class Witness {
  readonly config: Config;
  readonly key: Key;
  readonly folder: string;
  readonly #limits: Limits;
  readonly #servers: Server[];
  readonly #log: WitnessLog;
  readonly #lists: Lists;
  readonly #credentials: Credentials;
  /** Approvals that cannot be read, and why. */
  #unreadable: StatusAnswer['unreadable_approvals'] = [];
  #derivation: Derivation;
  #positions: Positions = new Map();
  #approvals = '';
  /** Why nothing is signed now, whatever the account. */
  #fault: Refusal | null = { reason: 'catching_up', detail: 'Nothing has been read yet' };
  #reading: Promise<void> | null = null;
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** It reads now and then, whether it is asked or not. */
  #readsOn = false;
  #signing: Promise<unknown> = Promise.resolve();
  #pending: Pending[] = [];
  #recent: StatusAnswer['recent_refusals'] = [];
  #logged = { sinceMs: Number.NEGATIVE_INFINITY, refusals: 0, omitted: 0 };
  #counted: { atMs: number; signed: boolean }[] = [];
  #halted: StatusAnswer['halted'] = null;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(config: Config, key: Key, folder: string) {
    this.config = config;
    this.key = key;
    this.folder = folder;
    this.#limits = limitsOf(config);
    this.#servers = openServers(config.ledger, config.network_id);
    this.#derivation = new Derivation([]);
    this.#log = LOGS[config.log](path.join(folder, LOG_FILE));
    const keptIn = config.log === 'file' ? path.join(folder, LISTS) : null;
    this.#lists = new Lists({ sources: config.lists, keptIn });
    this.#credentials = new Credentials(this.#servers);
    this.#log.append([{ at: now(), event: 'started' }]);
  }

  /** Reads on now and then; a request reads on by itself. */
  start(): void {
    this.#readsOn = true;
    const again = (): void => {
      if (this.#stopped) return;
      this.halted();
      void this.readOn().finally(() => {
        if (!this.#stopped) this.#timer = setTimeout(again, READ_EVERY_MS).unref();
      });
    };
    again();
  }

  /** Ends its connections, after what it is doing. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const { ledger } of this.#servers) ledger.close();
    await Promise.allSettled([this.#reading, this.#signing]);
    // A reading that was under way may have opened one again.
    for (const { ledger } of this.#servers) ledger.close();
    this.#log.close();
  }

  /** What it has read, for an audit. */
  get derivation(): Derivation {
    return this.#derivation;
  }

  /** Reads the ledger up to its newest part. Never throws: what is wrong is why nothing is signed. */
  readOn(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#readAtMs = performance.now();
      this.#reading = null;
    });
    return this.#reading;
  }

  get #sources() {
    return { lists: this.#lists, credentials: this.#credentials };
  }

  /** The credentials that payments depend on are being read: the next reading brings more of them. */
  get isCatchingUp(): boolean {
    return this.#fault === null && [...this.#derivation.books.values()].some(({ refuses }) => refuses === BEING_READ);
  }

  async #read(): Promise<void> {
    try {
      this.#loadApprovals();
      await readOn({
        servers: this.#servers,
        networkId: this.config.network_id,
        minServerVersion: this.config.min_server_version,
        derivation: this.#derivation,
        positions: this.#positions,
        loadInputs: () => loadInputs(this.#derivation.books.values(), this.#sources, INPUTS_WITHIN),
      });
      this.#fault = null;
      this.#dropDecided();
    } catch (error) {
      this.#fault =
        error instanceof ViewFault
          ? { reason: error.reason, detail: error.message }
          : { reason: 'catching_up', detail: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Begins anew, from the ledgers that the terms name, when what is approved has changed. */
  #loadApprovals(): void {
    const mark = approvalsMark(this.folder);
    if (mark === this.#approvals) return;
    const { approvals, unreadable } = readApprovals(this.folder);
    this.#unreadable = unreadable.map(({ file, refused: { reason, detail } }) => ({ file, reason, detail }));
    this.#derivation = new Derivation(
      approvals.map(({ terms }) => terms),
      new Map(approvals.map(({ terms, approvedAtMs }) => [terms.projectId, approvedAtMs + APPROVED_FOR_MS])),
      new Map(unreadable.flatMap(({ accounts, refused }) => accounts.map((account) => [account, refused]))),
    );
    this.#positions = beginningOf(this.#derivation);
    this.#approvals = mark;
  }

  #dropDecided(): void {
    const { view, accounts } = this.#derivation;
    if (view === null) return;
    this.#pending = this.#pending.filter(({ account: address, ticket, sequence, expires }) => {
      const account = accounts.get(address);
      const isUsed =
        ticket !== null
          ? account?.tickets.get(ticket)?.usedBy != null
          : sequence !== null && sequence < (account?.onLedger?.sequence ?? 0);
      return expires > view.ledgerIndex && !isUsed;
    });
    this.#counted = this.#counted.filter(({ atMs }) => atMs > Date.now() - DAY_MS);
  }

  /** The stop that its operator has ordered; null when there is none. A change is written down, as soon as that can be done. */
  halted(): StatusAnswer['halted'] {
    const halt = readHalt(this.folder);
    if ((halt === null) === (this.#halted === null)) return halt;
    const reason = (halt ?? this.#halted)?.reason ?? '';
    try {
      this.#log.append([{ at: now(), event: halt === null ? 'resumed' : 'halted', reason }]);
      this.#halted = halt;
    } catch {
      // It holds all the same: what cannot be written down is not signed either.
    }
    return halt;
  }

  /** Why nothing is signed for anybody now. */
  fault(): Refusal | null {
    const halt = this.halted();
    if (halt !== null) return { reason: 'halted', detail: `Since ${halt.since}: ${halt.reason}` };
    return this.#fault;
  }

  /**
   * Signs what of the candidates is owed, and says why not the others; one answer each, in their order. Everything is in the
   * log before it is answered. Requests are decided one after the other, so that limits count.
   */
  sign(account: string, candidates: readonly unknown[]): Promise<SignaturesAnswer> {
    const turn = this.#signing.then(() => this.#sign(account, candidates));
    this.#signing = turn.catch(() => undefined);
    return turn;
  }

  async #sign(account: string, candidates: readonly unknown[]): Promise<SignaturesAnswer> {
    if (candidates.length > MAX_CANDIDATES) throw new RangeError(`At most ${MAX_CANDIDATES} candidates`);
    const parsed = candidates.map((each) => candidateSchema.safeParse(each));
    await this.readFresh();
    if (await this.#loadNamedLists(account, parsed)) await this.readFresh();
    for (let tries = 0; tries < MOST_TRIES && (await this.#readNamedCredentials(account, parsed)); tries++);
    // From here on nothing is waited for: a reading in between would show one account further than another.
    const fault = this.fault() ?? this.#unreadFault();
    const before = [...this.#pending];
    const entries: LogEntry[] = [];
    const results = parsed.map((each): SignaturesAnswer['results'][number] => {
      if (!each.success) {
        const detail = z.prettifyError(each.error).slice(0, 500);
        return this.#refuse(entries, account, null, { reason: 'malformed', detail });
      }
      const result = fault === null ? this.#decide(account, each.data) : { refused: fault };
      if ('refused' in result) return this.#refuse(entries, account, each.data, result.refused);
      const { signed, digest, isAgain } = result;
      if (!isAgain) entries.push({ ...this.#described(account, each.data, 'signed'), candidate: digest });
      this.#counted.push({ atMs: Date.now(), signed: true });
      return { signed };
    });
    try {
      this.#log.append(entries);
    } catch (error) {
      // Nothing of it is given away: when it is asked for again it has no line yet.
      this.#pending = before;
      throw error;
    }
    return { ledger_index: this.#derivation.view?.ledgerIndex ?? 0, results };
  }

  /** A reading that takes longer than a request waits. */
  #unreadFault(): Refusal | null {
    return this.#reading === null ? null : { reason: 'catching_up', detail: 'The newest ledger is being read' };
  }

  /**
   * Reads on where nothing does so by itself, as in a serverless function, before it says how it is: not more than once in a
   * second, and not waiting longer for its servers than who asks does.
   */
  async lookAgain(): Promise<void> {
    if (this.#readsOn || performance.now() - this.#readAtMs < READ_EVERY_MS) return;
    await this.readFresh(SHOWN_WITHIN_MS);
  }

  /** Reads the ledger, and what is approved, as they are from now on; gives up waiting after `withinMs`. */
  async readFresh(withinMs = FRESH_WITHIN_MS): Promise<void> {
    // What is under way may have begun before the ledger that the request is about.
    const fresh = (async () => {
      await this.#reading;
      await this.readOn();
    })();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([fresh, late]);
    clearTimeout(timer);
  }

  /**
   * An allowlist that an action is to put in force must be there before it is signed; the decision says where it is not. False
   * when nothing had to be looked for.
   */
  async #loadNamedLists(account: string, parsed: readonly z.ZodSafeParseResult<Candidate>[]): Promise<boolean> {
    const book = this.#derivation.books.get(account);
    const named = parsed.flatMap(({ data }) => {
      if (book === undefined || data?.kind !== 'action') return [];
      const { move, project, list_hash: listHash } = data.memo;
      const hash = move === 'launch' ? (book.project(project)?.listHash ?? null) : move === 'list' ? listHash : null;
      return hash == null || !book.sales.has(project) || book.hasList(project, hash) ? [] : [[project, hash] as const];
    });
    const lists = [...new Map(named.map((each) => [each.join(), each])).values()].slice(0, MAX_NAMED);
    await Promise.all(
      lists.map(async ([projectId, hash]) => {
        const found = await this.#lists.find({ projectId, hash }, NAMED_WITHIN_MS);
        if (!('failed' in found)) book?.putList(projectId, hash, found);
      }),
    );
    return lists.length > 0;
  }

  /**
   * The credentials that the effect of an assign would depend on in the next ledger; the decision says where they are not
   * there. False when nothing had to be read: that ledger may come meanwhile.
   */
  async #readNamedCredentials(account: string, parsed: readonly z.ZodSafeParseResult<Candidate>[]): Promise<boolean> {
    const { books, view } = this.#derivation;
    const book = books.get(account);
    if (book === undefined || view === null) return false;
    const memos = parsed.flatMap(({ data }) =>
      data?.kind === 'action' && data.memo.move === 'assign' ? data.memo : [],
    );
    const questions = memos.slice(0, MAX_NAMED).flatMap((memo) => credentialsOfAction(book, memo, view));
    return questions.length > 0 && (await this.#credentials.read(questions, NAMED_WITHIN_MS)) === null;
  }

  #decide(
    account: string,
    candidate: Candidate,
  ): { signed: WitnessSignature; digest: string; isAgain: boolean } | { refused: Refusal } {
    const pending = this.#pending.filter((each) => each.account === account && !isOf(each, candidate));
    const decision = decide(this.#derivation, { limits: this.#limits, pending }, account, candidate);
    if ('refused' in decision) return decision;
    const transaction = { ...forNetwork(decision.transaction, this.config.network_id), SigningPubKey: '' };
    const bytes = encodeForMultisigning(transaction, this.key.address);
    const digest = sha256(bytes);
    const isAgain = this.#pending.some((each) => each.account === account && each.sha256 === digest);
    this.#pending = this.#pending.filter((each) => each.account !== account || !isOf(each, candidate));
    this.#pending.push({
      ...decision.spent,
      account,
      ticket: ticketOf(candidate),
      sequence: 'sequence' in candidate ? (candidate.sequence ?? null) : null,
      expires: candidate.last_ledger_sequence,
      sha256: digest,
    });
    const signature = signMessage(bytes, this.key.privateKey);
    return { signed: { account: this.key.address, public_key: this.key.publicKey, signature }, digest, isAgain };
  }

  #refuse(entries: LogEntry[], account: string, candidate: Candidate | null, refused: Refusal): { refused: Refusal } {
    const { reason, detail } = refused;
    const described =
      candidate === null
        ? { at: now(), event: 'refused' as const, account }
        : this.#described(account, candidate, 'refused');
    this.#logRefusal(entries, { ...described, reason, detail });
    this.#counted.push({ atMs: Date.now(), signed: false });
    const kind = candidate?.kind ?? 'unknown';
    this.#recent = [{ at: now(), reason, kind, purpose: purposeText(candidate) }, ...this.#recent].slice(
      0,
      RECENT_REFUSALS,
    );
    return { refused };
  }

  #logRefusal(entries: LogEntry[], entry: LogEntry): void {
    const nowMs = performance.now();
    if (nowMs - this.#logged.sinceMs > MINUTE_MS) {
      const { omitted } = this.#logged;
      if (omitted > 0) entries.push({ at: now(), event: 'omitted', count: omitted });
      this.#logged = { sinceMs: nowMs, refusals: 0, omitted: 0 };
    }
    if (this.#logged.refusals < LOGGED_REFUSALS_A_MINUTE) {
      this.#logged.refusals += 1;
      entries.push(entry);
    } else this.#logged.omitted += 1;
  }

  #described(account: string, candidate: Candidate, event: 'signed' | 'refused'): LogEntry {
    const ticket = ticketOf(candidate);
    return {
      at: now(),
      event,
      ledger_index: this.#derivation.view?.ledgerIndex ?? 0,
      account,
      kind: candidate.kind,
      purpose: purposeText(candidate),
      ...(candidate.kind === 'ticket_create'
        ? { purposes: candidate.purposes.map((each) => purposeId(readPurpose(each))) }
        : {}),
      ...(ticket === null ? {} : { ticket }),
      ...('sequence' in candidate && candidate.sequence !== undefined ? { sequence: candidate.sequence } : {}),
      last_ledger_sequence: candidate.last_ledger_sequence,
      fee_drops: candidate.fee_drops,
    };
  }

  health(): HealthAnswer {
    const fault = this.fault();
    const status = fault === null ? 'ok' : fault.reason;
    return {
      status: status as HealthAnswer['status'],
      ledger_index: this.#derivation.view?.ledgerIndex ?? 0,
    };
  }

  status(): StatusAnswer {
    const { view, accounts, stopped } = this.#derivation;
    const fault = this.fault();
    const unserved = [...stopped].filter(([account]) => !accounts.has(account));
    return {
      name: this.config.name,
      version: packageJson.version,
      rules_version: 2,
      key: this.key.address,
      accounts: [
        ...[...accounts.values()].map((account) => ({
          account: account.address,
          sales: account.sales.map(({ projectId }) => projectId),
          refuses: fault ?? faultOf(this.#derivation, account),
        })),
        ...unserved.map(([account, refuses]) => ({ account, sales: [], refuses })),
      ],
      unreadable_approvals: this.#unreadable,
      ledger_index: view?.ledgerIndex ?? 0,
      ledger_time: view === null ? null : new Date(view.closedAtMs).toISOString(),
      servers: this.#servers.map(({ url, ok }) => ({ host: hostOf(url), ok })),
      halted: this.halted(),
      signed_24h: this.#counted.filter(({ signed }) => signed).length,
      refused_24h: this.#counted.filter(({ signed }) => !signed).length,
      recent_refusals: this.#recent,
    };
  }
}

const now = (): string => new Date().toISOString();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const ticketOf = (candidate: Candidate): number | null =>
  'ticket' in candidate && candidate.ticket !== undefined ? candidate.ticket : null;

/** Whether a transaction signed before and this one exclude each other: only one of them can be validated. */
const isOf = ({ ticket, sequence }: Pending, candidate: Candidate): boolean =>
  ticket === null ? 'sequence' in candidate && sequence === candidate.sequence : ticket === ticketOf(candidate);

function purposeText(candidate: Candidate | null): string | null {
  if (candidate === null || candidate.kind === 'ticket_cancel' || candidate.kind === 'ticket_create') return null;
  if (candidate.kind === 'action') return `${candidate.memo.move} ${candidate.memo.project}`;
  const { purpose } = candidate;
  return purpose.kind === 'release'
    ? `release ${purpose.project} ${candidate.release?.amount_xrp} after ${candidate.release?.released_xrp}`
    : `${purpose.kind} ${purpose.ledger_index}:${purpose.transaction_index} part ${purpose.part}`;
}
