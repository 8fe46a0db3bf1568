import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unit } from '../money/amount.ts'
import { receiptSerial, taxLines } from './tax.ts'

const trip = {
  status: 'PAID',
  due: 110 * unit,
  trip_cost: 110 * unit,
  convenience_fees: 10 * unit,
  decimal: 2,
}

describe('tax', () => {
  it('two rates -> one line each', () => {
    expect(taxLines(trip, { name: 'VAT', fare_rate: 10 * unit, fee_rate: 22 * unit })).toEqual([
      { name: 'VAT', rate: 10 * unit, base: 90.91 * unit, amount: 9.09 * unit },
      { name: 'VAT', rate: 22 * unit, base: 8.2 * unit, amount: 1.8 * unit },
    ])
  })

  it('one rate for both -> one line', () => {
    expect(taxLines(trip, { name: 'VAT', fare_rate: 22 * unit, fee_rate: 22 * unit })).toEqual([
      { name: 'VAT', rate: 22 * unit, base: 90.16 * unit, amount: 19.84 * unit },
    ])
  })

  it('cancellation fee -> taxed as a ride', () => {
    const cancelled = { ...trip, status: 'CANCELLED', due: 11 * unit }
    expect(taxLines(cancelled, { name: 'VAT', fare_rate: 10 * unit, fee_rate: 22 * unit })).toEqual([
      { name: 'VAT', rate: 10 * unit, base: 10 * unit, amount: 1 * unit },
    ])
  })

  it('no name, or nothing due -> no line', () => {
    expect(taxLines(trip, { name: '', fare_rate: 10 * unit, fee_rate: 0 })).toEqual([])
    expect(taxLines({ ...trip, due: 0 }, { name: 'VAT', fare_rate: 10 * unit, fee_rate: 0 })).toEqual([])
  })

  it('any price and rates -> base and tax add up to the amount due', () => {
    const percent = fc.integer({ min: 0, max: 100 * unit })
    const price = fc.record({
      cost: fc.integer({ min: 1, max: 1e7 }),
      fee: fc.double({ min: 0, max: 1, noNaN: true }),
      paid: fc.double({ min: 0, max: 1, noNaN: true }),
      decimal: fc.integer({ min: 0, max: 4 }),
    })
    fc.assert(
      fc.property(price, percent, percent, ({ cost, fee, paid, decimal }, fare_rate, fee_rate) => {
        const due = Math.round(cost * paid) * unit
        const lines = taxLines(
          {
            status: 'PAID',
            due,
            trip_cost: cost * unit,
            convenience_fees: Math.round(cost * fee) * unit,
            decimal,
          },
          { name: 'VAT', fare_rate, fee_rate },
        )
        expect(lines.reduce((sum, { base, amount }) => sum + base + amount, 0)).toBe(due)
        expect(lines.every(({ base, amount }) => base >= 0 && amount >= 0)).toBe(true)
      }),
    )
  })
})

it('serial: prefix, year and number -> padded; no prefix -> no dash', () => {
  expect(receiptSerial('H', 2026, 42)).toBe('H-2026-000042')
  expect(receiptSerial('', 2026, 1_234_567)).toBe('2026-1234567')
})
