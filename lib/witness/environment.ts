import * as z from 'zod';

/** The secrets of a witness and of who asks it: they stand in no file of its configuration. An empty one is none. */
const environment = z.object({
  /** Seed of its key (s…), in place of the file witness.key. */
  WITNESS_KEY: z.string().optional(),
  /** With which `status` asks the running witness for all that it says of itself. */
  WITNESS_TOKEN: z.string().optional(),
});

const given = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

/** The only place that reads process.env. */
export function readEnvironment(): { key: string | null; token: string | null } {
  const { WITNESS_KEY: key, WITNESS_TOKEN: token } = environment.parse(process.env);
  return { key: given(key), token: given(token) };
}
