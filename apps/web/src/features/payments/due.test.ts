import { unit } from '@hansom/domain/money/amount'
import { describe, expect, it } from 'vitest'
import { dueLines, firstMode, owedOf, partsOf, walletFor } from './use-payment-methods.tsx'

const trip: Parameters<typeof dueLines>[0] = {
  trip_cost: 110 * unit,
  written_off_amount: 0,
  discount_amount: 20 * unit,
  usedWalletMoney: 0,
  cardPaymentAmount: 0,
  promo_name: 'TEN',
  payment_mode: 'card',
}
const lines = (wallet: number, mode: 'cash' | 'wallet' | 'card' | 'wallet_card', booking = trip) =>
  dueLines(booking, mode, partsOf(mode, owedOf(booking), wallet)).map(
    ({ key, amount }) => `${key.split('.')[1]} ${amount / unit}`,
  )

describe('due amount', () => {
  it('trip with promo and wallet -> their difference, line by line', () => {
    expect(lines(30 * unit, 'wallet_card')).toEqual([
      'trip 110',
      'promo_named -20',
      'from_wallet -30',
      'left_for_card 60',
    ])
    expect(lines(30 * unit, 'card')).toEqual(['trip 110', 'promo_named -20', 'left_for_card 90'])
    expect(lines(300 * unit, 'wallet')).toEqual(['trip 110', 'promo_named -20', 'left_for_wallet 90'])
    expect(lines(0, 'cash')).toEqual(['trip 110', 'promo_named -20', 'left_in_cash 90'])
  })

  it('no deductions -> one line', () => {
    const plain = { ...trip, discount_amount: 0, promo_name: null }
    expect(lines(0, 'card', plain)).toEqual(['left_for_card 110'])
  })

  it('outstanding amount -> added to card payments only', () => {
    const withOutstanding = (mode: 'cash' | 'wallet' | 'card' | 'wallet_card', wallet: number) =>
      dueLines(trip, mode, partsOf(mode, owedOf(trip), wallet, 50 * unit)).map(
        ({ key, amount }) => `${key.split('.')[1]} ${amount / unit}`,
      )
    expect(withOutstanding('wallet_card', 30 * unit)).toEqual([
      'trip 110',
      'promo_named -20',
      'from_wallet -30',
      'outstanding 50',
      'left_for_card 110',
    ])
    expect(withOutstanding('card', 0).at(-1)).toBe('left_for_card 140')
    expect(withOutstanding('wallet', 300 * unit).at(-1)).toBe('left_for_wallet 90')
    expect(withOutstanding('cash', 0).at(-1)).toBe('left_in_cash 90')
    expect(partsOf('wallet_card', 90, 300, 50)).toEqual({ wallet: 90, card: 0 })
  })

  it('wallet part -> at most the balance and the amount due', () => {
    expect(partsOf('wallet_card', 90, 30)).toEqual({ wallet: 30, card: 60 })
    expect(partsOf('wallet_card', 90, 300)).toEqual({ wallet: 90, card: 0 })
    expect(partsOf('wallet_card', 90, -5)).toEqual({ wallet: 0, card: 90 })
  })

  it('held part -> counts as wallet balance', () => {
    expect(walletFor({ usedWalletMoney: 30 }, 5)).toBe(35)
    expect(owedOf({ ...trip, usedWalletMoney: 30 * unit })).toBe(90 * unit)
  })
})

it('first method -> card if available, otherwise one that can pay now', () => {
  const opensWith = (cardAvailable: boolean, balance: number) => firstMode(trip, { cardAvailable, balance })
  expect(opensWith(true, 0)).toBe('card')
  expect(opensWith(false, 90 * unit)).toBe('wallet')
  expect(opensWith(false, 89 * unit)).toBe('cash')
  expect(firstMode({ ...trip, payment_mode: 'wallet_card' }, { cardAvailable: true, balance: 0 })).toBe(
    'wallet_card',
  )
})
