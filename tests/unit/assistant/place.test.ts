import { describe, expect, test } from 'vitest';
import { languageOf } from '#lib/assistant/built-in/language.ts';
import { dateText } from '#lib/assistant/built-in/markdown.ts';
import { placeIn } from '#lib/assistant/built-in/place.ts';
import places from '#lib/assistant/built-in/places.json' with { type: 'json' };

const AT = '2026-11-26T12:00:00Z';

describe('a time is told in UTC, and in that of a place that the question names', () => {
  test.each([
    ['when does it start in New York time?', 'America/New_York', /12:00 UTC \(New York: .*07:00\)/],
    ['ça ouvre à quelle heure, heure de Paris ?', 'Europe/Paris', /12:00 UTC \(Paris: .*13:00\)/],
    ['¿a qué hora abre, hora de São Paulo?', 'America/Sao_Paulo', /12:00 UTC \(São Paulo: .*09:00\)/],
    ['what time is that in EST', 'America/New_York', /07:00/],
  ])('%s', (question, zone, told) => {
    const place = placeIn(question);
    expect(place?.zone).toBe(zone);
    expect(dateText(AT, 'en', place)).toMatch(told);
  });

  test('Japanese shows its own time once', () => {
    expect(dateText(AT, 'ja', placeIn('東京では何時ですか')).match(/21:00/g)).toHaveLength(1);
  });

  test('where no place is named there is UTC alone', () => {
    expect(placeIn('when does the sale start, and what is the price?')).toBeNull();
    expect(dateText(AT)).toMatch(/12:00 UTC$/);
  });

  test('every zone is one that this runtime knows', () => {
    for (const zone of Object.keys(places))
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
  });
});

test.each([
  ['c koi un tag', 'fr'],
  ['pk jai rien recu', 'fr'],
  ['pausaram pq? ninguem avisou', 'pt'],
  ['venderam tudo?', 'pt'],
  ['pagaron ya?', 'es'],
  ['cancelaron la venta', 'es'],
])('a question of few words is read in its language: %s', (question, language) => {
  expect(languageOf(question)).toBe(language);
});
