import { ApiError } from '@hansom/client/api-error'
import type { BookingView } from '@hansom/contract/bookings'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useServerNow } from '../../lib/clock.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { errorText } from '../../ui/error-message.tsx'
import { TextField } from '../../ui/text-field.tsx'
import classes from './driver.module.css'
import type { DriverStep, TakenStep } from './trip-commands.ts'
import type { StepRefusal } from './use-offline-queue.ts'

const otpLength = 5

interface Props {
  booking: BookingView
  step: DriverStep
  /** The server's refusal of this step, if any. */
  refusal: StepRefusal | null
  /** True while the step is being sent. */
  busy: boolean
  onStep: (step: TakenStep) => void
}

/** The next step as one large button; starting requests the rider's code if needed. */
export function StepButton({ booking, step, refusal, busy, onStep }: Props) {
  const { t } = useText()
  const form = useRef<HTMLFormElement>(null)
  const [otp, setOtp] = useState('')
  const [missing, setMissing] = useState(false)
  /** The refusal that the driver has started to correct. */
  const [mended, setMended] = useState<StepRefusal | null>(null)
  const asksOtp = step === 'start' && booking.otp_needed
  const now = useServerNow(1000)
  const waitS = Math.ceil(((blockedUntil(booking, refusal) ?? 0) - now) / 1000)
  const isBlocked = asksOtp && waitS > 0

  // The wrong code stays visible and selected, so that typing replaces it.
  useEffect(() => {
    if (!refusal || !asksOtp) return
    setOtp(refusal.step.otp ?? '')
    form.current?.querySelector('input')?.focus()
  }, [refusal, asksOtp])
  const isRefused = refusal !== null && refusal !== mended
  useEffect(() => {
    if (isRefused) form.current?.querySelector('input')?.select()
  }, [isRefused, otp])

  const give = (event: FormEvent) => {
    event.preventDefault()
    if (busy || isBlocked) return
    if (asksOtp && otp.length !== otpLength) {
      setMissing(true)
      form.current?.querySelector('input')?.focus()
      return
    }
    setMissing(false)
    onStep({ booking: booking.id, step, ...(asksOtp ? { otp } : {}) })
  }
  return (
    <form ref={form} className={classes.step} onSubmit={give}>
      {asksOtp ? (
        <TextField
          label={t('driver.otp_label')}
          hint={t('driver.otp_hint')}
          error={
            isBlocked
              ? t('driver.otp_blocked', { count: waitS })
              : missing
                ? t('driver.otp_missing', { count: otpLength })
                : isRefused && !busy
                  ? codeProblem(refusal, t)
                  : undefined
          }
          value={otp}
          onChange={(event) => {
            setMissing(false)
            setMended(refusal)
            setOtp(event.target.value.replace(/\D/g, '').slice(0, otpLength))
          }}
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
        />
      ) : refusal ? (
        <p className={classes.warning} role="alert">
          {errorText(refusal.error, t)}
        </p>
      ) : null}
      {/* The next step's button appears in this place: the second tap of a double tap is not meant for it. */}
      <Button
        type="submit"
        variant="primary"
        size="large"
        wide
        busy={busy}
        disabled={isBlocked}
        onClick={(event) => (event.detail > 1 ? event.preventDefault() : undefined)}
      >
        {t(`driver.step_${step}`)}
      </Button>
    </form>
  )
}

/** Time until which no code is accepted after too many wrong ones, epoch ms. */
function blockedUntil(booking: BookingView, refusal: StepRefusal | null): number | null {
  const until = refusal?.error instanceof ApiError ? refusal.error.data.until : null
  return typeof until === 'number' ? until : booking.otp_blocked_until
}

function codeProblem({ error }: StepRefusal, t: ReturnType<typeof useText>['t']): string {
  const left = error instanceof ApiError && error.key === 'wrong_otp' ? error.data.left : null
  return typeof left === 'number' ? t('driver.otp_wrong', { count: left }) : errorText(error, t)
}

/** The steps that require a confirmation far from their place. */
export type PlacedStep = 'arrive' | 'reach'

interface FarDialogProps {
  step: PlacedStep
  /** Distance from the driver to the pickup or drop. */
  km: number
  onConfirm: () => void
  onClose: () => void
}

/** Asks a driver who is far from the pickup or drop for confirmation. */
export function FarDialog({ step, km, onConfirm, onClose }: FarDialogProps) {
  const { t } = useText()
  const format = useFormat()
  return (
    <Dialog
      open
      role="alertdialog"
      onClose={onClose}
      title={t(`driver.far_title_${step}`, { distance: isolated(format.distance(km)) })}
      footer={
        <>
          <Button variant="primary" wide onClick={onClose}>
            {t('driver.far_keep')}
          </Button>
          <Button wide onClick={onConfirm}>
            {t(`driver.far_confirm_${step}`)}
          </Button>
        </>
      }
    >
      <p className={classes.meta}>{t(`driver.far_text_${step}`)}</p>
    </Dialog>
  )
}
