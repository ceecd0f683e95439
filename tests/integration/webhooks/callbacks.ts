import { once } from 'node:events';
import { createServer } from 'node:http';

type RouteHandler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/**
 * Serves real route handlers over HTTP at `port`, as the framework would: for QStash to call back. Returns how to stop
 * it; `answers` collects every status and body.
 */
export async function serveRoutes(
  routes: Record<string, () => Promise<{ POST: RouteHandler }>>,
): Promise<{ port: number; answers: { status: number; body: unknown }[]; close(): Promise<void> }> {
  const answers: { status: number; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const route = routes[url.pathname];
    if (route === undefined) {
      response.writeHead(404).end();
      return;
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const { POST } = await route();
    const answer = await POST(new Request(url, { method: 'POST', headers, body: Buffer.concat(chunks) }), {
      params: Promise.resolve({}),
    });
    const text = await answer.text();
    answers.push({ status: answer.status, body: JSON.parse(text) });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    answers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
