import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText } from './plain-text.ts'
import { directoryOf, place, point, street } from './search-world.fixture.ts'
import { indexWords, nameKeys, words } from './words.ts'

describe('plainText', () => {
  it.each([
    ['  Bulevar José Artigas,  ', 'bulevar jose artigas'],
    ['Łódź Straße Ærø İstanbul ışık', 'lodz strasse aero istanbul isik'],
    ["King's Road, O'Connell, l'Hospital", 'kings road oconnell l hospital'],
    ['улица Ёлочная', 'улица елочная'],
    ['Ὁδὸς Ἑρμοῦ', 'οδοσ ερμου'],
    ['شارعُ الأُمّـة ٤٢', 'شارع الامه 42'],
    ['רחוב שלום', 'רחוב שלומ'],
    ['महात्मा गाँधी मार्ग', 'महात्मा गाँधी मार्ग'],
    ['¿?', ''],
  ])('"%s" -> "%s"', (text, plain) => {
    expect(plainText(text)).toBe(plain)
  })

  it('any text -> unchanged the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        const plain = plainText(text)
        expect(plainText(plain)).toBe(plain)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('words', () => {
  it('script without spaces -> pairs of characters', () => {
    expect(words('南京东路 Road')).toEqual(['南京', '京东', '东路', 'road'])
    expect(words('路')).toEqual(['路'])
    expect(indexWords('东京')).toEqual(['东京', '京'])
  })

  it('abbreviation -> every word it may stand for', () => {
    expect(indexWords('St')).toEqual(expect.arrayContaining(['st', 'street', 'saint', 'sankt']))
    expect(indexWords('Hauptstr.')).toEqual(['hauptstr', 'hauptstrasse', 'hauptstraat'])
    expect(indexWords('Müller')).toEqual(['muller', 'mueller'])
    expect(nameKeys('Av. de Italia')).toEqual(expect.arrayContaining(['avenida italia', 'avenue italia']))
  })
})

describe('search: names', () => {
  const names: [query: string, name: string][] = [
    ['hauptstrasse', 'Hauptstraße'],
    ['hauptstr', 'Hauptstraße'],
    ['haupt strasse', 'Hauptstraße'],
    ['zuercherstr', 'Zürcher Straße'],
    ['zürcherstraße', 'Zürcher Straße'],
    ['c mallorca', 'Carrer de Mallorca'],
    ['calle mallorca', 'Carrer de Mallorca'],
    ['5th ave', 'Fifth Avenue'],
    ['st james st', 'Saint James Street'],
    ['bd haussmann', 'Boulevard Haussmann'],
    ['r das flores', 'Rua das Flores'],
    ['ul. kosciuszki', 'ulica Tadeusza Kościuszki'],
    ['ул пушкина', 'улица Пушкина'],
    ['λεωφ. συγγρου', 'Λεωφόρος Συγγρού'],
    ['شارع الامير عبد', 'شارع الأمير عبد الله'],
    ['הרצל', 'רחוב הרצל'],
    ['गाँधी मार्ग', 'महात्मा गाँधी मार्ग'],
    ['京东', '南京东路'],
    ['路', '南京东路'],
    ['สุขุม', 'ถนนสุขุมวิท'],
  ]
  const directory = directoryOf(
    [...new Set(names.map(([, name]) => name))].map((name, at) =>
      street(name, [at * 2_000, 0], [at * 2_000, 90]),
    ),
  )

  it.each(names)('"%s" -> %s', (query, name) => {
    expect(directory.search(query, undefined, 5).map(({ label }) => label)).toContain(name)
  })

  it('names in other languages and former names -> found under the label', () => {
    const tags = {
      highway: 'residential',
      name: 'Via Roma',
      'name:de': 'Romstraße',
      old_name: 'Via Littoria;Via Nuova',
      ref: 'SP 12',
    }
    const found = directoryOf([{ ...street('Via Roma'), tags }])
    for (const query of ['romstrasse', 'via littoria', 'via nuova', 'sp 12'])
      expect(found.search(query, undefined, 5)[0]?.label, query).toBe('Via Roma')
  })

  it('every name -> found by its own text', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'é', 'ß', 'ñ', 'ø', ' ', '-', 'ж', 'ش', '街', '3'),
      minLength: 3,
      maxLength: 14,
    })
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), (all) => {
        const usable = all.filter((one) => words(one).length > 0)
        const found = directoryOf(
          usable.map((one, at) => point(at * 3_000, 0, { place: 'village', name: one })),
        )
        usable.forEach((one, at) => {
          const labels = found.search(one, place(at * 3_000, 0), 20).map(({ label }) => label)
          expect(labels).toContain(one)
        })
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    'Apotheke',
    'pharmacy',
    'farmacia',
    'pharmacie',
    'صيدلية',
    '药店',
    'apotek',
    'दवाखाना',
    'farmcia',
  ])('word for a kind of place "%s" -> a place of that kind', (query) => {
    const shops = directoryOf([
      point(0, 0, { amenity: 'pharmacy', name: 'Löwen' }),
      point(500, 0, { amenity: 'bar', name: 'Bären' }),
    ])
    expect(shops.search(query, undefined, 5).map(({ label }) => label)).toEqual(['Löwen'])
  })

  it('place without a name -> its brand, or its kind in the language of the region', () => {
    const directory = directoryOf([
      point(0, 0, { amenity: 'fuel', brand: 'Avia' }),
      point(500, 0, { amenity: 'police' }),
      point(900, 0, { amenity: 'bench', operator: 'Xylophon' }),
    ])
    expect(directory.search('tankstelle', undefined, 5)[0]?.label).toBe('Avia')
    expect(directory.search('police', undefined, 5)[0]?.label).toBe('Polizei')
    expect(directory.search('xylophon', undefined, 5)).toEqual([])
  })
})
