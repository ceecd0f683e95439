import { registerHooks } from 'node:module';

const IS_QUICK = Symbol.for('tranche.tests.drizzle-quick');
const DRIZZLE = /\/node_modules\/drizzle-orm\/.*\.js$/;

/**
 * To tell that a file of drizzle-orm is a module, Node parses the 130 kB of exports in its package.json, anew for each of
 * its 400 files: half of the time that it takes to load the app. Its files import each other by path, so they are told here.
 */
export function quickDrizzle(): void {
  if (Reflect.has(process, IS_QUICK)) return;
  Reflect.set(process, IS_QUICK, true);
  registerHooks({
    resolve(specifier, context, resolve) {
      const { parentURL = '' } = context;
      if (!/^\.\.?\/.*\.js$/.test(specifier) || !DRIZZLE.test(parentURL)) return resolve(specifier, context);
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
    },
  });
}
