import { AccountHistories } from './accountHistories.ts';
import type { Metadata } from './engine/metadata.ts';
import { assetOf } from './engine/paths/quantity.ts';
import type { Offer } from './entries.ts';
import { affectedAccounts, type ClosedLedger, type ValidatedTransaction } from './history.ts';
import { isObject, type JsonObject } from './json.ts';
import type { ServerNode } from './node.ts';
import { engineResult, type ResultName } from './results.ts';
import { bookChangesOf } from './rpc/bookChanges.ts';
import { loadLevels } from './rpc/load.ts';
import { ownerFunds } from './rpc/ownerFunds.ts';
import { pathAnswer } from './rpc/pathRequest.ts';
import { ctid, isoTime, shownFields, shownMeta } from './rpc/render.ts';
import { ledgerStreamFields } from './rpc/subscribe.ts';
import { bookKey } from './rpc/subscribedBooks.ts';
import {
  type ApiVersion,
  type OpenPathRequest,
  RpcError,
  type StreamRegistry,
  type StreamWish,
  type Subscriber,
} from './rpc/types.ts';
import type { ReadView } from './state.ts';
import type { Transaction } from './transaction.ts';

/** Subscribers with the API version each subscribed in. */
type Audience = Map<Subscriber, ApiVersion>;

function validatedMessage(
  entry: ValidatedTransaction,
  apiVersion: ApiVersion,
  { chain, rules }: ServerNode,
): JsonObject {
  const { tx, meta, ledger } = entry;
  const isOffer = tx.fields.TransactionType === 'OfferCreate';
  const funds = isOffer ? ownerFunds(chain.state.view(ledger), rules, tx.fields) : undefined;
  const fields = {
    ...shownFields(tx.fields, apiVersion),
    date: ledger.closeTime,
    ...(funds === undefined ? {} : { owner_funds: funds }),
  };
  return {
    close_time_iso: isoTime(ledger.closeTime),
    ctid: ctid(entry, rules.networkId),
    ...engineResult(meta.TransactionResult),
    ledger_hash: ledger.hash,
    ledger_index: ledger.ledgerIndex,
    meta: shownMeta(meta, tx.fields),
    status: 'closed',
    ...(apiVersion === 1 ? { transaction: { ...fields, hash: tx.hash } } : { hash: tx.hash, tx_json: fields }),
    type: 'transaction',
    validated: true,
  };
}

function proposedMessage(tx: Transaction, result: ResultName, apiVersion: ApiVersion, ledgerIndex: number): JsonObject {
  const fields = shownFields(tx.fields, apiVersion);
  return {
    ...engineResult(result),
    ledger_current_index: ledgerIndex,
    status: 'proposed',
    ...(apiVersion === 1 ? { transaction: { ...fields, hash: tx.hash } } : { hash: tx.hash, tx_json: fields }),
    type: 'transaction',
    validated: false,
  };
}

/** Fields of an affected offer that say what it gives and wants: those it had before the transaction, if it was there. */
const OFFER_FIELDS = [
  ['ModifiedNode', 'PreviousFields'],
  ['CreatedNode', 'NewFields'],
  ['DeletedNode', 'FinalFields'],
] as const;

/**
 * The books of which a transaction touched an offer. As on the server, who subscribes to a book hears of the offers of
 * the other direction: those that a taker of this book would make.
 */
function* touchedBooks({ AffectedNodes: nodes }: Metadata): Generator<string> {
  for (const node of nodes) {
    for (const [kind, name] of OFFER_FIELDS) {
      const affected = node[kind];
      if (!isObject(affected) || affected.LedgerEntryType !== 'Offer') continue;
      const fields = affected[name];
      if (!isObject(fields) || fields.TakerGets === undefined || fields.TakerPays === undefined) continue;
      const {
        TakerGets: gets,
        TakerPays: pays,
        DomainID: domain,
      } = fields as Partial<Offer> & Pick<Offer, 'TakerGets' | 'TakerPays'>;
      yield bookKey({ in: assetOf(gets), out: assetOf(pays), ...(domain === undefined ? {} : { domain }) });
    }
  }
}

/** A message in each version in which somebody hears it, written once for all of them. */
function written(message: (apiVersion: ApiVersion) => JsonObject): (apiVersion: ApiVersion) => string {
  const texts = new Map<ApiVersion, string>();
  return (apiVersion) => {
    const text = texts.get(apiVersion) ?? JSON.stringify(message(apiVersion));
    texts.set(apiVersion, text);
    return text;
  };
}

