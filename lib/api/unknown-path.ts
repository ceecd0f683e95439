import { PlatformError } from '#lib/base/errors.ts';
import { logger } from '#lib/base/log.ts';
import { problemResponse } from './problem.ts';
import { newRequestId } from './request-id.ts';
import type { Handlers } from './route.ts';

const answer = async (): Promise<Response> =>
  problemResponse(
    new PlatformError('not_found', 'There is no such address; GET /api/openapi.json lists all there are.'),
    newRequestId(),
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
