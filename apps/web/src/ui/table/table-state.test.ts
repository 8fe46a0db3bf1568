import type { TableSpec } from '@hansom/contract/tables'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  filterQuery,
  invalidFilters,
  isFiltered,
  readTableState,
  resolveDays,
  writeTableState,
} from './table-state.ts'

const spec = {
  sorts: ['createdAt', 'name'],
  defaultSort: '-createdAt',
  filters: {
    status: { kind: 'choice', values: ['NEW', 'PAID'] },
    approved: { kind: 'flag' },
    driver: { kind: 'id' },
    day: { kind: 'days' },
    fare: { kind: 'numbers' },
  },
  searchable: true,
} as const satisfies TableSpec

const atFirst = { sort: '-createdAt', q: '', filters: {}, columns: {}, view: null }

it('empty URL -> defaults; defaults -> empty URL', () => {
  expect(readTableState({}, spec)).toEqual(atFirst)
  const words = Object.values(writeTableState(atFirst, spec)).filter((word) => word !== undefined)
  expect(words).toEqual([])
})

it('unknown values -> ignored', () => {
  const address = {
    sort: 'password',
    status: 'NEW,GONE',
    approved: 'maybe',
    driver: '1; drop table',
    day: '2026-13..',
    fare: '..',
    columns: 'email,<b>',
    other: 'x',
  }
  expect(readTableState(address, spec)).toEqual({ ...atFirst, columns: { email: true } })
})

it.each([
  ['status', 'NEW,GONE'],
  ['approved', 'maybe'],
  ['day', '2026-02-30..'],
  ['day', '2026-11-30..2026-11-01'],
  ['day', 'tomorrow'],
  ['fare', '9..10x'],
  ['fare', '10..9'],
])('%s=%s -> reported as invalid', (name, value) => {
  expect(readTableState({ [name]: value }, spec).filters).toEqual({})
  expect(invalidFilters({ [name]: value, other: 'x' }, spec)).toEqual({ [name]: value })
})

it('relative days -> dates of the city in the query, unchanged in the URL', () => {
  const state = readTableState({ day: 'yesterday', fare: '9..10' }, spec)
  expect(writeTableState(state, spec).day).toBe('yesterday')
  expect(filterQuery(resolveDays(state, spec, '2026-11-23'))).toEqual({
    day: '2026-11-22..2026-11-22',
    fare: '9..10',
  })
})

it.each([
  ['status', 'NEW,PAID'],
  ['approved', 'false'],
  ['driver', '01a1ff2b-69f4-7a2e-a3bf-9ef69e114cb9'],
  ['day', '2026-11-01..'],
  ['day', '..2026-11-30'],
  ['day', '2026-11-01..2026-11-30'],
  ['fare', '-5..100000'],
])('%s=%s -> accepted', (name, value) => {
  expect(readTableState({ [name]: value }, spec).filters).toEqual({ [name]: value })
})

it('values parsed as numbers or booleans -> accepted', () => {
  expect(readTableState({ q: 42, approved: true }, spec)).toEqual({
    ...atFirst,
    q: '42',
    filters: { approved: 'true' },
  })
})

it('written state -> read back unchanged', () => {
  const state = fc.record({
    sort: fc.constantFrom('name', '-name', 'createdAt', '-createdAt'),
    q: fc.string({ maxLength: 100 }),
    filters: fc.record(
      {
        status: fc.constantFrom('NEW', 'NEW,PAID'),
        approved: fc.constantFrom('true', 'false'),
        fare: fc.constantFrom('1..', '..2', '-3..4'),
      },
      { requiredKeys: [] },
    ),
    columns: fc.dictionary(fc.stringMatching(/^[a-z]\w{0,8}$/), fc.boolean(), { noNullPrototype: true }),
    view: fc.option(fc.string({ minLength: 1 })),
  })
  fc.assert(
    fc.property(state, (one) => {
      const words = Object.entries(writeTableState(one, spec)).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      )
      const address = Object.fromEntries(new URLSearchParams(new URLSearchParams(words).toString()))
      expect(readTableState(address, spec)).toEqual(one)
    }),
  )
})

it('narrowingOf -> filters, fixed ones take precedence; queries of two letters or more', () => {
  const state = { ...atFirst, q: ' an ', filters: { approved: 'true', status: 'NEW' } }
  expect(filterQuery(state, { status: 'PAID' })).toEqual({ q: 'an', approved: 'true', status: 'PAID' })
  expect(filterQuery({ ...atFirst, q: 'a' })).toEqual({})
  expect(isFiltered({ ...atFirst, q: 'a' })).toBe(false)
  expect(isFiltered(state)).toBe(true)
})
