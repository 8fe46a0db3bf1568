import type { BookingView } from '@hansom/contract/bookings'
import { dueOf } from '@hansom/domain/bookings/amounts'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { storeBooking } from '../../../lib/live.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogButtons } from '../../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { RatingStars } from '../../../ui/rating-stars.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { EndDelivery } from './end-delivery.tsx'
import actions from './trip-actions.module.css'

/** The commands a driver or admin may run on this trip now: one button each, the next step first. */
export function CommandButtons({ view }: { view: BookingView }) {
  const command = useMutation({
    mutationFn: (given: { step: Step; words: string }) => give(view.id, given.step, given.words),
    onSuccess: (next) => {
      if (next) storeBooking(next)
    },
  })
  const { t } = useText()
  const format = useFormat()
  const steps = stepsOf(view)
  const collects = collectsCash(view)
  if (steps.length === 0 && !collects) return null
  return (
    <div className={actions.actions}>
      {collects ? (
        <Link to="/bookings" className={buttonClass({ variant: 'primary', size: 'large', wide: true })}>
          {t('trip.collect_cash', { amount: isolated(format.money(view.collect?.total ?? 0)) })}
        </Link>
      ) : null}
      {steps.map((step, index) => (
        <CommandForm
          // A new trip status resets the form.
          key={`${step} ${view.status}`}
          step={step}
          view={view}
          isNext={index === 0}
          busy={command.isPending && command.variables.step === step}
          onGive={(words) => command.mutate({ step, words })}
        />
      ))}
      {command.error ? (
        <p className={actions.problem} role="alert">
          <ErrorMessage error={command.error} />
        </p>
      ) : null}
    </div>
  )
}

function CommandForm({
  step,
  view,
  isNext,
  busy,
  onGive,
}: {
  step: Step
  view: BookingView
  isNext: boolean
  busy: boolean
  onGive: (words: string) => void
}) {
  const { t } = useText()
  const [words, setWords] = useState('')
  const [asks, setAsks] = useState(false)
  const needed = wordsNeeded(step, view)
  // For admins these are exceptions, not the next step.
  const isAdmin = view.viewer === 'admin'
  if (step === 'rate_rider') {
    return (
      <div className={actions.rate}>
        <p>{t('trip.rate_rider', { rider: view.customer_name ?? '' })}</p>
        <RatingStars
          label={t('trip.rate_rider', { rider: view.customer_name ?? '' })}
          value={words ? Number(words) : null}
          onChange={(stars) => setWords(String(stars))}
        />
        {words ? (
          <Button variant="primary" wide busy={busy} onClick={() => onGive(words)}>
            {t('trip.rate_send')}
          </Button>
        ) : null}
      </div>
    )
  }
  if (step === 'reach' && isAdmin && view.delivery) {
    return <EndDelivery view={view} stops={view.delivery.stops} />
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (step === 'write_off') setAsks(true)
    else onGive(words.trim())
  }
  return (
    <form className={actions.command} onSubmit={send}>
      {needed === 'code' ? (
        <TextField
          label={t('trip.code_label')}
          value={words}
          onChange={(event) => setWords(event.target.value.replace(/\D/g, '').slice(0, 5))}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\d{5}"
          required
          dir="ltr"
        />
      ) : null}
      {needed === 'reason' ? (
        <TextField
          label={t('trip.reason_label')}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          maxLength={200}
          required
        />
      ) : null}
      <Button
        type="submit"
        variant={isNext && !isAdmin ? 'primary' : 'secondary'}
        size="large"
        wide
        busy={busy}
      >
        {t(
          isAdmin && (step === 'reach' || step === 'close' || step === 'write_off')
            ? `trip.admin_command_${step}`
            : `trip.command_${step}`,
        )}
      </Button>
      {asks ? (
        <ConfirmWriteOff
          view={view}
          onClose={() => setAsks(false)}
          onConfirm={() => {
            setAsks(false)
            onGive(words.trim())
          }}
        />
      ) : null}
    </form>
  )
}

/** Asks with the amount before the platform bears it. */
function ConfirmWriteOff({
  view,
  onClose,
  onConfirm,
}: {
  view: BookingView
  onClose: () => void
  onConfirm: () => void
}) {
  const { t } = useText()
  const format = useFormat()
  const amount = isolated(format.money(dueOf(view)))
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('trip.write_off_title', { amount })}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button variant="danger" onClick={onConfirm}>
            {t('trip.write_off_confirm', { amount })}
          </Button>
        </DialogButtons>
      }
    >
      <p>{t('trip.write_off_text', { amount, rider: isolated(view.customer_name ?? t('history.rider')) })}</p>
    </Dialog>
  )
}

/** The commands with a button on the trip page; the rider's have separate components. */
const known = [
  'accept',
  'arrive',
  'start',
  'reach',
  'close',
  'confirm_cash',
  'write_off',
  'rate_rider',
  'decline',
] as const
export type Step = (typeof known)[number]

/** The commands the viewer may run now, the next step first. */
export function stepsOf(view: Pick<BookingView, 'commands' | 'viewer' | 'status' | 'collect'>): Step[] {
  const isAnswered = collectsCash(view)
  return known.filter((step) => view.commands.includes(step) && !(step === 'close' && isAnswered))
}

/** The driver has cash to collect: the console closes the trip with the paid amount. */
function collectsCash({
  viewer,
  status,
  collect,
}: Pick<BookingView, 'viewer' | 'status' | 'collect'>): boolean {
  return viewer === 'driver' && status === 'REACHED' && collect !== null && collect.total > 0
}

/** The input a step requires: the rider's code, or an admin's reason. */
function wordsNeeded(step: Step, view: Pick<BookingView, 'viewer' | 'otp_needed'>): 'code' | 'reason' | null {
  if (step === 'start') return view.otp_needed ? 'code' : null
  if (step === 'write_off') return 'reason'
  return view.viewer === 'admin' && (step === 'reach' || step === 'close') ? 'reason' : null
}

/**
 * Sends the step to the server; returns the new view, or null if the viewer can no longer see it. Throws an ApiError.
 */
export async function give(id: string, step: Step, words: string): Promise<BookingView | null> {
  switch (step) {
    case 'start':
      return idempotentCall(step, words ? { id, otp: words } : { id }, api.bookings.start)
    case 'reach':
    case 'close':
      return idempotentCall(step, words ? { id, reason: words } : { id }, api.bookings[step])
    case 'write_off':
      return idempotentCall(step, { id, reason: words }, api.bookings.write_off)
    case 'rate_rider':
      return idempotentCall(step, { id, rating: Number(words) }, api.bookings.rate_rider)
    case 'decline':
      await idempotentCall(step, { id }, api.bookings.decline)
      return null
    default:
      return idempotentCall(step, { id }, api.bookings[step])
  }
}
