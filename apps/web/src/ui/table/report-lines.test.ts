import { expect, test } from 'vitest'
import { reportLines } from './report-lines.ts'

const rows = [
  { id: 'a', driver: 'Ana', month: '10' },
  { id: 'b', driver: 'Bo', month: '10' },
  { id: 'c', driver: 'Ana', month: '11' },
]
const keys = [({ driver }: (typeof rows)[0]) => driver, ({ month }: (typeof rows)[0]) => month]
const rowId = ({ id }: (typeof rows)[0]) => id
const shown = (open: (depth: number) => boolean) =>
  reportLines(rows, { keys, rowId, isOpen: ({ depth }) => open(depth) }).map(
    ({ path, isGroup, row }) => `${path.join('/')}${isGroup ? '' : `=${row.id}`}`,
  )

test('reportLines: groups closed -> one line for each outer group', () => {
  expect(shown(() => false)).toEqual(['Ana', 'Bo'])
})

test('reportLines: groups open -> inner groups and rows in order of first appearance', () => {
  expect(shown((depth) => depth === 0)).toEqual(['Ana', 'Ana/10', 'Ana/11', 'Bo', 'Bo/10'])
  expect(shown(() => true)).toEqual([
    'Ana',
    'Ana/10',
    'Ana/10=a',
    'Ana/11',
    'Ana/11=c',
    'Bo',
    'Bo/10',
    'Bo/10=b',
  ])
})

test('reportLines: no groups -> the rows, without a parent', () => {
  const lines = reportLines(rows, { keys: [], rowId, isOpen: () => true })
  expect(lines.map(({ id, depth, parent }) => [id, depth, parent])).toEqual([
    ['a', 0, null],
    ['b', 0, null],
    ['c', 0, null],
  ])
})

test('reportLines: nested line -> names the group that contains it', () => {
  const lines = reportLines(rows, { keys, rowId, isOpen: () => true })
  expect(lines[2]?.parent).toBe(lines[1]?.id)
  expect(lines[1]?.parent).toBe(lines[0]?.id)
})
