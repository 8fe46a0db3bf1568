import { isByCard } from '@hansom/domain/bookings/amounts'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import type { CashPlace } from '@hansom/domain/deliveries/delivery'
import { currentMe } from '../../../lib/session.ts'

/** How a booking will be paid. */
export interface ChosenPayment {
  mode: PaymentMode
  /** A card is charged before drivers are asked. */
  inAdvance: boolean
  /** Where a courier collects the cash. */
  cash_at?: CashPlace
}

const storageKey = 'hansom-last-payment'
const inCash: ChosenPayment = { mode: 'cash', inAdvance: false }

interface Stored extends ChosenPayment {
  uid: string
}

/** Stores how the signed-in user paid this time. */
export function rememberPayment(payment: ChosenPayment): void {
  const uid = currentMe()?.uid
  if (!uid) return
  const stored: Stored = { ...payment, uid }
  try {
    localStorage.setItem(storageKey, JSON.stringify(stored))
  } catch {
    // Storage is unavailable: the next booking starts with cash.
  }
}

/** The signed-in user's last payment method on this device, or cash if that is not possible now. */
export function startingPayment(payable: number, cardAvailable: boolean): ChosenPayment {
  const me = currentMe()
  const stored = me && readStored(me.uid)
  if (!stored) return inCash
  const { mode } = stored
  if (isByCard(mode) && !cardAvailable) return inCash
  if (mode === 'wallet' && me.walletBalance < payable) return inCash
  if (mode === 'wallet_card' && me.walletBalance <= 0) return inCash
  return stored
}

const modes: readonly unknown[] = ['cash', 'wallet', 'card', 'wallet_card'] satisfies PaymentMode[]

function readStored(uid: string): ChosenPayment | null {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<Stored> | null
    if (stored?.uid !== uid || !stored.mode || !modes.includes(stored.mode)) return null
    const { mode, inAdvance, cash_at } = stored
    const isPlace = cash_at === 'pickup' || cash_at === 'drop'
    return { mode, inAdvance: inAdvance === true, ...(isPlace && { cash_at }) }
  } catch {
    return null
  }
}
