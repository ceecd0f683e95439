import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** A way to a ledger server that can leave transactions out of what it shows, and forge credentials. */
export interface Liar {
  wsUrl: string;
  /** From now on it leaves out what this account has sent; null ends it. */
  hideAllOf(account: string | null): void;
  /** From now on it says so of every credential of this wallet; null ends it. */
  forgeCredentials(forged: Forged | null): void;
  close(): void;
}

export interface Forged {
  subject: string;
  /**
   * `untold`: as a server that does not know credentials; `busy`: as one that has too much to do; `elsewhere`: that there was none in
   * another ledger; `silent`: nothing at all.
   */
  says: 'held' | 'none' | 'untold' | 'busy' | 'elsewhere' | 'silent';
}

interface Asked {
  id: number;
  command: string;
  ledger_index?: number;
  credential?: { subject: string; issuer: string; credential_type: string };
}

interface Shown {
  result?: { transactions?: { tx_json?: { Account?: string } }[] };
}

export async function openLiar(url: string): Promise<Liar> {
  let hidden: string | null = null;
  let forged: Forged | null = null;
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  server.on('connection', (client) => {
    const real = new WebSocket(url);
    const waiting: string[] = [];
    client.on('message', (data) => {
      const forgery = forged === null ? null : forgeryFor(String(data), forged);
      if (forgery === SILENCE) return;
      if (forgery !== null) client.send(forgery);
      else if (real.readyState === WebSocket.OPEN) real.send(String(data));
      else waiting.push(String(data));
    });
    client.on('close', () => real.close());
    real.on('close', () => client.close());
    real.on('error', () => client.terminate());
    real.on('open', () => {
      for (const each of waiting) real.send(each);
    });
    real.on('message', (data) => {
      const text = String(data);
      client.send(hidden === null ? text : without(text, hidden));
    });
  });
  return {
    wsUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hideAllOf(account) {
      hidden = account;
    },
    forgeCredentials(given) {
      forged = given;
    },
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

const SILENCE = '';
const ERRORS = { none: 'entryNotFound', elsewhere: 'entryNotFound', untold: 'invalidParams', busy: 'slowDown' };

/** What it says in place of the ledger; null to any other question. */
function forgeryFor(text: string, { subject, says }: Forged): string | null {
  const { id, command, credential, ledger_index } = JSON.parse(text) as Asked;
  if (command !== 'ledger_entry' || credential?.subject !== subject) return null;
  if (says === 'silent') return SILENCE;
  const answer = { id, type: 'response' };
  if (says !== 'held') {
    const found = says === 'elsewhere' ? (ledger_index ?? 0) - 1 : ledger_index;
    return JSON.stringify({ ...answer, status: 'error', error: ERRORS[says], ledger_index: found });
  }
  const node = {
    LedgerEntryType: 'Credential',
    Subject: subject,
    Issuer: credential.issuer,
    CredentialType: credential.credential_type,
    Flags: 65_536,
  };
  return JSON.stringify({ ...answer, status: 'success', result: { node, ledger_index, validated: true } });
}

function without(text: string, account: string): string {
  const answer = JSON.parse(text) as Shown;
  const shown = answer.result?.transactions;
  if (answer.result === undefined || shown === undefined) return text;
  answer.result.transactions = shown.filter(({ tx_json: tx }) => tx?.Account !== account);
  return JSON.stringify(answer);
}
