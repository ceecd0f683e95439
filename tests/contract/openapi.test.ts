import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, inject, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';

const url = () => `${inject('sandbox').manifest.base_url}/api/openapi.json`;

/** The answer as it comes over the wire. */
async function ask(acceptEncoding: string | undefined, { method = 'GET' as 'GET' | 'HEAD', etag = '' } = {}) {
  const { statusCode, headers, body } = await request(url(), {
    method,
    headers: {
      ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
      ...(etag === '' ? {} : { 'if-none-match': etag }),
    },
  });
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

/** What the code describes now; where it is served, only the server knows. */
async function described(): Promise<string> {
  const { bytes } = await ask('identity');
  const { info, servers } = JSON.parse(bytes.toString());
  expect(info.version).toMatch(/^\d+\.\d+\.\d+/);
  return JSON.stringify(foldOpenapi(CONTRACTS, { version: info.version, serverUrl: servers[0].url }));
}

describe('the OpenAPI document, which the build prepares', () => {
  test('is byte for byte what the code describes, in the name of this deployment', async () => {
    const { status, headers, bytes } = await ask(undefined);
    expect({ status, type: headers['content-type'], coding: headers['content-encoding'] }).toEqual({
      status: 200,
      type: 'application/json',
      coding: undefined,
    });
    expect(JSON.parse(bytes.toString()).servers).toEqual([
      { url: inject('sandbox').manifest.base_url, description: 'This deployment' },
    ]);
    expect(bytes.toString() === (await described())).toBe(true);
  });

  test.each(['gzip', 'gzip, deflate, br, zstd', 'br;q=1, GZIP;q=0.5'])(
    'comes compressed beforehand to a client that takes %s',
    async (acceptEncoding) => {
      const { headers, bytes } = await ask(acceptEncoding);
      expect(headers['content-encoding']).toBe('gzip');
      expect([headers.vary].flat()).toContain('Accept-Encoding');
      expect(gunzipSync(bytes).toString() === (await described())).toBe(true);
    },
  );

  test.each(['identity', 'gzip;q=0', 'gzip;q=0.0, identity'])(
    'comes plain to a client that asks for %s',
    async (acceptEncoding) => {
      const { headers, bytes } = await ask(acceptEncoding);
      expect(headers['content-encoding']).toBeUndefined();
      expect(bytes.toString() === (await described())).toBe(true);
    },
  );

  test('has a tag for each form, by which a client that has it is told so', async () => {
    const [plain, gzip] = await Promise.all([ask('identity'), ask('gzip')]);
    expect(gzip.headers.etag).not.toBe(plain.headers.etag);
    for (const [coding, { headers }] of [
      ['identity', plain],
      ['gzip', gzip],
    ] as const) {
      const again = await ask(coding, { etag: String(headers.etag) });
      expect({ status: again.status, size: again.bytes.length }).toEqual({ status: 304, size: 0 });
      expect({ etag: again.headers.etag, vary: again.headers.vary }).toEqual({
        etag: headers.etag,
        vary: headers.vary,
      });
      const head = await ask(coding, { method: 'HEAD' });
      expect({ status: head.status, size: head.bytes.length, etag: head.headers.etag }).toEqual({
        status: 200,
        size: 0,
        etag: headers.etag,
      });
    }
    expect((await ask('identity', { etag: String(gzip.headers.etag) })).status).toBe(200);
  });
});
