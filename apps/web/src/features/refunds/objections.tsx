import type { ListedBooking } from '@hansom/contract/bookings'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import classes from '../../entities/refunds/refunds.module.css'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import choiceClasses from '../../ui/choice.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'

const refreshMs = 30_000
const outcomes = ['paid', 'not_paid', 'write_off'] as const
type Outcome = (typeof outcomes)[number]

const isAboutReturn = ({ objection_to }: ListedBooking) => objection_to === 'return_leg'

/** The contested amount: the return leg, or the unpaid trip and the outstanding amount to be collected with it. */
const contested = (booking: ListedBooking) =>
  isAboutReturn(booking)
    ? (booking.delivery?.return_leg.cost ?? 0)
    : booking.payableAmount + (booking.outstanding_amount ?? 0)

/** The text of an outcome: a return leg is charged, not paid in cash. */
const outcomeKey = (outcome: Outcome, isReturn: boolean) =>
  isReturn && outcome === 'not_paid'
    ? ('refunds.return_not_paid' as const)
    : (`refunds.objection_${outcome}` as const)

/** Riders who object that they did pay in cash, or to a return leg. Empty if there is nothing to decide. */
export function Objections() {
  const { t } = useText()
  const format = useFormat()
  // Trips have objections to cash only, as the heading says.
  const isDelivery = useSettings().category === 'delivery'
  const [deciding, setDeciding] = useState<ListedBooking | null>(null)
  const [decided, setDecided] = useState<{ booking: ListedBooking; outcome: Outcome } | null>(null)
  const told = useRef<HTMLDivElement>(null)
  // The pressed button disappears with its row, so the message takes the focus.
  useEffect(() => {
    if (decided) told.current?.focus()
  }, [decided])
  const query = useQuery({
    ...orpc.bookings.list.queryOptions({ input: { objection: 'open', limit: 50 } }),
    refetchInterval: refreshMs,
  })
  const open = query.data?.items ?? []
  if (open.length === 0 && !decided) return null
  return (
    <>
      <div ref={told} tabIndex={-1}>
        {decided ? (
          <Notice tone="good">
            {t('refunds.objection_decided', {
              code: isolated(decided.booking.booking_id),
              outcome: t(outcomeKey(decided.outcome, isAboutReturn(decided.booking))),
            })}
          </Notice>
        ) : null}
      </div>
      {open.length === 0 ? null : (
        <section className={classes.objections} aria-labelledby="objections">
          <h2 id="objections">{t('refunds.objections')}</h2>
          <ul>
            {open.map((booking) => (
              <li key={booking.id}>
                <span>
                  <Link to="/trip/$id" params={{ id: booking.id }}>
                    <Ltr>{booking.booking_id}</Ltr>
                  </Link>{' '}
                  · <bdi>{booking.customer_name}</bdi> · <bdi>{booking.driver_name}</bdi>
                  <small>
                    {isDelivery
                      ? `${t(`refunds.about_${isAboutReturn(booking) ? 'return' : 'cash'}`)} · `
                      : null}
                    <bdi>{format.dateTime(booking.closed_at ?? booking.tripdate)}</bdi>
                  </small>
                </span>
                <Money amount={contested(booking)} />
                <Button onClick={() => setDeciding(booking)}>{t('refunds.objection_decide')}</Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {deciding ? (
        <DecideDialog
          booking={deciding}
          onClose={() => setDeciding(null)}
          onDecided={(outcome) => {
            setDecided({ booking: deciding, outcome })
            setDeciding(null)
          }}
        />
      ) : null}
    </>
  )
}

interface DecideProps {
  booking: ListedBooking
  onClose: () => void
  onDecided: (outcome: Outcome) => void
}

function DecideDialog({ booking, onClose, onDecided }: DecideProps) {
  const { t } = useText()
  const format = useFormat()
  const [reason, setReason] = useState('')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const events = useQuery(orpc.bookings.events.queryOptions({ input: { id: booking.id } })).data
  const said = events?.findLast(({ command }) => command === 'object')?.reason
  const sending = useSubmit(() => {
    void queryClient.invalidateQueries({ queryKey: orpc.bookings.list.key() })
    if (outcome) onDecided(outcome)
  })
  const isReturn = isAboutReturn(booking)
  const words = reason.trim()
  const decide = () => {
    if (outcome === null) return
    const decision = { id: booking.id, outcome, reason: words }
    sending.send(() => idempotentCall('bookings.decide_objection', decision, api.bookings.decide_objection))
  }
  return (
    <Dialog open onClose={onClose} title={t(isReturn ? 'refunds.return_title' : 'refunds.objection_title')}>
      <p className={classes.said}>
        {t(isReturn ? 'refunds.return_text' : 'refunds.objection_text', {
          rider: isolated(booking.customer_name ?? ''),
          driver: isolated(booking.driver_name ?? ''),
          amount: isolated(format.money(contested(booking))),
        })}
      </p>
      {said ? (
        <blockquote className={classes.quote}>
          <bdi>{said}</bdi>
        </blockquote>
      ) : null}
      <PlainForm onSubmit={decide}>
        <fieldset className={classes.outcomes}>
          <legend>{t('refunds.objection_outcome')}</legend>
          {outcomes
            .filter((one) => !isReturn || one !== 'paid')
            .map((one) => (
              <label key={one} className={choiceClasses.choice}>
                <input
                  type="radio"
                  name="outcome"
                  checked={outcome === one}
                  onChange={() => setOutcome(one)}
                />
                <span>{t(outcomeKey(one, isReturn))}</span>
              </label>
            ))}
        </fieldset>
        {isReturn ? <p className={classes.said}>{t('refunds.return_hint')}</p> : null}
        <TextField
          label={t('refunds.reason')}
          name="reason"
          dir="auto"
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {sending.failure}
        <div className={classes.decide}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            type="submit"
            variant="primary"
            busy={sending.busy}
            disabled={words === '' || outcome === null}
          >
            {t('refunds.objection_decide')}
          </Button>
        </div>
      </PlainForm>
    </Dialog>
  )
}
