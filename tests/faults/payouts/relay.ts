import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address that leads to whichever machine it is switched to, as a load balancer does. */
export interface Relay {
  wsUrl: string;
  /** New connections lead to this port from now on; those that are open are cut. */
  switchTo(port: number): void;
  /** Cuts every connection. */
  drop(): void;
  close(): Promise<void>;
}

export async function openRelay(port: number): Promise<Relay> {
  let target = port;
  const open = new Set<Socket>();
  const server = createServer((inward) => {
    const outward = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      open.add(socket);
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
  const drop = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    wsUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    switchTo(next) {
      target = next;
      drop();
    },
    drop,
    async close() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
