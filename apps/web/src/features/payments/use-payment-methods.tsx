import type { ListedBooking } from '@hansom/contract/bookings'
import { fareToPay, isByCard, walletPart } from '@hansom/domain/bookings/amounts'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { IconCash, IconCreditCard, IconWallet } from '@tabler/icons-react'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Money } from '../../ui/money.tsx'
import type { CardOption } from '../../ui/option-cards.tsx'

/** The payment methods available for a booking, with the amounts they take. */
export function usePaymentMethods(view: ListedBooking): CardOption<PaymentMode>[] {
  const { t } = useText()
  const format = useFormat()
  const { cardAvailable } = useSettings()
  const balance = useMe()?.walletBalance ?? 0
  const owed = owedOf(view)
  const wallet = walletFor(view, balance)
  const isEnough = wallet >= owed
  const outstanding = view.collect?.outstanding
  const mixed = partsOf('wallet_card', owed, wallet, outstanding)
  const icon = { size: 22, stroke: 1.6, 'aria-hidden': true }
  const byWallet: CardOption<PaymentMode> = {
    value: 'wallet',
    icon: <IconWallet {...icon} />,
    name: t('payments.method_wallet'),
    detail: (
      <>
        <Money amount={wallet} />
        {isEnough ? null : ` · ${t('booking.too_low')}`}
      </>
    ),
    disabled: !isEnough,
  }
  const byCash: CardOption<PaymentMode> = {
    value: 'cash',
    icon: <IconCash {...icon} />,
    name: t('payments.method_cash'),
    detail: t('payments.method_cash_text'),
  }
  // A delivery is paid in advance, and shows only what is possible.
  const isPrepaid = view.delivery && view.status === 'PAYMENT_PENDING'
  const others = isPrepaid ? (isEnough ? [byWallet] : []) : [byWallet, byCash]
  if (!cardAvailable) return others
  const byCard: CardOption<PaymentMode> = {
    value: 'card',
    icon: <IconCreditCard {...icon} />,
    name: t('payments.method_card'),
    detail: <Money amount={partsOf('card', owed, wallet, outstanding).card} />,
  }
  const byBoth: CardOption<PaymentMode> = {
    value: 'wallet_card',
    icon: <IconWallet {...icon} />,
    name: t('payments.method_wallet_card'),
    detail: t('payments.both_parts', {
      wallet: isolated(format.money(mixed.wallet)),
      card: isolated(format.money(mixed.card)),
    }),
  }
  // A sufficient wallet needs no card; an empty one contributes nothing.
  const isMixed = (wallet > 0 && !isEnough) || view.payment_mode === 'wallet_card'
  return [byCard, ...(isMixed ? [byBoth] : []), ...others]
}

type Owed = Pick<
  ListedBooking,
  | 'trip_cost'
  | 'discount_amount'
  | 'written_off_amount'
  | 'usedWalletMoney'
  | 'cardPaymentAmount'
  | 'promo_name'
  | 'payment_mode'
>

/** A line of the amount due: a text key with parameters, and an amount (10^-4 of the currency unit). */
export interface DueLine {
  key: TextKey
  params?: Record<string, string>
  amount: number
}

/** Amounts a payment method takes from wallet and card, 10^-4 of the currency unit. */
export interface Parts {
  wallet: number
  card: number
}

/** The total the rider still has to pay; the held part of the wallet counts as unpaid. */
export function owedOf(booking: Owed): number {
  return fareToPay(booking) - booking.cardPaymentAmount
}

/** Wallet money available for this booking: the balance and the part already held. */
export function walletFor(booking: Pick<Owed, 'usedWalletMoney'>, balance: number): number {
  return balance + booking.usedWalletMoney
}

/**
 * The amounts a payment method takes from wallet and card; cash takes from neither. The outstanding amount is added to
 * card payments only.
 */
export function partsOf(mode: PaymentMode, owed: number, wallet: number, outstanding = 0): Parts {
  if (mode === 'cash') return { wallet: 0, card: 0 }
  if (mode === 'wallet') return { wallet: owed, card: 0 }
  const part = mode === 'wallet_card' ? walletPart(wallet, owed) : 0
  const left = owed - part
  return { wallet: part, card: left > 0 ? left + outstanding : 0 }
}

/** Text key of the last line. */
const leftOver: Readonly<Record<PaymentMode, TextKey>> = {
  cash: 'payments.left_in_cash',
  wallet: 'payments.left_for_wallet',
  card: 'payments.left_for_card',
  wallet_card: 'payments.left_for_card',
}

/**
 * The parts of the amount due for a payment method. They add up to the last line, which is the only one without
 * deductions.
 */
export function dueLines(booking: Owed, mode: PaymentMode, { wallet, card }: Parts): DueLine[] {
  const { trip_cost, discount_amount, written_off_amount, cardPaymentAmount, promo_name } = booking
  const lines: DueLine[] = []
  if (discount_amount > 0) {
    lines.push({
      key: promo_name ? 'payments.promo_named' : 'payments.promo',
      params: { name: `\u2068${promo_name ?? ''}\u2069` },
      amount: -discount_amount,
    })
  }
  if (written_off_amount > 0) lines.push({ key: 'trip.written_off', amount: -written_off_amount })
  if (cardPaymentAmount > 0) lines.push({ key: 'payments.paid_by_card', amount: -cardPaymentAmount })
  if (isByCard(mode) && wallet > 0) lines.push({ key: 'payments.from_wallet', amount: -wallet })
  const outstanding = isByCard(mode) ? card + wallet - owedOf(booking) : 0
  if (outstanding > 0) lines.push({ key: 'booking.outstanding', amount: outstanding })
  if (lines.length > 0) lines.unshift({ key: 'payments.trip', amount: trip_cost })
  return [...lines, { key: leftOver[mode], amount: isByCard(mode) ? card : owedOf(booking) }]
}

/** The preselected method: the chosen one if it is still to be paid by card, otherwise one that can pay now. */
export function firstMode(
  booking: Owed,
  { cardAvailable, balance }: { cardAvailable: boolean; balance: number },
): PaymentMode {
  if (cardAvailable) return booking.payment_mode === 'wallet_card' ? 'wallet_card' : 'card'
  return walletFor(booking, balance) >= owedOf(booking) ? 'wallet' : 'cash'
}
