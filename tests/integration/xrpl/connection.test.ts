import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Wallet } from 'xrpl';
import { ledgerServers } from '#lib/xrpl/connection.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { watchLedgers } from '#lib/xrpl/ledger-watch.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from './desk.ts';

let desk: LedgerDesk;
let deaf: Server;
let holder: Wallet;

beforeAll(async () => {
  desk = await openDesk();
  [holder] = (await desk.accounts(1)) as [Wallet];
  deaf = createServer().listen(0, '127.0.0.1');
});
afterAll(async () => {
  deaf?.close();
  await desk?.end();
});

/** An address where nothing speaks WebSocket. */
const nowhere = 'ws://127.0.0.1:9';

async function withPort<T>(
  urls: string[],
  networkId: number,
  use: (port: ReturnType<typeof openLedger>) => Promise<T>,
) {
  const port = openLedger({ urls, networkId });
  try {
    return await use(port);
  } finally {
    await port.close();
  }
}

describe('servers of the ledger', () => {
  test('a server of another network is not used, and the error names both networks', async () => {
    await withPort([desk.ledger.wsUrl], 1, async (port) => {
      await expect(port.serverState()).rejects.toMatchObject({
        code: 'ledger_unavailable',
        detail: `The ledger server reports network ${NETWORK_ID}; this deployment is for 1`,
      });
    });
  });

  test('a server of another network does not stand in the way of the next one', async () => {
    const other = await openDesk({ networkId: 1 });
    try {
      await withPort([other.ledger.wsUrl, desk.ledger.wsUrl], NETWORK_ID, async (port) => {
        expect((await port.serverState()).networkId).toBe(NETWORK_ID);
      });
    } finally {
      await other.end();
    }
  });

  test('a server of another network that never closes its connection is not waited for', async () => {
    const other = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const sockets: Duplex[] = [];
    other.on('connection', (socket, request) => {
      sockets.push(request.socket);
      socket.on('message', (message) => {
        const { id } = JSON.parse(String(message));
        socket.send(JSON.stringify({ id, status: 'success', type: 'response', result: { info: { network_id: 7 } } }));
        // It hears nothing from here on, not even that the other side closes.
        request.socket.pause();
      });
    });
    await once(other, 'listening');
    const url = `ws://127.0.0.1:${(other.address() as AddressInfo).port}`;
    try {
      await withPort([url, desk.ledger.wsUrl], NETWORK_ID, async (port) => {
        expect((await port.serverState()).networkId).toBe(NETWORK_ID);
      });
    } finally {
      for (const socket of sockets) socket.destroy();
      other.close();
    }
    // A ledger library that waits for the answer to its closing gives up after 30 s.
  }, 25_000);

  test('errors are known for what they are where a bundler gave their classes shorter names', async () => {
    const errors = await import('xrpl/dist/npm/errors.js');
    for (const known of Object.values(errors)) {
      if (typeof known === 'function') Object.defineProperty(known, 'name', { value: 'e' });
    }
    await withPort([nowhere, desk.ledger.wsUrl], NETWORK_ID, async (port) => {
      expect(await port.account('rrrrrrrrrrrrrrrrrrrrBZbvji')).toBeNull();
    });
  });

  test('when the preferred server is away, the next one answers', async () => {
    await withPort([nowhere, desk.ledger.wsUrl], NETWORK_ID, async (port) => {
      expect(await port.account(holder.address)).toMatchObject({ balanceDrops: 1_000_000_000n, transferRate: 1e9 });
    });
  });

  test('when none answers, the error is public and its cause is not', async () => {
    await withPort([nowhere], NETWORK_ID, async (port) => {
      const failure = port.account(holder.address);
      await expect(failure).rejects.toMatchObject({ code: 'ledger_unavailable' });
      await expect(failure).rejects.not.toMatchObject({ detail: expect.stringContaining('127.0.0.1') });
    });
  });

  test('a question that the ledger refuses is not taken for a ledger that is away', async () => {
    await withPort([desk.ledger.wsUrl, desk.ledger.wsUrl], NETWORK_ID, async (port) => {
      await expect(port.trustLine(holder.address, holder.address, 'DMO')).rejects.toMatchObject({
        code: 'service_unavailable',
      });
      await expect(port.account('nobody')).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(await port.account(holder.address)).not.toBeNull();
    });
  });

  test('tickets come with the ledger that shows them, and without an account there is none', async () => {
    await withPort([desk.ledger.wsUrl], NETWORK_ID, async (port) => {
      const [payer] = (await desk.accounts(1)) as [Wallet];
      await desk.send(payer, { TransactionType: 'TicketCreate', Account: payer.address, TicketCount: 3 });
      const ledgerIndex = desk.close();
      const shown = await port.ticketsAt(payer.address);
      expect(shown).toEqual({ ledgerIndex, tickets: await port.tickets(payer.address) });
      expect(shown?.tickets).toHaveLength(3);
      expect(await port.ticketsAt('rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe')).toBeNull();
    });
  });

  test('a second opinion comes from each server that works, and from none when there is but one', async () => {
    const hash = 'A'.repeat(64);
    await withPort([desk.ledger.wsUrl, nowhere, desk.ledger.wsUrl], NETWORK_ID, async (port) => {
      const answers = await port.lookUpEverywhere([hash]);
      expect(answers.map(([answer]) => answer?.state)).toEqual(['not_validated', 'not_validated']);
    });
    await withPort([desk.ledger.wsUrl], NETWORK_ID, async (port) => {
      expect(await port.lookUpEverywhere([hash])).toEqual([]);
    });
  });

  test('questions that are asked at once leave in one write, and each has its answer', async () => {
    await withPort([desk.ledger.wsUrl], NETWORK_ID, async (port) => {
      const flags = await port.accountFlags(holder.address);
      const written = vi.spyOn(Socket.prototype, '_writev');
      const questions = Array.from({ length: 100 }, () => port.accountFlags(holder.address));
      expect(new Set((await Promise.all(questions)).map((answer) => answer?.flags))).toEqual(new Set([flags?.flags]));
      const ledgerPort = Number(new URL(desk.ledger.wsUrl).port);
      const ours = written.mock.contexts.filter(
        (socket) => socket instanceof Socket && socket.remotePort === ledgerPort,
      ).length;
      written.mockRestore();
      expect(ours).toBe(1);
    });
  });

  test('a dropped connection is replaced by the next call', async () => {
    const first = await openDesk();
    await withPort([first.ledger.wsUrl], NETWORK_ID, async (port) => {
      await port.serverState();
      await first.end();
      await expect(port.serverState()).rejects.toMatchObject({ code: 'ledger_unavailable' });
      const again = await openDesk({ port: first.ledger.port });
      try {
        expect((await port.serverState()).validatedIndex).toBeGreaterThan(0);
      } finally {
        await again.end();
      }
    });
  });

  test('what the ledger does not hold is null, not an error', async () => {
    await withPort([desk.ledger.wsUrl], NETWORK_ID, async (port) => {
      const stranger = 'rrrrrrrrrrrrrrrrrrrrBZbvji';
      expect(await port.account('rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe')).toBeNull();
      expect(await port.trustLine(holder.address, stranger, 'DMO')).toBeNull();
      expect(await port.tickets(holder.address)).toEqual([]);
      expect(await port.lookUp('A'.repeat(64))).toMatchObject({ state: 'not_validated' });
    });
  });
});

