import { once } from 'node:events';
import { createServer } from 'node:http';

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

export interface ServedDeployment {
  url: string;
  /** Method and path of each request that came. */
  requests: string[];
  /** Answers every request by this instead, until it is null. */
  answer: ((request: Request) => Response) | null;
  close(): Promise<void>;
}

/** Serves real GET route handlers over HTTP, as the framework would. */
export async function serveDeployment(
  routes: Record<string, () => Promise<{ GET: Handler }>>,
): Promise<ServedDeployment> {
  const served: ServedDeployment = { url: '', requests: [], answer: null, close: async () => undefined };
  const server = createServer(async (incoming, outgoing) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`);
    served.requests.push(`${incoming.method} ${url.pathname}`);
    const request = new Request(url, { headers });
    const route = routes[url.pathname];
    const respond = async () => {
      if (served.answer !== null) return served.answer(request);
      if (route === undefined) return new Response(null, { status: 404 });
      return (await route()).GET(request, { params: Promise.resolve({}) });
    };
    const answer = await respond();
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  served.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  served.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return served;
}
