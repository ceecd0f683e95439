/** What the interface said no with, as the pages show it. */
export class ApiFault extends Error {
  readonly status: number;
  readonly fields: { field: string; message: string }[];

  constructor(status: number, detail: string, fields: { field: string; message: string }[]) {
    super(detail);
    this.name = 'ApiFault';
    this.status = status;
    this.fields = fields;
  }
}

interface Problem {
  detail?: string;
  errors?: { field: string; message: string }[];
}

const TIMEOUT_MS = 30_000;

/** Dispatched on the window when the platform knows a credential no longer. */
export const CREDENTIAL_ENDED = 'tranche:credential-ended';

/** One call of the interface from the browser, with the visitor's own credential. Throws an ApiFault, or an Error in plain words. */
export async function callApi<T>(
  credential: string | null,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (credential !== null) headers.authorization = `Bearer ${credential}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      cache: 'no-store',
    });
  } catch {
    throw new Error('The platform did not answer. Check your connection and try again.');
  }
  const read: unknown = await answer.json().catch(() => ({}));
  if (answer.ok) return read as T;
  if (answer.status === 401 && credential !== null) dispatchEvent(new Event(CREDENTIAL_ENDED));
  const { detail = `The platform answered ${answer.status}.`, errors = [] } = read as Problem;
  throw new ApiFault(answer.status, detail, errors);
}
