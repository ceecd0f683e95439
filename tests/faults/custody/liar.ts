import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** A way to a ledger server that can leave transactions out of what it shows. */
export interface Liar {
  wsUrl: string;
  /** From now on it leaves out what this account has sent; null ends it. */
  hideAllOf(account: string | null): void;
  close(): void;
}

interface Shown {
  result?: { transactions?: { tx_json?: { Account?: string } }[] };
}

export async function openLiar(url: string): Promise<Liar> {
  let hidden: string | null = null;
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  server.on('connection', (client) => {
    const real = new WebSocket(url);
    const waiting: string[] = [];
    client.on('message', (data) => {
      if (real.readyState === WebSocket.OPEN) real.send(String(data));
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
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

function without(text: string, account: string): string {
  const answer = JSON.parse(text) as Shown;
  const shown = answer.result?.transactions;
  if (answer.result === undefined || shown === undefined) return text;
  answer.result.transactions = shown.filter(({ tx_json: tx }) => tx?.Account !== account);
  return JSON.stringify(answer);
}
