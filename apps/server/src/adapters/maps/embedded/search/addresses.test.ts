import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressLabel, numberKey, numberOrder, splitNumbers } from './house-number-text.ts'
import { directoryOf, line, place, point, square, street } from './search-world.fixture.ts'

const house = (east: number, number: string, street = 'Hauptstraße', south = 10) =>
  point(east, south, { 'addr:housenumber': number, 'addr:street': street })

describe('house number text', () => {
  it.each([
    ['12 A', '12a', 12],
    ['12 bis', '12bis', 12],
    ['12/3', '12-3', 12],
    ['C-4', 'c4', 4],
    ['10-14', '10-14', 10],
    ['१२', '12', 12],
    ['s/n', '', 0],
  ])('"%s" -> key "%s", order %i', (text, key, order) => {
    expect([numberKey(text), numberOrder(text)]).toEqual([key, order])
  })

  it('list -> every number; range -> itself and both ends', () => {
    expect(splitNumbers('2;4, 6a')).toEqual(['2', '4', '6a'])
    expect(splitNumbers('10-14')).toEqual(['10-14', '10', '14'])
    expect(splitNumbers('s/n; ;')).toEqual([])
  })

  it('label -> in the habit of the country', () => {
    expect(addressLabel('Main Street', '1600', 'US')).toBe('1600 Main Street')
    expect(addressLabel('Hauptstraße', '12a', 'DE')).toBe('Hauptstraße 12a')
  })
})

