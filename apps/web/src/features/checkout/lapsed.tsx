import type { CheckoutView } from '@hansom/contract/payments'
import { IconClockOff } from '@tabler/icons-react'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import classes from './checkout.module.css'
import { WayBack } from './way-back.tsx'

/** What this was begun for is not due any more: the payer is told before paying, and where the money would go. */
export function Lapsed({ view, onInsist }: { view: CheckoutView; onInsist: () => void }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <div className={classes.scene}>
      <span className={classes.tick} data-kind="mismatch">
        <IconClockOff size={30} aria-hidden />
      </span>
      <h1 className={classes.title}>{t('payments.lapsed_title')}</h1>
      <p className={classes.text}>{t('payments.lapsed_text')}</p>
      <div className={classes.actions}>
        <WayBack view={view} look={{ variant: 'primary', size: 'large', wide: true }} />
        <Button variant="quiet" wide onClick={onInsist}>
          {t('payments.lapsed_insist', { amount: isolated(format.money(view.amount)) })}
        </Button>
      </div>
    </div>
  )
}
