import { z } from 'zod';
import { HttpError, type HttpRequest } from '../http-server.ts';
import type { RedisCommand } from './store.ts';

/** What a REST request asks for. */
export type RestRequest =
  | { kind: 'command'; command: RedisCommand }
  | { kind: 'pipeline' | 'transaction'; commands: RedisCommand[] };

// The SDK sends numbers and booleans as JSON has them; Redis knows strings only.
const argument = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const command = z.tuple([z.string().min(1)], argument);
const commands = z.array(command);

function parseBody<Output>(schema: z.ZodType<Output>, body: Buffer, message: string): Output {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw new HttpError(400, `ERR failed to parse ${message}`);
  }
}

/** `/set/key/value?EX=10`, or with the value as the body: path, then body, then each query parameter and its value. */
function parsePath(path: string, query: URLSearchParams, body: Buffer): RedisCommand {
  const [name = '', ...args] = path.split('/').map(decodeURIComponent);
  const fromBody = body.length > 0 ? [body.toString('utf8')] : [];
  const fromQuery = [...query].flatMap(([key, value]) => (value === '' ? [key] : [key, value]));
  return [name, ...args, ...fromBody, ...fromQuery];
}

/** Reads an Upstash REST request. @throws HttpError 400 or 405 */
export function parseRestRequest(request: HttpRequest): RestRequest {
  const [path = '', queryText = ''] = request.target.slice(1).split('?', 2);
  const query = new URLSearchParams(queryText);
  query.delete('_token');
  if (path === 'pipeline') return { kind: 'pipeline', commands: parseBody(commands, request.body, 'pipeline request') };
  if (path === 'multi-exec') {
    return { kind: 'transaction', commands: parseBody(commands, request.body, 'multi-exec request') };
  }
  if (path !== '') return { kind: 'command', command: parsePath(path, query, request.body) };
  if (request.method !== 'POST') throw new HttpError(405, 'ERR only POST is allowed here');
  return { kind: 'command', command: parseBody(command, request.body, 'command') };
}

/** True when the request carries the token, as a Bearer header or as `_token` in the query. */
export function carriesToken(request: HttpRequest, token: string): boolean {
  if (request.headers.authorization === `Bearer ${token}`) return true;
  const queryText = request.target.split('?', 2)[1] ?? '';
  return new URLSearchParams(queryText).get('_token') === token;
}
