import { describe, expect, test } from 'vitest';
import recorded from '#lib/api/examples/recorded.json' with { type: 'json' };
import { projectPatch } from '#lib/sales/projects/project-input.ts';
import { projectResource } from '#lib/sales/schemas.ts';

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

describe('the lists of a project', () => {
  const url = 'https://example.com/';
  const entries = {
    links: { label: 'Code', url },
    team: { name: 'Ada', role: 'Founder' },
    documents: { title: 'Paper', url },
  };

  test.each([
    ['links', { url: 'http://example.com' }],
    ['links', { url: 'javascript:alert(1)' }],
    ['links', { label: ' ' }],
    ['links', { label: 'Pay here\u202e' }],
    ['team', { url: 'https://user@example.com' }],
    ['team', { name: 'a'.repeat(81) }],
    ['documents', { url: 'data:text/html,x' }],
    ['documents', { sha256: 'ab' }],
    ['documents', { sha256: `${'a'.repeat(63)}g` }],
    ['documents', { pages: 3 }],
  ] as const)('%s takes no entry with %j', (list, wrong) => {
    expect(projectPatch.safeParse({ [list]: [entries[list]] }).success).toBe(true);
    expect(projectPatch.safeParse({ [list]: [{ ...entries[list], ...wrong }] }).success).toBe(false);
  });

  test.each([
    ['links', 10],
    ['team', 30],
    ['documents', 20],
  ] as const)('%s holds at most %i entries, and cannot be null', (list, most) => {
    const many = (count: number) => Array.from({ length: count }, () => entries[list]);
    expect(projectPatch.safeParse({ [list]: many(most) }).success).toBe(true);
    expect(projectPatch.safeParse({ [list]: many(most + 1) }).success).toBe(false);
    expect(projectPatch.safeParse({ [list]: null }).success).toBe(false);
  });
});

test('a project of a platform that knows no such lists can be read, and verified', () => {
  const { links: _, team: __, documents: ___, ...before } = recorded.getProject.answers[200];
  expect(projectResource.parse(before)).toMatchObject({ links: [], team: [], documents: [] });
});
