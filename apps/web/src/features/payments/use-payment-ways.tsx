import type { BookingView } from '@hansom/contract/bookings'
import type { PaymentMode } from '@hansom/domain/bookings/choices'
import { IconCash, IconCreditCard, IconWallet } from '@tabler/icons-react'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Money } from '../../ui/money.tsx'
import type { CardOption } from '../../ui/option-cards.tsx'
import { owedOf, partsOf, walletFor } from './due.ts'

/** The payment methods available for a booking, with the amounts they take. */
export function usePaymentWays(view: BookingView): CardOption<PaymentMode>[] {
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
    name: t('payments.way_wallet'),
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
    name: t('payments.way_cash'),
    detail: t('payments.way_cash_text'),
  }
  if (!cardAvailable) return [byWallet, byCash]
  const byCard: CardOption<PaymentMode> = {
    value: 'card',
    icon: <IconCreditCard {...icon} />,
    name: t('payments.way_card'),
    detail: <Money amount={partsOf('card', owed, wallet, outstanding).card} />,
  }
  const byBoth: CardOption<PaymentMode> = {
    value: 'wallet_card',
    icon: <IconWallet {...icon} />,
    name: t('payments.way_wallet_card'),
    detail: t('payments.both_parts', {
      wallet: isolated(format.money(mixed.wallet)),
      card: isolated(format.money(mixed.card)),
    }),
  }
  // A sufficient wallet needs no card; an empty one contributes nothing.
  const isMixed = (wallet > 0 && !isEnough) || view.payment_mode === 'wallet_card'
  return [byCard, ...(isMixed ? [byBoth] : []), byWallet, byCash]
}