/** Who listens to what; pushes ledgers and transactions as they are proposed and validated. */
export class Streams implements StreamRegistry {
  private readonly node: ServerNode;
  private readonly leaveChain: () => void;
  private readonly byStream = new Map<string, Audience>();
  private readonly byAccount = new Map<string, Audience>();
  private readonly byAccountProposed = new Map<string, Audience>();
  private readonly byBook = new Map<string, Audience>();
  private readonly histories: AccountHistories;
  private readonly pathRequests = new Map<Subscriber, OpenPathRequest>();
  /** The newest ledger in which the open path requests were looked for. */
  private searchedIndex = 0;
  /** The status that the `server` stream last had, as it was sent. */
  private lastServerStatus = '';

  constructor(node: ServerNode) {
    this.node = node;
    this.histories = new AccountHistories(node, (entry, apiVersion) => validatedMessage(entry, apiVersion, node));
    this.leaveChain = node.chain.on({
      proposed: (tx, result) => {
        if (!node.lags) this.onProposed(tx, result);
      },
    });
    node.whenValidated((ledger) => this.onClosed(ledger));
  }

  /** Pushes nothing any more. */
  stop(): void {
    this.leaveChain();
    this.histories.clear();
    this.pathRequests.clear();
    for (const group of [this.byStream, this.byAccount, this.byAccountProposed, this.byBook]) group.clear();
  }

  private groups(wish: StreamWish): [Map<string, Audience>, readonly string[]][] {
    return [
      [this.byStream, wish.streams],
      [this.byAccount, wish.accounts],
      [this.byAccountProposed, wish.accountsProposed],
      [this.byBook, wish.books],
    ];
  }

  subscribe(subscriber: Subscriber, wish: StreamWish, apiVersion: ApiVersion): void {
    for (const [group, keys] of this.groups(wish)) {
      for (const key of keys) {
        const audience = group.get(key) ?? new Map<Subscriber, ApiVersion>();
        group.set(key, audience.set(subscriber, apiVersion));
      }
    }
  }

  unsubscribe(subscriber: Subscriber, wish: StreamWish): void {
    for (const [group, keys] of this.groups(wish)) {
      for (const key of keys) {
        const audience = group.get(key);
        audience?.delete(subscriber);
        if (audience?.size === 0) group.delete(key);
      }
    }
  }

  followAccount(subscriber: Subscriber, address: string, apiVersion: ApiVersion): boolean {
    return this.histories.follow(subscriber, address, apiVersion);
  }

  unfollowAccount(subscriber: Subscriber, address: string, earlierOnly: boolean): void {
    this.histories.unfollow(subscriber, address, earlierOnly);
  }

  /** Forgets a subscriber whose connection closed. */
  drop(subscriber: Subscriber): void {
    this.histories.drop(subscriber);
    this.pathRequests.delete(subscriber);
    for (const group of [this.byStream, this.byAccount, this.byAccountProposed, this.byBook]) {
      for (const [key, audience] of group) {
        audience.delete(subscriber);
        if (audience.size === 0) group.delete(key);
      }
    }
  }

  private onProposed(tx: Transaction, result: ResultName): void {
    this.publishServerStatus();
    const listeners: Audience = new Map(this.byStream.get('transactions_proposed'));
    if (this.byAccountProposed.size > 0) {
      for (const address of [tx.fields.Account, tx.fields.Destination ?? '']) {
        for (const [subscriber, apiVersion] of this.byAccountProposed.get(address) ?? []) {
          listeners.set(subscriber, apiVersion);
        }
      }
    }
    const text = written((apiVersion) => proposedMessage(tx, result, apiVersion, this.node.openIndex));
    for (const [subscriber, apiVersion] of listeners) subscriber.sendText(text(apiVersion));
  }

  /** The ledger first, then its transactions in order, as the server does. */
  private onClosed(ledger: ClosedLedger): void {
    this.publishServerStatus();
    this.publishConsensusPhase('establish');
    this.publishConsensusPhase('accepted');
    const message = {
      ...ledgerStreamFields(this.node, ledger),
      txn_count: ledger.transactions.length,
      type: 'ledgerClosed',
    };
    const text = JSON.stringify(message);
    for (const subscriber of this.byStream.get('ledger')?.keys() ?? []) subscriber.sendText(text);
    this.publishBookChanges(ledger);
    const last = ledger.transactions.at(-1);
    for (const entry of ledger.transactions) this.publish(entry, entry === last);
    this.publishPaths(ledger);
    this.publishConsensusPhase('open');
  }

