import { expect, test } from 'vitest'
import { readReportAddress } from './use-report-address.ts'

test.each([
  [{}, { group: 'month', year: null, q: '' }],
  [
    { group: 'driver', year: '2026..2026', q: 'ana' },
    { group: 'driver', year: 2026, q: 'ana' },
  ],
  [
    { group: 'list', year: '2025..2026', q: '7' },
    { group: 'list', year: null, q: '7' },
  ],
  [
    { group: 'else', year: 'soon' },
    { group: 'month', year: null, q: '' },
  ],
])('%j', (address, state) => {
  expect(readReportAddress(address)).toEqual(state)
})
