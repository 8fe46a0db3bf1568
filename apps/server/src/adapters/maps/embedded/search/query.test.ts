import { describe, expect, it } from 'vitest'
import { readQuery } from './directory.ts'
import { plainText, words } from './words.ts'

describe('readQuery', () => {
  it('text -> plain words with abbreviations spelled out', () => {
    expect(plainText('  Bulevar José Artigas,  ')).toBe('bulevar jose artigas')
    expect(words('Av. Gral. Rivera')).toEqual(['avenida', 'general', 'rivera'])
    expect(words('Blvr. Ñandú')).toEqual(['bulevar', 'nandu'])
    expect(words('¿?')).toEqual([])
  })

  it('number after the first word -> house number', () => {
    expect(readQuery('18 de Julio 1234').numbered).toEqual({ words: ['18', 'de', 'julio'], number: 1234 })
    expect(readQuery('18 de Julio').numbered).toBeNull()
    expect(readQuery('rivera 2500 apto').numbered).toEqual({ words: ['rivera', 'apto'], number: 2500 })
  })

  it('comma -> rest ignored, unless nothing precedes it', () => {
    expect(readQuery('Colonia 1100, Montevideo, Uruguay').words).toEqual(['colonia', '1100'])
    expect(readQuery(', Colonia').words).toEqual(['colonia'])
  })

  it('corner separator -> every possible split', () => {
    expect(readQuery('Ejido esq. Colonia').intersections).toEqual([[['ejido'], ['colonia']]])
    expect(readQuery('a y b y c').intersections).toEqual([
      [['a'], ['b', 'y', 'c']],
      [['a', 'y', 'b'], ['c']],
    ])
    expect(readQuery('Yaguarón').intersections).toEqual([])
  })
})
