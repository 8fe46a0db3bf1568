import type { Receipt } from '@hansom/contract/receipts'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { expect, test } from 'vitest'
import type { CurrentSettings } from '../settings/service.ts'
import { mailLines } from './format-email.ts'

const texts = {
  'trip.total': 'Total',
  'trip.paid_cash': 'Paid in cash',
  'receipts.outstanding': 'Outstanding amount',
  'receipts.refund': 'Refund',
  'receipts.net': 'Paid in all',
}
const receipt = {
  decimal: 2,
  lines: [{ key: 'trip.total', amount: 110 * unit, kind: 'total' }],
  paid: [{ key: 'trip.paid_cash', amount: 110 * unit, provider: null, reference: null }],
  refunds: [],
  outstanding: 0,
  net: 110 * unit,
} as unknown as Receipt
const linesOf = (changes: Partial<Receipt>) =>
  mailLines({ ...receipt, ...changes }, texts, defaultSettings as CurrentSettings).map(
    ({ text, amount }) => `${text} ${amount.replace(/[^\d.,−]/g, '')}`,
  )

test('receipt email: outstanding amount collected with the trip -> separate line before refunds', () => {
  const refunds = [{ amount: 10 * unit, reason: '' }] as Receipt['refunds']
  expect(linesOf({ outstanding: 30 * unit, refunds, net: 100 * unit })).toEqual([
    'Total 110.00',
    'Paid in cash 110.00',
    'Outstanding amount 30.00',
    'Refund −10.00',
    'Paid in all 100.00',
  ])
})

test('receipt email: nothing outstanding -> no such line', () => {
  expect(linesOf({})).toEqual(['Total 110.00', 'Paid in cash 110.00'])
})
