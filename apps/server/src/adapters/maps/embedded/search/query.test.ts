import { describe, expect, it } from 'vitest'
import { readQuery } from './read-query.ts'

const reading = (words: string, number: number, key = String(number)) => ({
  words: words.split(' '),
  number,
  key,
})

describe('readQuery', () => {
  it.each([
    ['18 de Julio 1234', [reading('18 de julio', 1234), reading('de julio 1234', 18)]],
    ['rivera 2500 apto', [reading('rivera apto', 2500)]],
    ['1600 Main Street', [reading('main street', 1600)]],
    ['12, rue de Rivoli', [reading('rue de rivoli', 12)]],
    ['Hauptstrasse 12a', [reading('hauptstrasse', 12, '12a')]],
    ['rue Monge 12 bis', [reading('rue monge', 12, '12bis'), reading('rue monge bis', 12)]],
    ['Gasse 12/3', [reading('gasse 12', 3), reading('gasse', 12, '12-3'), reading('gasse 3', 12)]],
    ['Polígono C-4', [reading('poligono', 4, 'c4'), reading('poligono c', 4)]],
    ['1234', []],
  ])('"%s" -> every reading as a street and a number', (text, numbered) => {
    expect(readQuery(text).numbered).toEqual(numbered)
  })

  it('comma -> the rest are hints, unless only a number precedes it', () => {
    expect(readQuery('Colonia 1100, Montevideo, Uruguay')).toMatchObject({
      words: ['colonia', '1100'],
      hints: ['montevideo', 'uruguay'],
    })
    expect(readQuery(', Colonia').words).toEqual(['colonia'])
    expect(readQuery('12, rue Monge, Paris')).toMatchObject({
      words: ['12', 'rue', 'monge'],
      hints: ['paris'],
    })
    expect(readQuery('Hauptstrasse, 12, Vaduz')).toMatchObject({
      words: ['hauptstrasse', '12'],
      hints: ['vaduz'],
    })
  })

  it.each([
    ['Ejido esq. Colonia', [['ejido'], ['colonia']]],
    ['Main St & 5th', [['main', 'st'], ['5th']]],
    ['Landstrasse und Bahnhofstrasse', [['landstrasse'], ['bahnhofstrasse']]],
    [
      'Carrer Major i Carrer Nou',
      [
        ['carrer', 'major'],
        ['carrer', 'nou'],
      ],
    ],
    [
      'улица Мира и улица Ленина',
      [
        ['улица', 'мира'],
        ['улица', 'ленина'],
      ],
    ],
    [
      'شارع النيل وشارع الحرية',
      [
        ['شارع', 'النيل'],
        ['شارع', 'الحريه'],
      ],
    ],
  ])('"%s" -> an intersection', (text, corner) => {
    expect(readQuery(text).intersections).toEqual([corner])
  })

  it('word between streets in a name -> every possible split', () => {
    expect(readQuery('a y b y c').intersections).toEqual([
      [['a'], ['b', 'y', 'c']],
      [['a', 'y', 'b'], ['c']],
    ])
    expect(readQuery('Yaguarón').intersections).toEqual([])
  })
})
