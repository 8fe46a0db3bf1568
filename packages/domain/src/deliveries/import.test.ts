import { expect, test } from 'vitest'
import { columnsOf, importedRow, missingColumns, positionByName, rowProblems, staysQueued } from './import.ts'

const columns = columnsOf(['Drop_Address', ' Recipient name', 'PHONE', 'unknown', 'window from', 'Window-To'])
const good = importedRow(['Rambla 1', 'Ada', '099 111 222', 'x', '', ''], columns)
const time = (text: string) => (/^\d+$/.test(text) ? Number(text) : null)
const problems = (changes: Partial<typeof good>) =>
  rowProblems({ ...good, pickup: 'Plaza', ...changes }, time, 1000).map(
    ({ column, error }) => `${column} ${error}`,
  )

test('columns: other spelling and order -> found; unknown ones ignored', () => {
  expect(columns).toEqual({ drop: 0, person: 1, phone: 2, window_from: 4, window_to: 5 })
  expect(missingColumns(columns, false)).toEqual(['pickup'])
  expect(missingColumns({}, true)).toEqual(['drop', 'person', 'phone'])
})

test('row: short line -> empty cells; a formula -> text', () => {
  expect(importedRow(['=HYPERLINK("x")', '@Ada'], columns)).toMatchObject({
    drop: '=HYPERLINK("x")',
    person: '@Ada',
    phone: '',
    option: '',
  })
})

test('problems: each with its column', () => {
  expect(problems({})).toEqual([])
  expect(problems({ pickup: '', drop: '', person: '', phone: '' })).toEqual([
    'pickup required',
    'drop required',
    'person required',
    'phone required',
  ])
  expect(problems({ phone: 'none' })).toEqual(['phone deliveryDetailMissing'])
  expect(problems({ email: 'ada' })).toEqual(['email proper_email'])
  expect(problems({ person: 'a'.repeat(81) })).toEqual(['person too_long'])
  expect(problems({ window_from: '2000' })).toEqual(['window_to required'])
  expect(problems({ window_from: 'soon', window_to: '2000' })).toEqual(['window_from wrong_type'])
  expect(problems({ window_from: '3000', window_to: '2000' })).toEqual(['window_to reversed_range'])
  expect(problems({ window_from: '500', window_to: '900' })).toEqual(['window_to in_the_past'])
})

test('list entries: by name, the first without one, -1 for an unknown one', () => {
  expect(['', 'large BOX', 'sofa'].map((text) => positionByName(['Letter', 'Large box'], text))).toEqual([
    0, 1, -1,
  ])
})

test('queue: no money or room -> waits; a refused place -> does not', () => {
  expect(
    ['low_wallet', 'too_many_bookings', 'outside_region'].map((key) => staysQueued(key as never)),
  ).toEqual([true, true, false])
})
