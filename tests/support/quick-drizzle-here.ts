import { quickDrizzle } from './quick-drizzle.ts';

// For processes that a test starts: `node --import`.
quickDrizzle();
