import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address that leads to whichever machine it is switched to, as a load balancer does. */
export interface Relay {
  port: number;
  wsUrl: string;
  /** New connections lead to this port from now on; those that are open are cut. */
  switchTo(port: number): void;
  /** Cuts every connection. */
  drop(): void;
  /** While it is away every connection is cut, new ones at once. */
  setAway(away: boolean): void;
  close(): Promise<void>;
}

export async function openRelay(port: number): Promise<Relay> {
  let target = port;
  let isAway = false;
  const open = new Set<Socket>();
  const server = createServer((inward) => {
    if (isAway) {
      inward.resetAndDestroy();
      return;
    }
    const outward = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      // A broken half ends the other; nobody else is concerned.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const drop = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: own,
    wsUrl: `ws://127.0.0.1:${own}`,
    switchTo(next) {
      target = next;
      drop();
    },
    drop,
    setAway(away) {
      isAway = away;
      if (away) drop();
    },
    async close() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
