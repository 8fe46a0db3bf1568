import type { Me } from '@hansom/contract/users'
import { beforeEach, expect, it } from 'vitest'
import { storeMe } from '../../../lib/session.ts'
import { rememberPayment, startingPayment } from './last-payment.ts'

const signIn = (uid: string, walletBalance = 0) => storeMe({ uid, walletBalance } as Me)

beforeEach(() => {
  localStorage.clear()
  signIn('ana', 100)
})

it('no previous booking -> cash', () => {
  expect(startingPayment(50, true)).toEqual({ mode: 'cash', inAdvance: false })
})

it('next booking -> same payment as the last one', () => {
  rememberPayment({ mode: 'card', inAdvance: true })
  expect(startingPayment(50, true)).toEqual({ mode: 'card', inAdvance: true })
  rememberPayment({ mode: 'wallet', inAdvance: false })
  expect(startingPayment(50, true).mode).toBe('wallet')
})

it('another user on the device -> cash', () => {
  rememberPayment({ mode: 'card', inAdvance: false })
  signIn('bea', 100)
  expect(startingPayment(50, true).mode).toBe('cash')
})

it.each([
  ['card', 100, false],
  ['wallet', 49, true],
  ['wallet_card', 0, true],
  ['wallet_card', 100, false],
] as const)('payment: %s last, a wallet of %i, cards %s -> cash', (mode, balance, cards) => {
  rememberPayment({ mode, inAdvance: false })
  signIn('ana', balance)
  expect(startingPayment(50, cards).mode).toBe('cash')
})

it('invalid storage -> cash', () => {
  localStorage.setItem('hansom-last-payment', '{"uid":"ana","mode":"gold"}')
  expect(startingPayment(50, true).mode).toBe('cash')
  localStorage.setItem('hansom-last-payment', '{')
  expect(startingPayment(50, true).mode).toBe('cash')
})
