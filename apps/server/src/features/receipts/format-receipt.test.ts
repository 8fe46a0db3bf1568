import type { Receipt } from '@hansom/contract/receipts'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { expect, test } from 'vitest'
import type { CurrentSettings } from '../settings/service.ts'
import { receiptFacts, receiptIn, receiptSheet, receiptTexts } from './format-receipt.ts'

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
  parcel: [],
  stops: [],
  tax: [],
  lines: [{ key: 'trip.total', amount: 110 * unit, kind: 'total' }],
  paid: [{ key: 'trip.paid_cash', amount: 110 * unit, provider: null, reference: null }],
  refunds: [],
  outstanding: 0,
  net: 110 * unit,
  net_tax: [],
} as unknown as Receipt
const linesOf = (changes: Partial<Receipt>) =>
  Object.values(
    receiptTexts(
      { ...receipt, ...changes },
      { texts, dateLocale: 'en-GB' },
      defaultSettings as CurrentSettings,
    ),
  )
    .flat()
    .map(({ text, amount }) => `${text} ${amount.replace(/[^\d.,−]/g, '')}`)

test('receipt email: outstanding amount collected with the trip -> separate line before refunds', () => {
  const refunds = [{ amount: 10 * unit, at: 0, reason: '', state: 'confirmed' }] as Receipt['refunds']
  expect(linesOf({ outstanding: 30 * unit, refunds, net: 100 * unit })).toEqual([
    'Total 110.00',
    'Paid in cash 110.00',
    'Outstanding amount 30.00',
    'Refund · 31 Dec 1969 −10.00',
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
        begun_at: null,
        distance: null,
        tax,
      },
      { texts, direction: 'ltr', language: 'en', dateLocale: 'en-GB' },
      defaultSettings as CurrentSettings,
    )
  expect(sheetOf({}).issuer).toEqual(['Rides', 'Main Street 1', 'Tax number \u206612-345\u2069'])
  expect(sheetOf({ address: '', tax_number: '' }).issuer).toEqual(['Rides'])
  expect(sheetOf({}).facts[0]?.value).toBe('H-2026-000001')
})

test('receipt of a delivery -> its parcel and every drop, with those that were not delivered', () => {
  const drops = [
    { address: 'Port', outcome: 'delivered' },
    { address: 'Square', outcome: 'failed' },
  ] as const
  const facts = receiptFacts(
    {
      ...receipt,
      issued_at: 0,
      ended_at: null,
      driver: null,
      begun_at: null,
      distance: null,
      rider: { name: '', email: null },
      parcel: ['Box', 'Fragile'],
      stops: [...drops],
    },
    {
      texts: { 'receipts.stop': 'Stop {{number}}', 'receipts.not_delivered': 'not delivered' },
      language: 'en',
      dateLocale: 'en-GB',
    },
    { ...defaultSettings, timezone: 'UTC' } as CurrentSettings,
  )
  expect(facts).toEqual(
    expect.arrayContaining([
      ['receipts.parcel', 'Box · Fragile'],
      ['Stop 1', 'Port'],
      ['Stop 2', 'Square · not delivered'],
    ]),
  )
})

test('receipt as a document -> the facts of the page', () => {
  const minute = 60_000
  const facts = receiptFacts(
    {
      ...receipt,
      serial: 'H-2026-000001',
      number: 'K7X2QP',
      issued_at: 40 * minute,
      rider: { name: 'Rita', email: '' },
      driver: { name: 'Dora', vehicle: 'SBX 4471' },
      carType: 'Economy',
      from: 'Plaza',
      to: 'Port',
      parcel: [],
      stops: [],
      begun_at: 0,
      ended_at: 30 * minute,
      distance: 6.4,
      seconds: 1800,
    },
    { texts: {}, language: 'en', dateLocale: 'en-GB' },
    { ...defaultSettings, timezone: 'UTC' } as CurrentSettings,
  )
  expect(facts.map(([name, value]) => [name.replace('receipts.', ''), value])).toEqual([
    ['number', 'H-2026-000001'],
    ['booking', 'K7X2QP'],
    ['issued', 'Thu, 1 Jan 1970, 00:40'],
    ['rider', 'Rita'],
    ['driver', 'Dora, SBX 4471'],
    ['car', 'Economy'],
    ['from', 'Plaza'],
    ['to', 'Port'],
    ['begun', 'Thu, 1 Jan 1970, 00:00'],
    ['ended', 'Thu, 1 Jan 1970, 00:30'],
    ['distance', '6.4 km'],
    ['time', '30 min'],
  ])
})

test('receipt in Arabic -> minutes as a word', () => {
  const facts = receiptFacts(
    {
      ...receipt,
      serial: '',
      number: '',
      issued_at: 0,
      ended_at: null,
      begun_at: null,
      driver: null,
      carType: '',
      from: '',
      to: '',
      rider: { name: '', email: null },
      distance: 1,
      seconds: 1800,
    },
    { texts: {}, language: 'ar', dateLocale: 'ar' },
    { ...defaultSettings, timezone: 'UTC' } as CurrentSettings,
  )
  expect(facts.at(-1)?.[1]).toMatch(/^\S+ دقيقة$/)
})

test('receipt in Spanish -> car type, parcel type and option by their Spanish names; one that was removed -> as stored', () => {
  const extra = (description: string, translated: string) => ({
    description,
    amount: 0,
    translations: { es: { description: translated } },
  })
  const bicycle = {
    name: 'Bicycle',
    translations: { es: { name: 'Bicicleta' } },
    parcelTypes: [extra('Letter', 'Carta')],
    options: [extra('Fragile', 'Frágil')],
  }
  const carTypes = [bicycle] as unknown as Parameters<typeof receiptIn>[2]
  const stored = { ...receipt, carType: 'Bicycle', parcel: ['Letter', 'Fragile', 'Piano'] }
  expect(receiptIn('es', stored, carTypes)).toEqual({
    ...stored,
    carType: 'Bicicleta',
    parcel: ['Carta', 'Frágil', 'Piano'],
  })
})
