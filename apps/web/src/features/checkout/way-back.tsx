import type { CheckoutView } from '@hansom/contract/payments'
import { useText } from '../../lib/i18n.ts'
import { type ButtonLook, buttonClass } from '../../ui/button.tsx'

/**
 * A link back to the order. Loads the page in full, because this document may connect to the provider and the next one may
 * not.
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
