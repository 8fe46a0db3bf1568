import type { Disputed, Refundable, RefundView } from '@hansom/contract/refunds'
import { unit } from '@hansom/domain/money/amount'
import type { RefundBearer } from '@hansom/domain/wallet/refund'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { ChoiceField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { typedAmount } from '../../ui/typed-amount.ts'
import { useSubmit } from '../../ui/use-submit.tsx'
import { RefundBadge } from '../payments/payment-columns.tsx'
import { OpenFee } from './open-fee.tsx'
import { RefundReason } from './refund-reason.tsx'
import classes from './refunds.module.css'

interface Props {
  /** The subject of the refund: a booking, or a card payment without one. */
  of: { booking: string } | { payment: string }
  /** Its displayed reference. */
  code: string
  onClose: () => void
  onAsked?: (refund: RefundView) => void
}

/** Refunds all or part of a payment, with a reason, at the cost of the platform or the driver. */
export function RefundDialog({ of, code, onClose, onAsked }: Props) {
  const { t } = useText()
  const [asked, setAsked] = useState<RefundView | null>(null)
  const query = useQuery(
    'booking' in of
      ? orpc.refunds.ofBooking.queryOptions({ input: { id: of.booking } })
      : orpc.refunds.ofPayment.queryOptions({ input: { payment: of.payment } }),
  )
  const done = (refund: RefundView) => {
    setAsked(refund)
    void queryClient.invalidateQueries({ queryKey: orpc.refunds.key() })
    void queryClient.invalidateQueries({ queryKey: orpc.ledger.key() })
    onAsked?.(refund)
  }
  return (
    <Dialog open onClose={onClose} title={t('refunds.ask_title', { code: isolated(code) })}>
      {asked ? <Asked refund={asked} onClose={onClose} /> : null}
      {!asked && query.isPending ? <LoadingState rows={2} height="56px" /> : null}
      {!asked && query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {!asked && query.data && 'booking' in of ? (
        <OpenFee booking={of.booking} amount={query.data.open_fee} />
      ) : null}
      {!asked && query.data ? (
        <Wish
          disputed={query.data}
          booking={'booking' in of ? of.booking : null}
          onClose={onClose}
          onAsked={done}
        />
      ) : null}
    </Dialog>
  )
}

function Asked({ refund, onClose }: { refund: RefundView; onClose: () => void }) {
  const { t } = useText()
  const format = useFormat()
  const words = { amount: isolated(format.money(refund.amount)), name: `\u2068${refund.rider_name}\u2069` }
  return (
    <>
      <Notice tone="good">{t(refund.state === 'confirmed' ? 'refunds.done' : 'refunds.asked', words)}</Notice>
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      </DialogButtons>
    </>
  )
}

const nameOf = ({ source, payment }: Refundable) => `${source} ${payment ?? ''}`

function Wish({
  disputed,
  booking,
  onClose,
  onAsked,
}: {
  disputed: Disputed
  booking: string | null
  onClose: () => void
  onAsked: (refund: RefundView) => void
}) {
  const { t } = useText()
  const format = useFormat()
  const settings = useSettings()
  const { sources, refunds } = disputed
  const [chosen, setChosen] = useState(nameOf(sources.find(({ left }) => left > 0) ?? sources[0] ?? none))
  const [text, setText] = useState('')
  const [bearer, setBearer] = useState<RefundBearer>('platform')
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const sending = useSubmit(onAsked)
  const source = sources.find((one) => nameOf(one) === chosen)
  if (source === undefined) {
    return <>{disputed.open_fee > 0 ? null : <p className={classes.lead}>{t('refunds.nothing_paid')}</p>}</>
  }
  const amount = typedAmount(text, settings)
  const borne = source.bearers.includes(bearer) ? bearer : (source.bearers[0] ?? 'platform')
  const provider = source.provider === null ? '' : isolated(t(`payments.provider_${source.provider}`))
  const send = () => {
    setTried(true)
    if (amount <= 0) return
    sending.send(() => {
      const wish = { booking, payment: source.payment, source: source.source, amount, bearer: borne, reason }
      return idempotentCall(
        'refunds.ask',
        { id: booking ?? source.payment ?? '', ...wish },
        (_input, options) => api.refunds.ask(wish, options),
      )
    })
  }
  return (
    <PlainForm onSubmit={send}>
      <Before refunds={refunds} />
      <fieldset className={classes.sources}>
        <legend>{t('refunds.which')}</legend>
        {sources.map((one) => (
          <label key={nameOf(one)} className={classes.source}>
            <input
              type="radio"
              name="source"
              checked={nameOf(one) === chosen}
              disabled={one.left === 0}
              onChange={() => setChosen(nameOf(one))}
            />
            <span className={classes.sourceName}>
              {t(`refunds.source_${one.source}`)}
              {one.provider ? (
                <>
                  {' '}
                  · <bdi>{t(`payments.provider_${one.provider}`)}</bdi>
                </>
              ) : null}
            </span>
            <span className={classes.sourceOf}>
              {one.left === 0
                ? t('refunds.nothing_left')
                : t('refunds.paid_of', {
                    paid: isolated(format.money(one.paid)),
                    left: isolated(format.money(one.left)),
                  })}
            </span>
          </label>
        ))}
      </fieldset>
      <div className={classes.amountLine}>
        <TextField
          label={t('refunds.amount')}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={tried && amount <= 0 ? t('payments.amount_above_zero') : undefined}
        />
        <Button onClick={() => setText((source.left / unit).toFixed(settings.decimal))}>
          {t('refunds.all')}
        </Button>
      </div>
      <p className={classes.where}>
        {source.provider === null
          ? t('refunds.to_wallet')
          : t(source.by_hand ? 'refunds.by_hand' : 'refunds.to_card', { provider })}
      </p>
      {source.bearers.length > 1 ? (
        <ChoiceField
          label={t('refunds.bearer')}
          name="bearer"
          value={borne}
          onChange={(event) => setBearer(event.target.value as RefundBearer)}
          choices={source.bearers.map((value) => ({ value, label: t(`refunds.bearer_${value}`) }))}
        />
      ) : null}
      <TextField
        label={t('refunds.reason')}
        hint={t('refunds.reason_hint')}
        name="reason"
        dir="auto"
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {sending.failure}
      <DialogButtons onCancel={onClose}>
        <Button type="submit" variant="primary" busy={sending.busy}>
          {amount > 0 ? t('refunds.ask', { amount: isolated(format.money(amount)) }) : t('refunds.refund')}
        </Button>
      </DialogButtons>
    </PlainForm>
  )
}

const none: Refundable = {
  source: 'cash',
  payment: null,
  provider: null,
  paid: 0,
  refunded: 0,
  left: 0,
  bearers: [],
  by_hand: false,
}

/** Earlier refunds, so that the same is not refunded twice. */
function Before({ refunds }: { refunds: Disputed['refunds'] }) {
  const { t } = useText()
  const format = useFormat()
  const sum = refunds.reduce((all, { amount, state }) => (state === 'failed' ? all : all + amount), 0)
  if (refunds.length === 0) return null
  return (
    <section className={classes.before}>
      <h3>{t('refunds.so_far', { amount: isolated(format.money(sum)) })}</h3>
      <RefundLines refunds={refunds} />
    </section>
  )
}

/** Refunds with their amount, target, state, author, bearer and reason, newest first. */
export function RefundLines({ refunds }: { refunds: Disputed['refunds'] }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <ul className={classes.lines}>
      {refunds.map((refund) => (
        <li key={refund.id}>
          <span>
            <strong>
              <Money amount={refund.amount} />
            </strong>{' '}
            {refund.source === 'card' && refund.provider
              ? t('refunds.to_card_short', { provider: isolated(t(`payments.provider_${refund.provider}`)) })
              : t('refunds.to_wallet_short')}
          </span>
          <RefundBadge state={refund.state} />
          <small>
            <bdi>{format.dateTime(refund.at)}</bdi>
            {refund.by_name ? ` · ${t('refunds.by', { name: isolated(refund.by_name) })}` : null}
            {' · '}
            {t('refunds.charged_to', { bearer: t(`refunds.bearer_${refund.bearer}`) })}
          </small>
          <small>
            <RefundReason refund={refund} />
          </small>
        </li>
      ))}
    </ul>
  )
}
