import { expect, it } from 'vitest'
import { earningColumns } from './earning-reports-screen.tsx'
import { columnsOf } from './listed-earnings.tsx'

const words = { full: () => '', year: () => '' } as never

it('earnings reports -> net next to the month; a phone shows the chosen amount after the trips', () => {
  const ids = (only: Parameters<typeof earningColumns>[1]) => earningColumns(words, only).map(({ id }) => id)
  expect(ids(null).slice(0, 4)).toEqual(['month', 'net', 'rides', 'cancelled'])
  expect(ids('profit')).toEqual(['month', 'rides', 'profit'])
})

it('driver earnings -> earned next to the driver', () => {
  const ids = columnsOf(words).map(({ id }) => id)
  expect(ids.slice(0, 5)).toEqual(['driver', 'earned', 'month', 'plate', 'rides'])
  expect(ids.filter((id) => id === 'earned')).toHaveLength(1)
})
