import type { CheckoutView } from '@hansom/contract/payments'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import classes from './checkout.module.css'
import { WayBack } from './way-back.tsx'

/** The attempt came to nothing: why, and how to try again; the children are those ways. */
export function Failed({ view, children }: { view: CheckoutView; children: ReactNode }) {
  const { t } = useText()
  const provider = isolated(t(`payments.provider_${view.provider}`))
  const isReplaced = view.failure?.endsWith('superseded')
  const isExpired = view.state === 'expired' && !isReplaced
  const title = isReplaced ? 'superseded' : isExpired ? 'expired' : 'failed'
  return (
    <div className={classes.scene}>
      <span className={classes.tick} data-kind="failed">
        <IconX size={30} stroke={2.2} aria-hidden />
      </span>
      <h1 className={classes.title}>{t(`payments.${title}_title`)}</h1>
      <p className={classes.text}>
        {isExpired ? (
          t('payments.expired_text', { provider })
        ) : (
          <Why failure={view.failure} provider={provider} />
        )}
      </p>
      <div className={classes.wide}>{children}</div>
      <WayBack view={view} look={{ variant: 'quiet', wide: true }} />
    </div>
  )
}

/** A reason that the packs do not know is told in general. */
function Why({ failure, provider }: { failure: string | null; provider: string }) {
  const { t } = useText()
  const key = failure ?? 'payments.failure_other'
  const words = t(key, { provider })
  return <>{words === key ? t('payments.failure_other', { provider }) : words}</>
}
