import { describe, expect, test } from 'vitest';
import { revokeApiKeyBody } from '#lib/accounts/api-keys/contracts.ts';
import { faultMessage } from '#lib/api/fault-messages.ts';

const api_key = `tr_live_${'a'.repeat(40)}`;
const key_id = 'key_0000000000000000000000';
const proof = {
  challenge_id: 'chl_0000000000000000000000',
  public_key: `ED${'0'.repeat(64)}`,
  signature: '0'.repeat(128),
};
const faultsOf = (body: object) =>
  (revokeApiKeyBody.safeParse(body, { error: faultMessage }).error?.issues ?? []).map(({ path, message }) => [
    path.join('.'),
    message,
  ]);

describe('a request to revoke a key', () => {
  test.each([{ api_key }, { key_id, proof }])('is taken with one of the two, %#', (body) => {
    expect(faultsOf(body)).toEqual([]);
  });

  test('with the id alone is told how to prove the wallet', () => {
    expect(faultsOf({ key_id })).toEqual([
      ['proof', expect.stringMatching(/^is required with `key_id`: sign a challenge .*\/api\/api-keys\/challenge/)],
    ]);
  });

  test.each([
    [{}, 'api_key', /^is required: give the key itself, or its `key_id`/],
    [{ proof }, 'key_id', /^is required with `proof`/],
    [{ api_key, key_id }, 'key_id', /^must be left out where `api_key`/],
    [{ api_key, proof }, 'proof', /^must be left out where `api_key`/],
  ])('%# names the field to add or to leave out', (body, field, message) => {
    expect(faultsOf(body)).toEqual([[field, expect.stringMatching(message)]]);
  });
});
