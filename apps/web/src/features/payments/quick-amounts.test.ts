import { unit } from '@hansom/domain/money/amount'
import { expect, it } from 'vitest'
import { quickAmounts } from './top-up-dialog.tsx'
import { minutesAndSeconds } from './unpaid-booking.tsx'

it('quick amounts: any prices -> round, in proportion', () => {
  const of = (trip: number | undefined) => quickAmounts(trip && trip * unit).map((amount) => amount / unit)
  expect(of(125)).toEqual([500, 2000, 5000])
  expect(of(5)).toEqual([20, 50, 100])
  expect(of(12_000)).toEqual([50_000, 200_000, 500_000])
  expect(of(0.5)).toEqual([2, 5, 10])
  expect(of(undefined)).toEqual([20, 50, 100])
  expect(of(0)).toEqual([20, 50, 100])
})

it('time left: over -> 0:00', () => {
  expect([900_000, 899_001, 65_000, 1, 0, -5].map(minutesAndSeconds)).toEqual([
    '15:00',
    '15:00',
    '1:05',
    '0:01',
    '0:00',
    '0:00',
  ])
})
