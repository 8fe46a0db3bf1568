import { expect, it } from 'vitest'
import { isUndecided, pollPause, sceneOf } from './use-checkout.ts'

const redirect = { kind: 'redirect' as const, url: 'https://provider.example' }
const page = { kind: 'page' as const, data: {} }
const at = (
  state: Parameters<typeof sceneOf>[0]['state'],
  step: Parameters<typeof sceneOf>[0]['step'],
  wasRedirected = false,
) => sceneOf({ state, step, used_for: null, lapsed: false }, { wasRedirected, insists: false })

it('attempt: first time in the window -> to the provider; later -> polls', () => {
  expect(at('started', redirect)).toBe('step')
  expect(at('started', redirect, true)).toBe('waiting')
  expect(at('started', page, true)).toBe('waiting')
  expect(at('started', null)).toBe('waiting')
})

it('provider answers pending before the payer acts -> own page stays open, no redirect', () => {
  expect(at('pending', page)).toBe('step')
  expect(at('pending', redirect)).toBe('waiting')
})

it('order not due any more -> no redirect, unless the payer insists', () => {
  const lapsed = { state: 'started', step: redirect, used_for: null, lapsed: true } as const
  expect(sceneOf(lapsed, { wasRedirected: false, insists: false })).toBe('lapsed')
  expect(sceneOf(lapsed, { wasRedirected: false, insists: true })).toBe('step')
  // The payer may have paid already: the status is checked first.
  expect(sceneOf(lapsed, { wasRedirected: true, insists: false })).toBe('waiting')
})

it('decided attempt -> result and use of the money', () => {
  expect(['failed', 'expired', 'mismatch', 'paid'].map((state) => at(state as 'failed', redirect))).toEqual([
    'failed',
    'expired',
    'mismatch',
    'paid',
  ])
  const paid = { state: 'paid', step: null, lapsed: false } as const
  const back = { wasRedirected: true, insists: false }
  expect(sceneOf({ ...paid, used_for: 'wallet' }, back)).toBe('in_wallet')
  expect(sceneOf({ ...paid, used_for: 'booking' }, back)).toBe('paid')
})

it('polling: until the use of the money is known, with growing pauses', () => {
  expect(isUndecided({ state: 'pending', used_for: null })).toBe(true)
  expect(isUndecided({ state: 'paid', used_for: null })).toBe(true)
  expect(isUndecided({ state: 'paid', used_for: 'booking' })).toBe(false)
  expect(isUndecided({ state: 'failed', used_for: null })).toBe(false)
  expect([0, 1, 5, 50].map(pollPause)).toEqual([2000, 2800, 10_756, 30_000])
})
