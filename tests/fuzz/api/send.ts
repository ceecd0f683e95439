import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** An operation that takes longer has hung. */
export const HANGS_AFTER_MS = 30_000;

/** Node closes a connection that was idle for 5 s: one that waits nearly as long is left to it, and another opened. */
const IDLE_MS = 4_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16, timeout: IDLE_MS });

let sentAgain = 0;
/** Requests that were sent again because nobody had read them. */
export const unread = (): number => sentAgain;

const isEndless = (headers: Answer['headers']): boolean =>
  String(headers['content-type']).startsWith('text/event-stream');

/** One request with its target as it is: nothing encodes, resolves or completes it. Rejects when the answer hangs or breaks off. */
export function send(
  baseUrl: URL,
  method: string,
  target: string,
  headers: Record<string, string>,
  body: Buffer | null,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        host: baseUrl.hostname,
        port: baseUrl.port,
        method,
        path: target,
        headers: { ...headers, ...(body === null ? {} : { 'content-length': String(body.length) }) },
        signal: AbortSignal.timeout(HANGS_AFTER_MS),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          // A stream of events ends much later: its first ones are enough.
          if (isEndless(response.headers)) {
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
            response.destroy();
          }
        });
        response.once('error', reject).once('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      },
    );
    outgoing.once('error', (failure: NodeJS.ErrnoException) => {
      // The server closed an idle connection while the request was on its way: nobody has read it.
      const isUnread = outgoing.reusedSocket && failure.code === 'ECONNRESET';
      if (!isUnread) return reject(failure);
      sentAgain += 1;
      send(baseUrl, method, target, headers, body).then(resolve, reject);
    });
    outgoing.end(body ?? undefined);
  });
}
