import { compareExact } from '@tranche/rules/exact-decimal.ts';
import { z } from 'zod';

/** Exact, in tokens: as many digits as a ledger's value may have. */
export const balanceText = () =>
  z.string().regex(/^(?:0|[1-9]\d{0,95})(?:\.\d{1,96})?$/, 'must be a plain decimal of tokens, such as 1000 or 0.5');

/** What a level may be called. */
export const LEVEL_NAME = /^[a-z][a-z0-9_-]{0,19}$/;

const level = () => z.object({ name: z.string(), fromBalance: balanceText() });

const givenLevel = () =>
  z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,19}:[^:]+$/, 'must be name:balance; a name is lower-case letters, digits, - and _')
    .transform((text) => {
      const [name = '', fromBalance = ''] = text.split(':');
      return { name, fromBalance };
    })
    .pipe(level());

/** For a Platform ID that reaches no level of the settings. */
export const BASE_LEVEL = 'holder';

/** `name:balance` each: from which balance on a holder has which level, the lowest first. */
export const levelList = () =>
  z.array(givenLevel()).pipe(
    z
      .array(level())
      .refine((levels) => new Set(levels.map(({ name }) => name)).size === levels.length, 'names a level twice')
      .refine(
        (levels) => levels.every(({ name }) => name !== BASE_LEVEL),
        `must not name ${BASE_LEVEL}, the level below`,
      )
      .refine(
        (levels) =>
          levels.every(
            ({ fromBalance }, index) => compareExact(fromBalance, levels[index - 1]?.fromBalance ?? '0') > 0,
          ),
        'must ascend from the lowest level to the highest, each balance above the one before and above 0',
      ),
  );
