const MAX_HEADERS = 32;
const MAX_NAME_LENGTH = 128;
const MAX_VALUE_LENGTH = 256;

const printable = (text: string, maxLength: number) => text.slice(0, maxLength).replaceAll(/[^\x20-\x7e]/g, '?');

/**
 * What the log keeps of an answer's headers: the first 32, names up to 128 characters and values up to 256, several of one
 * name joined by a comma, and what cannot be printed as `?`. A receiver decides what it sends, not how much of it we store.
 */
export const keptHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [
        printable(name.toLowerCase(), MAX_NAME_LENGTH),
        printable([value].flat().join(', '), MAX_VALUE_LENGTH),
      ]),
  );
