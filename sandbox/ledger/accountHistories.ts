import type { Metadata } from './engine/metadata.ts';
import { account } from './engine/view.ts';
import { GENESIS_ADDRESS } from './genesis.ts';
import type { ValidatedTransaction } from './history.ts';
import { isObject, type JsonObject } from './json.ts';
import type { ServerNode } from './node.ts';
import type { ApiVersion, Subscriber } from './rpc/types.ts';

/** How many earlier transactions are sent before anybody else has a turn. */
const BATCH = 100;
/** How long a client that reads slowly is given before more is sent to it. */
const PAUSE_MS = 50;

type Followed = {
  readonly apiVersion: ApiVersion;
  /** The last ledger whose transactions count as earlier ones. */
  readonly separation: number;
  readonly hasEarlier: boolean;
  /** Number of the next new transaction. */
  next: number;
  isStopped: boolean;
};

type Message = (entry: ValidatedTransaction, apiVersion: ApiVersion) => JsonObject;

function createsAccount({ AffectedNodes: nodes }: Metadata, address: string): boolean {
  return nodes.some(({ CreatedNode: created }) => {
    const fields = isObject(created) && created.LedgerEntryType === 'AccountRoot' ? created.NewFields : undefined;
    return isObject(fields) && fields.Account === address;
  });
}

/** Whether nothing can have touched the account before: the transaction made it or, of the genesis account, is its first. */
function isFirst({ tx, meta }: ValidatedTransaction, address: string): boolean {
  const isGenesis = address === GENESIS_ADDRESS && tx.fields.Account === address && tx.fields.Sequence === 1;
  return isGenesis || createsAccount(meta, address);
}

/**
 * The stream `account_history_tx_stream`: what touches an account from now on, numbered from 0, and besides what touched
 * it before, newest first, numbered from -1 down.
 */
export class AccountHistories {
  private readonly node: ServerNode;
  private readonly message: Message;
  private readonly byAccount = new Map<string, Map<Subscriber, Followed>>();

  constructor(node: ServerNode, message: Message) {
    this.node = node;
    this.message = message;
  }

  /** Begins to follow an account; false when the subscriber does already. */
  follow(subscriber: Subscriber, address: string, apiVersion: ApiVersion): boolean {
    const followers = this.byAccount.get(address) ?? new Map<Subscriber, Followed>();
    if (followers.has(subscriber)) return false;
    const { chain, last } = this.node;
    const root = account(chain.state.view(last.header), address);
    const isUntouched = address === GENESIS_ADDRESS && root?.Sequence === 1;
    const followed: Followed = {
      apiVersion,
      separation: last.header.ledgerIndex,
      hasEarlier: root !== undefined && !isUntouched,
      next: 0,
      isStopped: false,
    };
    this.byAccount.set(address, followers.set(subscriber, followed));
    if (followed.hasEarlier) this.sendEarlier(subscriber, address, followed);
    return true;
  }

  /** Ends the sending of earlier transactions and, unless only that is asked, of new ones. */
  unfollow(subscriber: Subscriber, address: string, earlierOnly: boolean): void {
    const followers = this.byAccount.get(address);
    const followed = followers?.get(subscriber);
    if (!followers || !followed) return;
    followed.isStopped = true;
    if (earlierOnly) return;
    followers.delete(subscriber);
    if (followers.size === 0) this.byAccount.delete(address);
  }

  drop(subscriber: Subscriber): void {
    for (const address of [...this.byAccount.keys()]) this.unfollow(subscriber, address, false);
  }

  clear(): void {
    for (const followers of this.byAccount.values())
      for (const followed of followers.values()) followed.isStopped = true;
    this.byAccount.clear();
  }

  get isEmpty(): boolean {
    return this.byAccount.size === 0;
  }

  /** Sends a new transaction to those who follow one of the accounts that it touched. */
  publish(entry: ValidatedTransaction, accounts: Iterable<string>, isLastOfLedger: boolean): void {
    for (const address of accounts) {
      for (const [subscriber, followed] of this.byAccount.get(address) ?? []) {
        if (entry.ledger.ledgerIndex <= followed.separation) continue;
        subscriber.send({
          ...this.message(entry, followed.apiVersion),
          ...(isLastOfLedger ? { account_history_boundary: true } : {}),
          ...(followed.next === 0 && !followed.hasEarlier ? { account_history_tx_first: true } : {}),
          account_history_tx_index: followed.next,
        });
        followed.next += 1;
      }
    }
  }

  private sendEarlier(subscriber: Subscriber, address: string, followed: Followed): void {
    const earlier = this.node.chain.history
      .ofAccount(address)
      .filter(({ ledger }) => ledger.ledgerIndex <= followed.separation && this.node.ledger(ledger.ledgerIndex));
    let at = earlier.length;
    const sendSome = (): void => {
      for (let sent = 0; sent < BATCH && at > 0 && !followed.isStopped; sent++) {
        at -= 1;
        const entry = earlier[at];
        if (!entry) return;
        const first = isFirst(entry, address);
        subscriber.send({
          ...this.message(entry, followed.apiVersion),
          ...(entry.ledger === earlier[at - 1]?.ledger ? {} : { account_history_boundary: true }),
          ...(first ? { account_history_tx_first: true } : {}),
          account_history_tx_index: at - earlier.length,
        });
        if (first) return;
      }
      if (at === 0 || followed.isStopped) return;
      if (subscriber.isBusy) setTimeout(sendSome, PAUSE_MS).unref();
      else setImmediate(sendSome);
    };
    setImmediate(sendSome);
  }
}
