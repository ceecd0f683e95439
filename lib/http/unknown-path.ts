import { randomBytes } from 'node:crypto';
import { PlatformError } from '#lib/platform/errors.ts';
import { newId } from '#lib/platform/ids.ts';
import { logger } from '#lib/platform/log.ts';
import { problemResponse } from './problem.ts';
import type { Handlers } from './route.ts';

const answer = async (): Promise<Response> =>
  problemResponse(
    new PlatformError('not_found', 'There is no such address; GET /api/openapi.json lists all there are.'),
    newId('req', randomBytes),
    logger,
  );

/** The answer at every /api path that is nobody's, under every method. */
export const unknownPath: Record<keyof Handlers, () => Promise<Response>> = {
  GET: answer,
  POST: answer,
  PATCH: answer,
  PUT: answer,
  DELETE: answer,
  OPTIONS: answer,
};
