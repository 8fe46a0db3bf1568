import { expect, it } from 'vitest'
import { flatRows } from './use-table-rows.ts'

const idOf = ({ id }: { id: string }) => id
const page = (...ids: string[]) => ({ items: ids.map((id) => ({ id })), next: null })
const idsOf = (flat: { rows: readonly { id: string }[] }) => flat.rows.map(idOf).join('')

it('more pages -> appended', () => {
  const [one, two] = [page('a', 'b'), page('c')]
  const first = flatRows(null, [one], idOf)
  const both = flatRows(first, [one, two], idOf)
  expect(idsOf(both)).toBe('abc')
  expect(flatRows(both, [one, two], idOf)).toBe(both)
})

it('row moved between pages -> shown once', () => {
  const one = page('a', 'b')
  expect(idsOf(flatRows(flatRows(null, [one], idOf), [one, page('b', 'c')], idOf))).toBe('abc')
})

it('page changed, or fewer pages -> rebuilt', () => {
  const [one, two] = [page('a'), page('b')]
  const both = flatRows(null, [one, two], idOf)
  expect(idsOf(flatRows(both, [page('x'), two], idOf))).toBe('xb')
  expect(idsOf(flatRows(both, [one], idOf))).toBe('a')
})
