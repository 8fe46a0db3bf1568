import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { expect, test } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { rowsKey } from '../../ui/table/table-updates.ts'
import { moveInCache } from './use-moves.ts'

const reason = (label: string, value: number): AdminCancelReason => ({
  id: label,
  label,
  value,
  translations: {},
  version: 1,
  order: 4,
})
const key = [...rowsKey('reasons'), 'value']
const shown = () =>
  queryClient
    .getQueryData<{ pages: { items: AdminCancelReason[] }[] }>(key)
    ?.pages.map(({ items }) => items.map(({ label, value }) => `${value}${label}`))

test('moveInCache: reason crosses a page boundary -> page lengths stay, positions are renumbered', () => {
  queryClient.setQueryData(key, {
    pages: [
      { items: [reason('a', 0), reason('b', 1)], next: 'x' },
      { items: [reason('c', 2), reason('d', 3)], next: null },
    ],
    pageParams: [undefined, 'x'],
  })
  moveInCache('reasons', 'd', 0)
  expect(shown()).toEqual([
    ['0d', '1a'],
    ['2b', '3c'],
  ])
  moveInCache('reasons', 'a', 3, 5)
  expect(shown()).toEqual([
    ['0d', '1b'],
    ['2c', '3a'],
  ])
  expect(
    queryClient.getQueryData<{ pages: { items: AdminCancelReason[] }[] }>(key)?.pages[0]?.items[0]?.order,
  ).toBe(5)
  moveInCache('reasons', 'gone', 0)
  expect(shown()?.[0]).toEqual(['0d', '1b'])
})
