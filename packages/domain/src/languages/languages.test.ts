import { describe, expect, it } from 'vitest'
import { blockingError, checkTexts, missingForms, placeholders } from './check-texts.ts'
import { checkNames, completeness, tidyNames } from './edit-language.ts'
import { parsePack, writePack } from './parse-pack.ts'
import { completeTexts, countedStem, keysOf } from './plural-keys.ts'
import { canonicalLocale } from './translations.ts'

const english = {
  'a.hello': 'Hello {{name}}',
  'a.stars_one': '{{count}} star',
  'a.stars_other': '{{count}} stars',
  'a.reason_other': 'Another reason',
  'a.results_zero': 'Nothing',
  'a.results_one': '{{count}} result',
  'a.results_other': '{{count}} results',
}

describe('keys of a language', () => {
  it('counted text -> every plural form; suffix without count -> one key', () => {
    expect(keysOf('en', english)).toEqual(Object.keys(english))
    expect(keysOf('ru', english)).toEqual([
      'a.hello',
      ...['one', 'few', 'many', 'other'].map((form) => `a.stars_${form}`),
      'a.reason_other',
      ...['zero', 'one', 'few', 'many', 'other'].map((form) => `a.results_${form}`),
    ])
    expect(keysOf('no such tag!', english)).toEqual(keysOf('en', english))
    expect(countedStem('a.reason_other', english)).toBeNull()
  })

  it('missing texts -> completed, including forms that English lacks', () => {
    expect(completeTexts('ru', { 'a.hello': 'Привет, {{name}}' }, english)).toMatchObject({
      'a.hello': 'Привет, {{name}}',
      'a.stars_few': '{{count}} stars',
      'a.stars_one': '{{count}} star',
      'a.results_zero': 'Nothing',
    })
  })
})

describe('texts', () => {
  it('placeholders -> found in every notation', () => {
    expect(placeholders('{{ b }} {{a, number}} {{- c}} {{b}} {d}')).toEqual(['a', 'b', 'c'])
  })

  it('unknown and missing placeholders -> reported', () => {
    const texts = {
      'a.hello': 'Hola {{nombre}}',
      'a.stars_one': 'una estrella',
      'a.stars_other': 'estrellas',
      'a.nothing': 'x',
      'a.reason_other': 'y'.repeat(4001),
      'a.results_one': '',
    }
    expect(checkTexts('es', texts, english)).toEqual([
      { key: 'a.hello', problem: 'unknown_placeholder', names: ['nombre'] },
      { key: 'a.hello', problem: 'missing_placeholder', names: ['name'] },
      { key: 'a.stars_other', problem: 'missing_placeholder', names: ['count'] },
      { key: 'a.nothing', problem: 'unknown_key' },
      { key: 'a.reason_other', problem: 'too_long' },
    ])
    expect(checkTexts('es', texts, english).map(blockingError)).toEqual([
      'unknown_placeholder',
      null,
      null,
      'unknown_field',
      'too_long',
    ])
  })

  it('number that English leaves out -> allowed in a form', () => {
    expect(checkTexts('en', { 'a.results_zero': '{{count}} results' }, english)).toEqual([])
  })

  it('missing plural forms -> reported', () => {
    const texts = { 'a.stars_one': 'x', 'a.stars_few': 'x', 'a.hello': 'x' }
    expect(missingForms('ru', texts, english)).toEqual([
      { key: 'a.stars', problem: 'missing_form', names: ['many', 'other'] },
    ])
  })
})

describe('pack as JSON', () => {
  it('written pack -> parsed unchanged', () => {
    const texts = { 'a.b': 'q"\\\n\u0001é💥', 'a.c': '' }
    expect(parsePack(writePack(texts))).toEqual({ texts })
    expect(parsePack(' {} \n')).toEqual({ texts: {} })
    expect(parsePack('{"\\u0061":"\\u00e9\\/"}')).toEqual({ texts: { a: 'é/' } })
  })

  it.each([
    ['', 'syntax', 1, 1],
    ['{', 'syntax', 1, 2],
    ['{\n  "a": "b",\n}', 'syntax', 3, 1],
    ['{\n  "a": "b"\n  "c": "d"\n}', 'syntax', 3, 3],
    ['{"a" "b"}', 'syntax', 1, 6],
    ['{"a": "b', 'syntax', 1, 9],
    ['{"a": "b\nc"}', 'syntax', 1, 9],
    ['{"a": "\\x"}', 'syntax', 1, 8],
    ['{"a": "\\u12g4"}', 'syntax', 1, 8],
    ["{'a': 'b'}", 'syntax', 1, 2],
    ['{"a": b}', 'syntax', 1, 7],
    ['{"a": "b"} x', 'syntax', 1, 12],
    ['{\r\n"a": "b",,}', 'syntax', 2, 10],
    ['["a"]', 'no_object', 1, 1],
    ['{"a": {"b": "c"}}', 'no_text', 1, 7],
    ['{"a": null}', 'no_text', 1, 7],
    ['{"a": "b",\n "a": "c"}', 'twice', 2, 2],
  ])('%j -> %s at %i:%i', (source, problem, line, column) => {
    expect(parsePack(source)).toMatchObject({ error: { problem, line, column } })
  })

  it('duplicate key or no text -> the key is named', () => {
    expect(parsePack('{"a":"b","a":"c"}')).toMatchObject({ error: { key: 'a', offset: 9 } })
    expect(parsePack('{"a":7}')).toMatchObject({ error: { key: 'a', offset: 5 } })
  })
})

describe('names', () => {
  it('language tag -> canonical form', () => {
    expect(canonicalLocale(' PT-br ')).toBe('pt-BR')
    for (const none of ['', 'x', 'es_UY', 'españa', '<b>', 'a'.repeat(21)])
      expect(canonicalLocale(none)).toBeNull()
    expect(tidyNames({ langName: ' Español ', langLocale: 'ES', dateLocale: 'es-uy' })).toEqual({
      langName: 'Español',
      langLocale: 'es',
      dateLocale: 'es-UY',
    })
  })

  it('invalid names -> the problems', () => {
    expect(checkNames({ langName: '', langLocale: '?', dateLocale: '?' })).toEqual([
      { field: 'langName', error: 'required' },
      { field: 'langLocale', error: 'not_a_locale' },
      { field: 'dateLocale', error: 'not_a_locale' },
    ])
    expect(checkNames({ dateLocale: '' })).toEqual([])
  })

  it('name of another language, in any case -> taken', () => {
    const [english, spanish] = [
      { langName: 'English', langLocale: 'en' },
      { langName: 'Español', langLocale: 'es' },
    ]
    const known = [english, spanish, { langName: 'Español', langLocale: 'es-UY' }]
    const taken = [{ field: 'langName', error: 'taken' }]
    expect(checkNames({ langName: 'español' }, known)).toEqual(taken)
    expect(checkNames({ langName: 'español' }, known, english)).toEqual(taken)
    expect(checkNames({ langName: 'ENGLISH' }, known, english)).toEqual([])
    expect(checkNames({ langName: 'Español', langLocale: 'es-AR' }, known, spanish)).toEqual([])
    expect(checkNames({ langName: 'Português' }, known)).toEqual([])
    expect(checkNames({ direction: 'rtl' }, known)).toEqual([])
  })

  it('completeness -> 100 only when nothing is missing', () => {
    expect([completeness(999, 1000), completeness(1000, 1000), completeness(0, 0)]).toEqual([99, 100, 100])
  })
})
