import type { CheckoutView } from '@hansom/contract/payments'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './checkout.module.css'
import { useComplete } from './use-checkout.ts'
import { WayBack } from './way-back.tsx'

const decisions = ['approve', 'decline', 'leave_pending'] as const

/** The test provider's page: produces the answers of a real one. No money moves. */
export function TestStep({ view, onHandedOver }: { view: CheckoutView; onHandedOver: () => void }) {
  const { t } = useText()
  const complete = useComplete(view.id, { onHandedOver })
  const given = complete.isPending ? complete.variables.decision : null
  return (
    <div className={classes.scene}>
      <h1 className={classes.title}>{t('payments.test_title')}</h1>
      <p className={classes.testNote}>{t('payments.test_text')}</p>
      {complete.error ? (
        <Notice tone="bad">
          <span>
            <ErrorMessage error={complete.error} />
          </span>
        </Notice>
      ) : null}
      <div className={classes.actions}>
        {decisions.map((decision) => (
          <Button
            key={decision}
            wide
            size="large"
            variant={decision === 'approve' ? 'primary' : 'secondary'}
            busy={given === decision}
            disabled={given !== null && given !== decision}
            onClick={() => complete.mutate({ decision })}
          >
            {t(`payments.test_${decision}`)}
          </Button>
        ))}
        <WayBack view={view} look={{ variant: 'quiet', wide: true }} />
      </div>
    </div>
  )
}
