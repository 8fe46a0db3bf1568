import type { CheckoutView } from '@hansom/contract/payments'
import { useText } from '../../lib/i18n.ts'
import { type ButtonLook, buttonClass } from '../../ui/button.tsx'

/**
 * The way back to what was to be paid. It loads the page anew: what this one may reach for its provider, the next one
 * may not.
 */
export function WayBack({ view, look }: { view: CheckoutView; look: ButtonLook }) {
  const { t } = useText()
  return view.booking ? (
    <a href={`/trip/${view.booking}`} className={buttonClass(look)}>
      {t('payments.back_to_trip')}
    </a>
  ) : (
    <a href="/wallet" className={buttonClass(look)}>
      {t('payments.back_to_wallet')}
    </a>
  )
}
