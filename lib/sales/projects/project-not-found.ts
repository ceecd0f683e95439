import { PlatformError } from '#lib/base/errors.ts';

export const projectNotFound = (): PlatformError => new PlatformError('project_not_found', 'There is no such project.');
