import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The app's one address: each connection goes to whichever process is up, as with a load balancer. */
export async function openFront(
  nextPort: () => Promise<number | null>,
): Promise<{ url: string; close(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer(async (inward) => {
    open.add(inward);
    inward.on('close', () => open.delete(inward));
    inward.on('error', () => inward.destroy());
    const port = await nextPort();
    if (port === null) {
      inward.destroy();
      return;
    }
    const outward = connect(port, '127.0.0.1');
    outward.on('error', () => inward.destroy());
    inward.on('close', () => outward.destroy());
    inward.pipe(outward).pipe(inward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
