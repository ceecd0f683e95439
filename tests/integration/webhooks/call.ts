import { responseCache } from '#lib/api/response-cache.ts';
import { registerSecretsIn } from '#tests/support/secrets.ts';

type RouteHandler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>;
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type Route = Record<Method, RouteHandler>;

export interface Called {
  status: number;
  // The tests' assertions say what it must be.
  body: Record<string, unknown>;
}

/** Calls a route handler as the framework would, but under one address: what it remembers by the address is forgotten. */
export async function call(
  route: Route,
  method: Method,
  options: { apiKey?: string; body?: unknown; params?: Record<string, string>; query?: string } = {},
): Promise<Called> {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (options.apiKey !== undefined) headers.set('authorization', `Bearer ${options.apiKey}`);
  const request = new Request(`http://127.0.0.1:3000/path${options.query ?? ''}`, {
    method,
    headers,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  responseCache().forget();
  const response = await route[method](request, { params: Promise.resolve(options.params ?? {}) });
  const text = await response.text();
  registerSecretsIn(text);
  return { status: response.status, body: JSON.parse(text) as Record<string, unknown> };
}
