import { describe, expect, test } from 'vitest';
import { projectPatch } from '#lib/sales/schemas.ts';

describe.each(['website', 'logo'])('the %s of a project', (field) => {
  test.each([
    'http://example.com',
    'https:example.com',
    'https:/example.com',
    'https:\\\\example.com',
    ' https://example.com',
    'https://user@example.com',
    'https://user:password@example.com',
    'javascript:alert(1)',
    'https://',
  ])('is not %j', (url) => {
    expect(projectPatch.safeParse({ [field]: url }).success).toBe(false);
  });

  test('is kept as browsers read it', () => {
    expect(projectPatch.parse({ [field]: 'HTTPS://EXAMPLE.com/a b/../ü"<' })).toEqual({
      [field]: 'https://example.com/%C3%BC%22%3C',
    });
    expect(projectPatch.parse({ [field]: null })).toEqual({ [field]: null });
  });
});
