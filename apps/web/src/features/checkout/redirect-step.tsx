import type { CheckoutView } from '@hansom/contract/payments'
import { useEffect } from 'react'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import classes from './checkout.module.css'
import { rememberLedOn, wasLedOn } from './led-on.ts'
import { OnTheWay } from './on-the-way.tsx'

/** Leads to the provider's page, in place of this one; with a link should the browser not go by itself. */
export function RedirectStep({ view, url }: { view: CheckoutView; url: string }) {
  const { t } = useText()
  const { id } = view
  useEffect(() => {
    if (wasLedOn(id)) return
    rememberLedOn(id)
    location.replace(url)
  }, [id, url])
  return (
    <OnTheWay view={view}>
      <a
        href={url}
        className={`${buttonClass({ variant: 'primary', size: 'large', wide: true })} ${classes.action}`}
        onClick={() => rememberLedOn(id)}
      >
        {t('payments.continue_at', { provider: isolated(t(`payments.provider_${view.provider}`)) })}
      </a>
    </OnTheWay>
  )
}
