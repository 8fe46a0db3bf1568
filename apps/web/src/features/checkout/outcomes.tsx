import type { CheckoutView } from '@hansom/contract/payments'
import { hasReceipt } from '@hansom/domain/receipts/receipt-lines'
import { IconCheck, IconClockOff, IconQuestionMark, IconWallet, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import classes from './checkout.module.css'
import { BackLink } from './provider-handoff.tsx'

/** The attempt failed: the reason, and the ways to retry as children. */
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
      <BackLink view={view} look={{ variant: 'quiet', wide: true }} />
    </div>
  )
}

/** Falls back to a general text for a reason without its own. */
function Why({ failure, provider }: { failure: string | null; provider: string }) {
  const { t } = useText()
  const key = failure ?? 'payments.failure_other'
  const words = t(key, { provider })
  return <>{words === key ? t('payments.failure_other', { provider }) : words}</>
}

/** The order is no longer due: shows this before the payment, and where the money would go. */
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
        <BackLink view={view} look={{ variant: 'primary', size: 'large', wide: true }} />
        <Button variant="quiet" wide onClick={onInsist}>
          {t('payments.lapsed_insist', { amount: isolated(format.money(view.amount)) })}
        </Button>
      </div>
    </div>
  )
}

/** The provider's amount differs from ours: an admin has to check, and needs the reference. */
export function Mismatch({ view }: { view: CheckoutView }) {
  const { t } = useText()
  const { contact_email } = useSettings()
  const provider = isolated(t(`payments.provider_${view.provider}`))
  const subject = encodeURIComponent(t('payments.mail_subject', { reference: view.reference }))
  return (
    <div className={classes.scene}>
      <span className={classes.tick} data-kind="mismatch">
        <IconQuestionMark size={30} stroke={2.2} aria-hidden />
      </span>
      <h1 className={classes.title}>{t('payments.mismatch_title')}</h1>
      <p className={classes.text}>{t('payments.mismatch_text', { provider })}</p>
      <p className={classes.reference}>
        <Ltr>{view.reference}</Ltr>
      </p>
      <div className={classes.actions}>
        {contact_email ? (
          <a
            href={`mailto:${contact_email}?subject=${subject}`}
            className={buttonClass({ variant: 'primary', size: 'large', wide: true })}
          >
            {t('payments.contact')}
          </a>
        ) : null}
        <BackLink view={view} look={{ wide: true }} />
      </div>
    </div>
  )
}

/** The payment succeeded: what it was used for, and a link back. */
export function Paid({ view }: { view: CheckoutView }) {
  const { t } = useText()
  const format = useFormat()
  const isInWallet = view.used_for === 'wallet'
  // A prepaid trip gets its receipt when it ends.
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
        <BackLink
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
