import { expect, it } from 'vitest'
import { auditLines, auditValueOf, fieldKeys, fieldLabel } from './field-values.ts'

it('auditValueOf: amount, percentage, time, other -> their formats', () => {
  expect(['trip_cost', 'convenience_fees', 'promo_validity', 'label'].map(auditValueOf)).toEqual([
    'amount',
    'scaled',
    'time',
    'text',
  ])
})

it('auditValueOf: fields of users and settings -> as declared there', () => {
  expect(['driverDebtLimit', 'walletBalance', 'mobile_verified_at', 'code'].map(auditValueOf)).toEqual([
    'amount',
    'amount',
    'time',
    'text',
  ])
})

it('fieldKeys: the texts of the kind come before those of the audit log', () => {
  expect(fieldKeys('settings', 'code')[0]).toBe('settings.field_code')
  expect(fieldKeys('settings', 'dispatch.waveSize')[0]).toBe('settings.field_dispatch_waveSize')
  expect(fieldKeys('refund', 'code')).toEqual(['refunds.code', 'audit.field_code'])
})

it('auditLines: before and after -> one line per changed field', () => {
  expect(
    auditLines({ id: '1', name: 'A', seats: 4 }, { id: '1', name: 'B', extra: null, image: 'x' }),
  ).toEqual([
    { field: 'name', before: 'A', after: 'B' },
    { field: 'seats', before: 4, after: null },
    { field: 'image', before: null, after: 'x' },
  ])
  expect(auditLines(null, null)).toEqual([])
  expect(auditLines(null, { ok: false })).toEqual([{ field: 'ok', before: null, after: false }])
})

it('wordsOfField: field name -> readable words', () => {
  expect(
    ['driverActiveStatus', 'promo_name', 'dispatch.waveSize', 'AllowCriticalEditsAdmin'].map(fieldLabel),
  ).toEqual(['Driver active status', 'Promo name', 'Dispatch wave size', 'Allow critical edits admin'])
})
