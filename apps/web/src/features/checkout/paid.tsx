import type { CheckoutView } from '@hansom/contract/payments'
import { hasReceipt } from '@hansom/domain/receipts/receipt-lines'
import { IconCheck, IconWallet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Ltr } from '../../ui/ltr.tsx'
import classes from './checkout.module.css'
import { WayBack } from './way-back.tsx'
import { buttonClass } from '../../ui/button.tsx'

/** The money has arrived: what it was used for, and the way back. */
export function Paid({ view }: { view: CheckoutView }) {
  const { t } = useText()
  const format = useFormat()
  const isInWallet = view.used_for === 'wallet'
  // What was paid in advance has its receipt at the end of the trip.
  const { data: booking } = useQuery({
    ...orpc.bookings.get.queryOptions({ input: { id: view.booking ?? '' } }),
    enabled: view.used_for === 'booking' && view.booking !== null,
  })
  const kind = isInWallet ? 'in_wallet' : view.kind === 'top_up' ? 'topped_up' : 'paid'
  return (
    <div className={classes.scene}>
      <span className={classes.tick} data-kind={kind}>
        {isInWallet ? <IconWallet size={30} aria-hidden /> : <IconCheck size={32} stroke={2.4} aria-hidden />}
      </span>
      <h1 className={classes.title}>{t(`payments.${kind}_title`)}</h1>
      <p className={classes.text}>
        {t(`payments.${kind}_text`, {
          amount: isolated(format.money(view.amount)),
          provider: isolated(t(`payments.provider_${view.provider}`)),
        })}
      </p>
      <dl className={classes.facts}>
        {view.paid_at === null ? null : (
          <div>
            <dt>{t('payments.paid_at')}</dt>
            <dd>
              <bdi>{format.dateTime(view.paid_at)}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{t('payments.reference')}</dt>
          <dd>
            <Ltr>{view.reference}</Ltr>
          </dd>
        </div>
      </dl>
      <div className={classes.actions}>
        {isInWallet ? (
          <a href="/wallet" className={buttonClass({ variant: 'primary', size: 'large', wide: true })}>
            {t('payments.back_to_wallet')}
          </a>
        ) : null}
        <WayBack
          view={view}
          look={isInWallet ? { wide: true } : { variant: 'primary', size: 'large', wide: true }}
        />
        {booking && hasReceipt(booking) ? (
          <a href={`/receipt/${booking.id}`} className={buttonClass({ wide: true })}>
            {t('receipts.title')}
          </a>
        ) : null}
      </div>
    </div>
  )
}
