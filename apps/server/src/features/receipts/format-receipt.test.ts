import type { Receipt } from '@hansom/contract/receipts'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { expect, test } from 'vitest'
import type { CurrentSettings } from '../settings/service.ts'
import { receiptSheet, receiptTexts } from './format-receipt.ts'

const texts = {
  'trip.total': 'Total',
  'trip.paid_cash': 'Paid in cash',
  'receipts.outstanding': 'Outstanding amount',
  'receipts.refund': 'Refund',
  'receipts.net': 'Paid in all',
  'receipts.tax': 'Includes {{name}} {{rate}}% of {{base}}',
  'receipts.tax_number': 'Tax number {{number}}',
}
const receipt = {
  decimal: 2,
  tax: [],
  lines: [{ key: 'trip.total', amount: 110 * unit, kind: 'total' }],
  paid: [{ key: 'trip.paid_cash', amount: 110 * unit, provider: null, reference: null }],
  refunds: [],
  outstanding: 0,
  net: 110 * unit,
  net_tax: [],
} as unknown as Receipt
const linesOf = (changes: Partial<Receipt>) =>
  Object.values(receiptTexts({ ...receipt, ...changes }, texts, defaultSettings as CurrentSettings))
    .flat()
    .map(({ text, amount }) => `${text} ${amount.replace(/[^\d.,−]/g, '')}`)

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

const tax = [{ name: 'VAT', rate: 22 * unit, base: 90.16 * unit, amount: 19.84 * unit }]

test('receipt email: tax -> a line with name, rate and base', () => {
  const [, line] = linesOf({ tax })
  expect(line?.replace(/[\u2066-\u2069]/g, '')).toBe('Includes VAT 22% of $90.16 19.84')
})

test('receipt as a document: issuer with address and tax number; empty ones -> no line', () => {
  const operator = { name: 'Rides', address: 'Main Street 1', tax_number: '12-345', website: '', email: '' }
  const sheetOf = (changes: Partial<typeof operator>) =>
    receiptSheet(
      {
        ...receipt,
        operator: { ...operator, ...changes },
        serial: 'H-2026-000001',
        rider: { name: 'R', email: '' },
        issued_at: 0,
        ended_at: null,
        driver: null,
        tax,
      },
      { texts, direction: 'ltr', language: 'en' },
      defaultSettings as CurrentSettings,
    )
  expect(sheetOf({}).issuer).toEqual(['Rides', 'Main Street 1', 'Tax number \u206612-345\u2069'])
  expect(sheetOf({ address: '', tax_number: '' }).issuer).toEqual(['Rides'])
  expect(sheetOf({}).facts[0]?.value).toBe('H-2026-000001')
})
