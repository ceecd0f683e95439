import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** The document without its first fields, as it follows them in an answer: as text, and as the end of a raw deflate stream. */
export interface OpenapiRest {
  plain: Buffer<ArrayBuffer>;
  deflated: Buffer<ArrayBuffer>;
}

export function encodeRest(fields: object): OpenapiRest {
  const plain = Buffer.from(`,${JSON.stringify(fields).slice(1)}`);
  return { plain, deflated: deflateRawSync(plain, { level: constants.Z_BEST_COMPRESSION }) };
}

/** RFC 1952: deflate, no name, no time, the smallest size, any system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);

/** The whole document as it is sent. Deflated parts join where the first ends at a whole byte and is not the last. */
export function joinForms(
  head: object,
  { plain, deflated }: OpenapiRest,
): Record<'plain' | 'gzip', Buffer<ArrayBuffer>> {
  const start = Buffer.from(JSON.stringify(head).slice(0, -1));
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(plain, crc32(start)));
  trailer.writeUInt32LE(start.length + plain.length, 4);
  const deflatedStart = deflateRawSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
  return {
    plain: Buffer.concat([start, plain]),
    gzip: Buffer.concat([GZIP_HEADER, deflatedStart, deflated, trailer]),
  };
}

/** Outside the build's own folder, which a build empties after it has read its configuration. Traced by name (next.config.ts). */
export const PREPARED_FOLDER = '.prepared';
const FILES = { plain: 'openapi-rest.json', deflated: 'openapi-rest.deflate' };

const fileOf = (form: keyof OpenapiRest): string =>
  path.join(/*turbopackIgnore: true*/ process.cwd(), PREPARED_FOLDER, FILES[form]);

/** Writes what a build serves. Whole at any moment: two builds of a folder may overlap. */
export async function writePrepared(rest: OpenapiRest): Promise<void> {
  await mkdir(PREPARED_FOLDER, { recursive: true });
  for (const form of ['plain', 'deflated'] as const) {
    const unfinished = `${fileOf(form)}.${process.pid}`;
    await writeFile(unfinished, rest[form]);
    await rename(unfinished, fileOf(form));
  }
}

export async function readPrepared(): Promise<OpenapiRest> {
  const [plain, deflated] = await Promise.all([readFile(fileOf('plain')), readFile(fileOf('deflated'))]);
  return { plain, deflated };
}