describe('search: addresses', () => {
  const town = directoryOf([
    street('Hauptstraße', [0, 0], [1_000, 0]),
    house(100, '12'),
    house(120, '12a'),
    house(140, '14-18'),
    house(160, '20/3'),
    house(180, 'C-4'),
    house(200, '30 bis', 'hauptstr.'),
    point(3_000, 0, { place: 'village', name: 'Unterdorf' }),
    point(3_100, 0, { 'addr:housenumber': '7', 'addr:place': 'Unterdorf' }),
    point(500, 50, { 'addr:housenumber': '3', 'addr:street': 'Neuer Weg', 'addr:postcode': '9490' }),
  ])
  const first = (query: string) => town.search(query, undefined, 5)[0]

  it.each([
    ['hauptstrasse 12', 'Hauptstraße 12'],
    ['12 hauptstrasse', 'Hauptstraße 12'],
    ['Hauptstr. 12a', 'Hauptstraße 12a'],
    ['hauptstrasse 12 A', 'Hauptstraße 12a'],
    ['12a, Hauptstraße', 'Hauptstraße 12a'],
    ['hauptstraße 14', 'Hauptstraße 14'],
    ['hauptstraße 14-18', 'Hauptstraße 14-18'],
    ['hauptstraße 20/3', 'Hauptstraße 20/3'],
    ['hauptstraße C-4', 'Hauptstraße C-4'],
    ['hauptstraße 30bis', 'Hauptstraße 30 bis'],
    ['unterdorf 7', 'Unterdorf 7'],
    ['neuer weg 3', 'Neuer Weg 3'],
    ['hauptstrasee 12', 'Hauptstraße 12'],
  ])('"%s" -> %s', (query, label) => {
    expect(first(query)).toMatchObject({ label, kind: 'address' })
    expect(first(query)).not.toHaveProperty('missingNumber')
  })

  it('unknown number -> the nearest one, marked', () => {
    expect(first('hauptstraße 21')).toMatchObject({ label: 'Hauptstraße 20/3', missingNumber: 21 })
    expect(first('hauptstraße 900')).toMatchObject({
      label: 'Hauptstraße',
      kind: 'street',
      missingNumber: 900,
    })
  })

  it('every house number -> found by its id and at its position', () => {
    for (const number of ['12', '12a', '14-18', '20/3', 'C-4', '30 bis']) {
      const address = first(`Hauptstraße ${number}`)
      if (!address) throw new Error(`${number} is missing`)
      expect(town.place(address.id)).toEqual(address)
      expect(town.nearestHouseNumber(address)).toEqual(address)
    }
  })

  it('any number text -> its id leads back to it', () => {
    const text = fc.string({
      unit: fc.constantFrom('1', '2', '0', 'a', ' ', '/', '-', 'B'),
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(text, (number) => {
        const [clean] = splitNumbers(number)
        if (clean === undefined) return
        const found = directoryOf([street('Weg'), house(50, number, 'Weg')]).nearestHouseNumber(place(50, 10))
        expect(found?.label).toBe(`Weg ${clean}`)
      }),
      { numRuns: 100 },
    )
  })

  it('address in another language, or on a building or relation -> on the street', () => {
    const street = line(
      { highway: 'residential', name: 'Rue Neuve', 'name:nl': 'Nieuwstraat' },
      [0, 0],
      [300, 0],
    )
    const found = directoryOf([
      street,
      { ...square(10, 20, { 'addr:housenumber': '5', 'addr:street': 'Nieuwstraat' }), id: 'r77' },
    ])
    expect(found.search('rue neuve 5', undefined, 5)[0]).toMatchObject({ id: 'r77:5', label: 'Rue Neuve 5' })
  })

  it.each([
    ['even', [12, 14, 16]],
    ['all', [11, 12, 13, 14, 15, 16, 17]],
    ['4', [14]],
    ['alphabetic', []],
  ])('interpolation "%s" between 10 and 18 -> the numbers between', (kind, numbers) => {
    const found = directoryOf([
      street('Weg', [0, 0], [400, 0]),
      house(0, '10', 'Weg'),
      house(400, '18', 'Weg'),
      line({ 'addr:interpolation': kind }, [0, 10], [100, 10], [400, 10]),
    ])
    const known = [11, 12, 13, 14, 15, 16, 17].filter(
      (number) => found.search(`Weg ${number}`, undefined, 1)[0]?.label === `Weg ${number}`,
    )
    expect(known).toEqual(numbers)
    if (numbers.includes(14)) expect(found.nearestHouseNumber(place(200, 10))?.label).toBe('Weg 14')
  })

  it('interpolated number that has an address of its own -> only the address', () => {
    const found = directoryOf([
      street('Weg', [0, 0], [400, 0]),
      house(0, '10', 'Weg'),
      house(90, '12', 'Weg'),
      house(400, '14', 'Weg'),
      line({ 'addr:interpolation': 'even', 'addr:street': 'Weg' }, [0, 10], [400, 10]),
    ])
    expect(found.search('Weg 12', undefined, 1)[0]).toMatchObject(
      found.nearestHouseNumber(place(90, 10)) ?? {},
    )
    expect(found.nearestHouseNumber(place(200, 10))).toBeNull()
  })
})

describe('search: towns', () => {
  const towns = directoryOf([
    square(0, 2_000, { boundary: 'administrative', admin_level: '8', name: 'Vaduz' }, 'r'),
    square(2_000, 4_000, { boundary: 'administrative', admin_level: '8', name: 'Schaan' }, 'r'),
    point(1_000, 1_000, { place: 'town', name: 'Vaduz' }),
    point(3_000, 3_000, { place: 'village', name: 'Schaan' }),
    point(500, 500, { place: 'neighbourhood', name: 'Ebenholz' }),
    street('Landstrasse', [100, 100], [1_900, 1_900]),
    street('Landstrasse', [2_100, 2_100], [3_900, 3_900]),
    point(600, 600, { 'addr:housenumber': '5', 'addr:street': 'Landstrasse', 'addr:postcode': '9490' }),
    point(3_600, 3_600, { 'addr:housenumber': '5', 'addr:street': 'Landstrasse', 'addr:postcode': '9494' }),
    point(3_700, 3_700, { 'addr:housenumber': '7', 'addr:street': 'Landstrasse', 'addr:postcode': '9494' }),
    street('Egerta', [1_000, 100], [1_000, 300], [1_500, 300]),
    street('Im Rietacker', [1_500, 300], [1_800, 300]),
  ])
  const details = (query: string) => towns.search(query, undefined, 5).map(({ detail }) => detail)

  it('street through two towns -> one result in each', () => {
    expect(details('landstrasse')).toHaveLength(2)
  })

  it.each([
    ['Landstrasse 5, Schaan', 'Schaan'],
    ['Landstrasse 5, 9490', 'Ebenholz, Vaduz'],
    ['Landstrasse 5 Schaan', 'Schaan'],
    ['Landstrasse 5, 9494 Schaan', 'Schaan'],
    ['Schaan, Landstrasse 5', 'Schaan'],
    ['Landstrasse Schaan', 'Schaan'],
  ])('"%s" -> in %s', (query, detail) => {
    expect(details(query)[0]).toBe(detail)
  })

  it('number that only another town has -> the nearest in the town, then that', () => {
    const [first, second] = towns.search('Landstrasse 7, Vaduz', undefined, 5)
    expect(first).toMatchObject({ label: 'Landstrasse 5', detail: 'Ebenholz, Vaduz', missingNumber: 7 })
    expect(second).toMatchObject({ label: 'Landstrasse 7', detail: 'Schaan' })
  })

  it.each([
    'Egerta und Im Rietacker',
    'egerta & rietacker',
    'Egerta / Im Rietacker',
    'egerta @ im rietacker',
  ])('"%s" -> the intersection', (query) => {
    expect(towns.search(query, undefined, 5)[0]).toMatchObject({ label: 'Egerta / Im Rietacker' })
  })

  it('town -> its own name is not repeated', () => {
    expect(towns.search('vaduz', undefined, 1)[0]).toMatchObject({ label: 'Vaduz', detail: '' })
  })
})
