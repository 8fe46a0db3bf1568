import booking from '@hansom/domain/languages/packs/en/booking.json'
import { unit } from '@hansom/domain/money/amount'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { FareLines } from './fare-and-payment.tsx'

beforeEach(() => {
  const keyValuePairs = Object.fromEntries(
    Object.entries(booking).map(([key, text]) => [`booking.${key}`, text]),
  )
  startEnglish(keyValuePairs)
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
})
afterEach(cleanup)

const fare = {
  base: 58 * unit,
  distance: 88 * unit,
  time: 0,
  extras: 0,
  minimum_top_up: 0,
  return_leg: 0,
  convenience_fees: 0,
} as Parameters<typeof FareLines>[0]['fare']

function linesWith(outstanding: number): (string | null)[] {
  render(
    <QueryClientProvider client={queryClient}>
      <FareLines fare={fare} discount={0} payable={146 * unit} outstanding={outstanding} />
    </QueryClientProvider>,
  )
  return screen.getAllByRole('term').map((term) => term.parentElement?.textContent ?? null)
}

it('fare lines: nothing outstanding -> breakdown and total', () => {
  expect(linesWith(0)).toEqual(['Base fare$58', 'Distance$88', 'Total$146'])
})

it('fare lines: outstanding amount -> trip, that amount and their sum', () => {
  expect(linesWith(138 * unit)).toEqual([
    'Base fare$58',
    'Distance$88',
    'This trip$146',
    'Outstanding amount$138',
    'Total$284',
  ])
})
