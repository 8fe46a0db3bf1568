import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../settings/settings.ts'
import { changedFields, isSecret } from './changed-fields.ts'

describe('changedFields', () => {
  it('two records -> only the fields that differ', () => {
    const before = { id: '1', name: 'Taxi', min_fare: 5, extra_info: null, version: 1 }
    expect(changedFields(before, { ...before, min_fare: 6, version: 2 })).toEqual({
      before: { min_fare: 5 },
      after: { min_fare: 6 },
      isSame: false,
    })
    expect(changedFields(before, { ...before, version: 2 })).toEqual({ before: {}, after: {}, isSame: true })
    expect(changedFields(before, { ...before, extra_info: undefined }).isSame).toBe(true)
  })

  it('created or removed record -> all of its fields', () => {
    expect(changedFields(null, { name: 'Taxi', extra_info: null, version: 1, seats: 0 })).toEqual({
      before: null,
      after: { name: 'Taxi', seats: 0 },
      isSame: false,
    })
    expect(changedFields({ name: 'Taxi' }, null)).toMatchObject({ before: { name: 'Taxi' }, after: null })
    expect(changedFields(null, null)).toEqual({ before: null, after: null, isSame: false })
  })

  it('nested values -> compared regardless of key order', () => {
    const before = { dispatch: { waves: 3, seconds: 30 }, slabs: [{ minsDelayed: 2, amount: 5 }] }
    const same = { slabs: [{ amount: 5, minsDelayed: 2 }], dispatch: { seconds: 30, waves: 3 } }
    expect(changedFields(before, same).isSame).toBe(true)
    expect(changedFields(before, { ...same, slabs: [] }).before).toEqual({ slabs: before.slabs })
  })

  it('secret at any depth -> no value is logged, but the change is detected', () => {
    const record = (value: string) => ({
      password: value,
      passwordHash: value,
      pushToken: value,
      otp: value,
      api_key: value,
      licenseCode: value,
      smtp: { host: 'mail', password: value },
      list: [{ clientSecret: value, name: 'x' }],
    })
    const changed = changedFields(record('old-secret'), record('new-secret'))
    expect(JSON.stringify(changed)).not.toMatch(/old-secret|new-secret/)
    expect(changed.isSame).toBe(false)
    expect(changed.after).toEqual({ smtp: { host: 'mail' }, list: [{ name: 'x' }] })
  })

  it('account number -> only its end is shown', () => {
    const { before, after } = changedFields({ bankAccount: '001234567' }, { bankAccount: null })
    expect([before, after]).toEqual([{ bankAccount: '••••4567' }, { bankAccount: null }])
  })

  it('settings -> none is taken for a secret', () => {
    expect(Object.keys(defaultSettings).filter(isSecret)).toEqual([])
  })
})