  /**
   * Tells of the phases that a server in a network goes through for each ledger. A real standalone server closes its
   * ledgers outside of them and tells of none, so a strict one does not either.
   */
  private publishConsensusPhase(consensus: 'establish' | 'accepted' | 'open'): void {
    if (this.node.isStrict) return;
    const text = JSON.stringify({ type: 'consensusPhase', consensus });
    for (const subscriber of this.byStream.get('consensus')?.keys() ?? []) subscriber.sendText(text);
  }

  /** Tells what the server asks for, when that is not what it last told. */
  private publishServerStatus(): void {
    const audience = this.byStream.get('server');
    if (!audience) return;
    const { node } = this;
    const text = JSON.stringify({
      ...loadLevels({ node, chain: node.chain }),
      base_fee: Number(node.rules.baseFeeDrops),
      server_status: 'full',
      type: 'serverStatus',
    });
    if (text === this.lastServerStatus) return;
    this.lastServerStatus = text;
    for (const subscriber of audience.keys()) subscriber.sendText(text);
  }

  /** Takes up a request for paths; the full reply follows the answer, without waiting for a ledger. */
  openPathRequest(subscriber: Subscriber, request: OpenPathRequest): void {
    this.pathRequests.set(subscriber, request);
    setImmediate(() => {
      const isOpen = this.pathRequests.get(subscriber) === request;
      if (!isOpen || request.status.full_reply === true) return;
      const { chain, last, openView } = this.node;
      // As on the server, the open ledger serves once the validated one was searched.
      const isSearched = this.searchedIndex === last.header.ledgerIndex;
      this.searchedIndex = last.header.ledgerIndex;
      this.publishPathsTo(subscriber, request, isSearched ? openView : chain.state.view(last.header));
    });
  }

  closePathRequest(subscriber: Subscriber): void {
    this.pathRequests.delete(subscriber);
  }

  pathStatus(subscriber: Subscriber): JsonObject | undefined {
    return this.pathRequests.get(subscriber)?.status;
  }

  /** Tells who asked for paths what the new ledger offers. */
  private publishPaths({ header }: ClosedLedger): void {
    if (this.pathRequests.size === 0) return;
    this.searchedIndex = header.ledgerIndex;
    const view = this.node.chain.state.view(header);
    for (const [subscriber, request] of this.pathRequests) this.publishPathsTo(subscriber, request, view);
  }

  private publishPathsTo(subscriber: Subscriber, request: OpenPathRequest, view: ReadView): void {
    try {
      request.status = pathAnswer(view, this.node.rules, request.paths, { legacy: false, isFull: true });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      request.status = error.fields;
    }
    subscriber.send({ ...request.status, type: 'path_find' });
  }

  private publishBookChanges({ header, transactions }: ClosedLedger): void {
    const audience = this.byStream.get('book_changes');
    if (!audience) return;
    const text = JSON.stringify({
      changes: bookChangesOf(transactions),
      ledger_hash: header.hash,
      ledger_index: header.ledgerIndex,
      ledger_time: header.closeTime,
      type: 'bookChanges',
      validated: true,
    });
    for (const subscriber of audience.keys()) subscriber.sendText(text);
  }

  private publish(entry: ValidatedTransaction, isLastOfLedger: boolean): void {
    const text = written((apiVersion) => validatedMessage(entry, apiVersion, this.node));
    const push = (audience: Audience): void => {
      for (const [subscriber, apiVersion] of audience) subscriber.sendText(text(apiVersion));
    };
    for (const stream of ['transactions', 'transactions_proposed']) push(this.byStream.get(stream) ?? new Map());
    if (this.byBook.size > 0 && entry.meta.TransactionResult === 'tesSUCCESS') push(this.bookAudience(entry));
    if (this.byAccount.size === 0 && this.byAccountProposed.size === 0 && this.histories.isEmpty) return;
    const accounts = affectedAccounts(entry.meta);
    const concerned: Audience = new Map();
    for (const address of accounts) {
      for (const group of [this.byAccount, this.byAccountProposed]) {
        for (const [subscriber, apiVersion] of group.get(address) ?? []) concerned.set(subscriber, apiVersion);
      }
    }
    push(concerned);
    this.histories.publish(entry, accounts, isLastOfLedger);
  }

  /** Who listens to a book of which the transaction touched an offer; each hears of it once. */
  private bookAudience({ meta }: ValidatedTransaction): Audience {
    const audience: Audience = new Map();
    for (const key of touchedBooks(meta)) {
      for (const [subscriber, apiVersion] of this.byBook.get(key) ?? []) audience.set(subscriber, apiVersion);
    }
    return audience;
  }
}
