import { describe, test } from 'vitest';
import { call, expectProblem } from '#tests/support/http.ts';

describe('a path that is not validly percent-encoded', () => {
  test.each(['/api/webhooks/%E0%A4%A', '/api/api-keys/list/%', '/webhooks/%zz/deliveries', '/api/projects/%C0%80'])(
    'GET %s is the client’s fault: 400, a problem like any other',
    async (path) => {
      expectProblem(await call(path), 400, 'invalid_request');
    },
  );
});