describe('a watch for ledgers', () => {
  test('tells the newest one first, and then each as it closes', async () => {
    await withPort([desk.ledger.wsUrl], NETWORK_ID, async (port) => {
      const watch = port.watch(1);
      const newest = (await port.serverState()).validatedIndex;
      expect(await watch.next(0, 10_000)).toBe(newest);
      for (let closed = 1; closed <= 3; closed++) {
        const next = watch.next(newest + closed - 1, 10_000);
        desk.close();
        expect(await next).toBe(newest + closed);
      }
      watch.end();
    });
  });

  test('gives null when no ledger closes in time', async () => {
    await withPort([desk.ledger.wsUrl], NETWORK_ID, async (port) => {
      const watch = port.watch(1);
      const newest = await watch.next(0, 10_000);
      expect(await watch.next(newest ?? 0, 50)).toBeNull();
      watch.end();
    });
  });

  test('of two servers tells a ledger when both have it, and nothing while only one answers', async () => {
    const behind = await openDesk();
    try {
      await withPort([desk.ledger.wsUrl, behind.ledger.wsUrl, nowhere], NETWORK_ID, async (port) => {
        const watch = port.watch(2);
        const newest = { of: desk.close(20), behind: behind.close() };
        expect(newest.of).toBeGreaterThan(newest.behind);
        expect(await watch.next(0, 10_000)).toBe(newest.behind);
        const next = watch.next(newest.behind, 10_000);
        desk.close();
        expect(await Promise.race([next, watch.next(newest.behind, 50)])).toBeNull();
        behind.close();
        expect(await next).toBe(newest.behind + 1);
        watch.end();
      });
    } finally {
      await behind.end();
    }
  });

  test('goes on with a new connection where the old one broke', async () => {
    const first = await openDesk();
    await withPort([first.ledger.wsUrl], NETWORK_ID, async (port) => {
      const watch = port.watch(1);
      expect(await watch.next(0, 10_000)).toBeGreaterThan(0);
      await first.end();
      const again = await openDesk({ port: first.ledger.port });
      try {
        const newest = again.close(20);
        await expect.poll(() => watch.next(newest - 1, 100), { timeout: 20_000 }).toBe(newest);
        watch.end();
      } finally {
        await again.end();
      }
    });
  });

  /** A server that answers questions, and has no stream where it `refuses`. */
  async function openServer(refuses: boolean) {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const asked: string[] = [];
    let socket: WebSocket | undefined;
    server.on('connection', (opened) => {
      socket = opened;
      opened.on('message', (message) => {
        const { id, command } = JSON.parse(String(message));
        asked.push(command);
        const answer =
          refuses && command === 'subscribe'
            ? { status: 'error', error: 'noPermission' }
            : { status: 'success', result: { ledger_index: 7, info: { network_id: NETWORK_ID } } };
        opened.send(JSON.stringify({ id, type: 'response', ...answer }));
      });
    });
    await once(server, 'listening');
    return {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      asked,
      close: (ledgerIndex: number) => socket?.send(JSON.stringify({ type: 'ledgerClosed', ledger_index: ledgerIndex })),
      end: () => {
        socket?.terminate();
        server.close();
      },
    };
  }

  test('leaves a server that has no stream to all other questions', async () => {
    const [one, other] = [await openServer(false), await openServer(true)];
    const servers = ledgerServers({ urls: [one.url, other.url], networkId: NETWORK_ID });
    const watch = watchLedgers(servers, 1);
    expect(await watch.next(0, 10_000)).toBe(7);
    await expect.poll(() => other.asked).toContain('subscribe');
    expect(await watch.next(7, 50)).toBeNull();
    expect(await servers.useEach(async ({ url }) => url)).toEqual([one.url, other.url]);
    expect(other.asked.filter((command) => command === 'subscribe')).toHaveLength(1);
    watch.end();
    await servers.close();
    one.end();
    other.end();
  });

  test('that ends takes the stream from no other one, and is forgotten by the connection', async () => {
    const server = await openServer(false);
    const servers = ledgerServers({ urls: [server.url], networkId: NETWORK_ID });
    const watches = [watchLedgers(servers, 1), watchLedgers(servers, 1)] as const;
    for (const watch of watches) expect(await watch.next(0, 10_000)).toBe(7);
    watches[0].end();
    const next = watches[1].next(7, 10_000);
    server.close(8);
    expect(await next).toBe(8);
    expect(server.asked).not.toContain('unsubscribe');
    watches[1].end();
    await expect.poll(() => server.asked).toContain('unsubscribe');
    await servers.close();
    server.end();
  });
});
