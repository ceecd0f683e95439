import { PlatformError } from '#lib/platform/errors.ts';

/** The verb of a documented operation whose contract stands and whose work does not: guards and validation come first. */
export const notImplemented = async (): Promise<never> => {
  throw new PlatformError('not_implemented', 'This operation is documented but not available in this version yet.');
};
