import type { ListedBooking } from '@hansom/contract/bookings'
import { isByCard } from '@hansom/domain/bookings/amounts'
import { paymentTimeMs } from '@hansom/domain/bookings/create'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { PromoField, PromoRefusal } from '../../entities/promos/promo-field.tsx'
import { useText } from '../../lib/i18n.ts'
import { useFreshBalance, useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OptionCards } from '../../ui/option-cards.tsx'
import classes from './payment-dialog.module.css'
import { ProviderChooser } from './provider-chooser.tsx'
import { GiveUpBooking, TimeToPay, usePaying, WithoutCard } from './unpaid-booking.tsx'
import { useLeaving, useOrder } from './use-order.ts'
import {
  type DueLine,
  dueLines,
  firstMode,
  owedOf,
  partsOf,
  usePaymentMethods,
  walletFor,
} from './use-payment-methods.tsx'

/** Results without a tick. */
const unhappy: readonly string[] = ['payments.nothing_charged', 'delivery.cancelled_unpaid']
const open: readonly ListedBooking['status'][] = ['PENDING', 'PAYMENT_PENDING']

interface Props {
  view: ListedBooking
  onClose: () => void
}

/** The amount due for a booking, the payment methods and the card providers. */
export default function PaymentDialog({ view, onClose }: Props) {
  const { t } = useText()
  const { cardAvailable } = useSettings()
  useFreshBalance()
  const balance = useMe()?.walletBalance ?? 0
  const [chosen, setChosen] = useState<PaymentMode | null>(null)
  const { words, leave } = useLeaving(onClose)
  const [isLeaving, setLeaving] = useState(false)
  const { choose, changePromo, payByWallet } = usePaying()
  const methods = usePaymentMethods(view)
  const first = firstMode(view, { cardAvailable, balance })
  const mode = chosen ?? (methods.find(({ value }) => value === first) ?? methods[0])?.value ?? first
  const mayChoose = view.commands.includes('choose_payment')
  const isInAdvance = view.status === 'PAYMENT_PENDING'
  const isOpen = open.includes(view.status)
  const parts = partsOf(mode, owedOf(view), walletFor(view, balance), view.collect?.outstanding)
  const isAgreed = view.payment_mode === mode || !mayChoose
  const isPayingByCard = isOpen && isByCard(mode) && parts.card > 0
  const order = useOrder(isPayingByCard && isAgreed ? view.id : null, view.version)

  // The server holds the wallet's part before a provider is chosen, but not before the rider has chosen the method.
  const { mutate: agree, isPending: isAgreeing, isError: isRefused } = choose
  useEffect(() => {
    if (chosen === null || !isPayingByCard || isAgreed || isAgreeing || isRefused) return
    agree({ id: view.id, payment_mode: chosen })
  }, [agree, chosen, isAgreed, isAgreeing, isRefused, isPayingByCard, view.id])

  // Paid here or elsewhere, or cancelled.
  const { status } = view
  useEffect(() => {
    if (isOpen || words !== null) return
    if (status === 'CANCELLED' && isLeaving) leave('delivery.cancelled_unpaid')
    else if (status === 'CANCELLED') onClose()
    else leave(status === 'NEW' ? 'payments.booked' : 'payments.done')
  })

  // A delivery is not kept unpaid.
  const close = () => {
    if (view.delivery && isInAdvance && words === null) setLeaving(true)
    else leave('payments.nothing_charged')
  }

  const refusal = choose.error ?? payByWallet.error
  return (
    <Dialog open onClose={close} title={t('payments.dialog_title')} hideClose={isLeaving && words === null}>
      {words ? (
        <output className={classes.said}>
          {unhappy.includes(words) ? null : (
            <span className={classes.tick}>
              <IconCheck size={28} stroke={2.4} aria-hidden />
            </span>
          )}
          {t(words)}
        </output>
      ) : isLeaving ? (
        <GiveUpBooking id={view.id} leaving={{ onKeep: () => setLeaving(false), onPaying: onClose }} />
      ) : (
        <div className={classes.body}>
          {isInAdvance ? <TimeToPay until={view.bookingDate + paymentTimeMs} /> : null}
          {view.commands.includes('object') && view.objection_to === 'cash' ? (
            <Notice tone="attention">{t('payments.object_first', { object: t('trip.object') })}</Notice>
          ) : null}
          <DueLines lines={dueLines(view, mode, parts)} />
          {isInAdvance && mayChoose ? (
            <PromoField
              applied={view.promo_name}
              saves={view.discount_amount}
              busy={changePromo.isPending}
              error={changePromo.error ? <PromoRefusal error={changePromo.error} /> : null}
              onApply={(promo) => changePromo.mutate({ id: view.id, payment_mode: view.payment_mode, promo })}
              onEdit={changePromo.reset}
            />
          ) : null}
          {methods.length === 0 ? (
            <Notice tone="attention">{t('delivery.no_payment')}</Notice>
          ) : (
            <OptionCards
              legend={t('payments.how')}
              options={methods}
              value={mode}
              busy={isAgreeing}
              onChange={(next) => {
                choose.reset()
                payByWallet.reset()
                setChosen(next)
              }}
            />
          )}
          {refusal ? (
            <Notice tone="bad">
              <span>
                <ErrorMessage error={refusal} />
              </span>
            </Notice>
          ) : null}
          {isPayingByCard && !isAgreed && chosen === null ? (
            <div className={classes.step}>
              <Button variant="primary" size="large" wide onClick={() => setChosen(mode)}>
                {t('payments.card_title')}
              </Button>
            </div>
          ) : isPayingByCard && !isRefused ? (
            <ProviderChooser known={order} onGo={() => leave('')} />
          ) : methods.length === 0 ? null : (
            <WithoutCard
              mode={mode}
              view={view}
              amount={owedOf(view)}
              busy={isAgreeing || payByWallet.isPending}
              onPay={() => {
                if (mode === 'wallet' && view.status === 'PENDING') return payByWallet.mutate(view.id)
                const byWallet = view.delivery ? 'payments.booked' : 'payments.chosen_wallet'
                const said = mode === 'cash' ? 'payments.chosen_cash' : byWallet
                if (isAgreed) return leave(said)
                choose.mutate({ id: view.id, payment_mode: mode }, { onSuccess: () => leave(said) })
              }}
            />
          )}
          {isInAdvance ? <GiveUpBooking id={view.id} /> : null}
        </div>
      )}
    </Dialog>
  )
}

/** The amount due with all parts; the last line is the rest. Announced when it changes. */
function DueLines({ lines }: { lines: readonly DueLine[] }) {
  const { t } = useText()
  const id = useId()
  return (
    <section aria-labelledby={id} aria-live="polite">
      <h3 id={id} className={classes.hiddenHeading}>
        {t('payments.what_is_due')}
      </h3>
      <dl className={classes.lines}>
        {lines.map(({ key, amount, params }, index) => (
          <div key={key} className={index === lines.length - 1 ? classes.left : undefined}>
            <dt>{t(key, params)}</dt>
            <dd>
              <Money amount={amount} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
