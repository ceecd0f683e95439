import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Packing, installing and compiling take seconds each on a small machine. */
const TIMEOUT_MS = 300_000;

/** The packages as somebody else has them, which needs the registry: a command of its own, `npm run test:packages`. */
export default defineConfig({
  test: {
    root: path.resolve(import.meta.dirname, '../..'),
    include: ['tests/packages/**/*.test.ts'],
    chaiConfig: { truncateThreshold: 0 },
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
  },
});
