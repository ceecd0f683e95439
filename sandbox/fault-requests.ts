import { z } from 'zod';
import type { FaultInForce } from './fault-set.ts';
import { type HttpAnswer, HttpError, type HttpRequest } from './http-server.ts';

/** What the requests need of a `FaultSet`, whatever its faults are. */
interface AnyFaults {
  injectUnknown(fault: unknown): FaultInForce<object>;
  list(): FaultInForce<object>[];
  clear(id?: string): number;
}

function inject(faults: AnyFaults, body: Buffer): FaultInForce<object> {
  try {
    return faults.injectUnknown(JSON.parse(body.toString('utf8')));
  } catch (error) {
    throw new HttpError(400, error instanceof z.ZodError ? z.prettifyError(error) : 'expected a fault as JSON');
  }
}

/**
 * Answers `GET`, `POST` and `DELETE /sandbox/faults`, and `DELETE /sandbox/faults/{id}`; undefined for any other path.
 *
 * @throws HttpError 400, 404 or 405
 */
export function answerFaultRequest(faults: AnyFaults, { method, target, body }: HttpRequest): HttpAnswer | undefined {
  const [, id] = /^\/sandbox\/faults(?:\/([^/?]+))?$/.exec(target) ?? [];
  if (id !== undefined && method === 'DELETE') {
    if (faults.clear(id) === 0) throw new HttpError(404, `no fault ${id} in force`);
    return { status: 200, json: { cleared: 1 } };
  }
  if (target !== '/sandbox/faults') return undefined;
  switch (method) {
    case 'GET':
      return { status: 200, json: faults.list() };
    case 'POST':
      return { status: 201, json: inject(faults, body) };
    case 'DELETE':
      return { status: 200, json: { cleared: faults.clear() } };
    default:
      throw new HttpError(405, `no such endpoint: ${method} ${target}`);
  }
}
