import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FareRule, fareFor } from '../fare/fare.ts'
import { hasReceipt, paidBy, receiptLines } from './receipt-lines.ts'

const unit = 10_000
const amount = fc.integer({ min: 0, max: 500 * unit })
const rule: fc.Arbitrary<FareRule> = fc.record({
  base_fare: amount,
  rate_per_unit_distance: amount,
  rate_per_hour: amount,
  min_fare: amount,
  convenience_fees: fc.integer({ min: 0, max: 40 * unit }),
  convenience_fee_type: fc.constantFrom('flat' as const, 'percentage' as const),
})

const cost = (fare_parts: ReturnType<typeof fareFor>, discount_amount = 0) => ({
  fare_parts,
  trip_cost: fare_parts.trip_cost,
  discount_amount,
  written_off_amount: 0,
  cancellation_fee: 0,
  status: 'PAID' as const,
  viewer: 'rider' as const,
})

const settled = (facts: Partial<Parameters<typeof paidBy>[0]>) => ({
  status: 'PAID' as const,
  cashPaymentAmount: 0,
  cardPaymentAmount: 0,
  usedWalletMoney: 0,
  customer_paid: 0,
  cancellation_fee: 0,
  viewer: 'rider' as const,
  ...facts,
})

describe('receipt', () => {
  it('any fare -> the parts add up to the total, minus the discount to the amount due', () => {
    fc.assert(
      fc.property(
        rule,
        fc.double({ min: 0, max: 80, noNaN: true }),
        fc.integer({ min: 0, max: 9000 }),
        fc.integer({ min: 0, max: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (fares, km, seconds, decimal, share) => {
          const parts = fareFor(fares, km, seconds, 0, { decimal, convert_to_mile: false })
          const lines = receiptLines(cost(parts, Math.floor(parts.trip_cost * share)))
          const sum = (kind: string) =>
            lines.filter((line) => line.kind === kind).reduce((total, line) => total + line.amount, 0)
          expect(sum('part')).toBe(sum('total'))
          if (lines.some(({ kind }) => kind === 'due')) expect(sum('total') + sum('less')).toBe(sum('due'))
          expect(sum('total')).toBe(parts.trip_cost)
        },
      ),
    )
  })

  it('amounts of 0, and the discount for viewers who may not see it -> left out', () => {
    const parts = fareFor(
      {
        base_fare: 50 * unit,
        rate_per_unit_distance: 20 * unit,
        rate_per_hour: 0,
        min_fare: 0,
        convenience_fees: 10 * unit,
        convenience_fee_type: 'flat',
      },
      5,
      600,
      0,
      { decimal: 0, convert_to_mile: false },
    )
    expect(receiptLines(cost(parts, 20 * unit)).map(({ key }) => key)).toEqual([
      'trip.part_base',
      'trip.part_distance',
      'trip.part_convenience_fees',
      'trip.total',
      'trip.discount',
      'trip.to_pay',
    ])
    expect(receiptLines({ ...cost(parts, 20 * unit), viewer: 'driver' }).at(-1)?.key).toBe('trip.total')
  })

  it('return leg written off -> a line, the rest to pay, and the return to the wallet', () => {
    const parts = {
      base: 100 * unit,
      distance: 0,
      time: 0,
      extras: 0,
      minimum_top_up: 0,
      return_leg: 25 * unit,
    }
    const fare = { ...parts, convenience_fees: 10 * unit, trip_cost: 135 * unit, driver_share: 125 * unit }
    const trip = { ...cost(fare, 20 * unit), written_off_amount: 25 * unit }
    expect(
      receiptLines(trip)
        .slice(-4)
        .map(({ key, amount }) => [key, amount / unit]),
    ).toEqual([
      ['trip.total', 135],
      ['trip.discount', -20],
      ['trip.written_off', -25],
      ['trip.to_pay', 90],
    ])
    const paid = settled({
      cardPaymentAmount: 90 * unit,
      usedWalletMoney: 25 * unit,
      customer_paid: 90 * unit,
    })
    expect(paidBy(paid).at(-1)).toEqual({ key: 'trip.paid_back', amount: -25 * unit })
    expect(receiptLines({ ...trip, viewer: 'driver' }).at(-1)?.key).toBe('trip.total')
  })

  it('cancelled trip -> one line', () => {
    const parts = fareFor(
      {
        base_fare: 50 * unit,
        rate_per_unit_distance: 0,
        rate_per_hour: 0,
        min_fare: 0,
        convenience_fees: 0,
        convenience_fee_type: 'flat',
      },
      5,
      600,
      0,
      { decimal: 0, convert_to_mile: false },
    )
    expect(receiptLines({ ...cost(parts), status: 'CANCELLED', cancellation_fee: 5 * unit })).toEqual([
      { key: 'trip.cancellation_fee', amount: 5 * unit, kind: 'due' },
    ])
  })

  it('payment methods -> each one that was used', () => {
    expect(paidBy(settled({ usedWalletMoney: 30, cardPaymentAmount: 80, customer_paid: 110 }))).toEqual([
      { key: 'trip.paid_wallet', amount: 30 },
      { key: 'trip.paid_card', amount: 80 },
    ])
  })

  it('cash, for a driver, who does not see what the rider paid -> the cash alone', () => {
    const cash = { cashPaymentAmount: 110, customer_paid: 0, viewer: 'driver' } as const
    expect(paidBy(settled(cash))).toEqual([{ key: 'trip.paid_cash', amount: 110 }])
  })

  it('surplus of the advance payment -> the amount returned to the wallet', () => {
    const inAdvance = { cardPaymentAmount: 80, customer_paid: 70 }
    expect(paidBy(settled(inAdvance)).at(-1)).toEqual({ key: 'trip.paid_back', amount: -10 })
    expect(paidBy(settled({ ...inAdvance, status: 'STARTED', customer_paid: 0 }))).toHaveLength(1)
    const cancelled = { cardPaymentAmount: 80, status: 'CANCELLED', cancellation_fee: 5 } as const
    expect(paidBy(settled(cancelled)).at(-1)).toEqual({ key: 'trip.paid_back', amount: -75 })
    expect(paidBy(settled({ status: 'CANCELLED', cancellation_fee: 5 }))).toEqual([])
  })

  it('paid trip or cancellation fee -> has a receipt; one that cost nothing has none', () => {
    const paid = (
      status: 'PAID' | 'COMPLETE' | 'CANCELLED' | 'PENDING',
      cancellation_fee = 0,
      trip_cost = 100,
    ) => hasReceipt({ status, trip_cost, cancellation_fee })
    expect([paid('PAID', 0, 0), paid('CANCELLED', 5, 0)]).toEqual([false, true])
    expect([
      paid('PAID'),
      paid('COMPLETE'),
      paid('CANCELLED', 5),
      paid('CANCELLED'),
      paid('PENDING'),
    ]).toEqual([true, true, true, false, false])
  })
})
