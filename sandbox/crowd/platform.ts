/** The platform's HTTP API, as far as the sandbox uses it. */
export type Platform = {
  get(path: string, token?: string): Promise<unknown>;
  post(path: string, body: unknown, token?: string): Promise<unknown>;
  put(path: string, body: unknown, token?: string): Promise<unknown>;
};

const TIMEOUT_MS = 30_000;

/** A client of the platform at `baseUrl`. Calls throw with status and answer when the platform refuses. */
export function platformAt(baseUrl: string, signal: AbortSignal): Platform {
  const call = async (method: string, path: string, token: string | undefined, body?: unknown) => {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 1000)}`);
    return JSON.parse(text) as unknown;
  };
  return {
    get: (path, token) => call('GET', path, token),
    post: (path, body, token) => call('POST', path, token, body),
    put: (path, body, token) => call('PUT', path, token, body),
  };
}
