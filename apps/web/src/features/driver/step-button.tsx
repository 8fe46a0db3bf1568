import type { BookingView } from '@hansom/contract/bookings'
import { type FormEvent, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import classes from './driver.module.css'
import type { DriverStep, TakenStep } from './trip-commands.ts'

const otpLength = 5

interface Props {
  booking: BookingView
  step: DriverStep
  onStep: (step: TakenStep) => void
}

/** The next step as one large button; starting asks for the rider's code where that is needed. */
export function StepButton({ booking, step, onStep }: Props) {
  const { t } = useText()
  const [otp, setOtp] = useState('')
  const [missing, setMissing] = useState(false)
  const asksOtp = step === 'start' && booking.otp_needed
  const give = (event: FormEvent) => {
    event.preventDefault()
    if (asksOtp && otp.length !== otpLength) return setMissing(true)
    setMissing(false)
    setOtp('')
    onStep({ booking: booking.id, step, ...(asksOtp ? { otp } : {}) })
  }
  return (
    <form className={classes.step} onSubmit={give}>
      {asksOtp ? (
        <TextField
          label={t('driver.otp_label')}
          hint={t('driver.otp_hint')}
          error={missing ? t('driver.otp_missing', { count: otpLength }) : undefined}
          value={otp}
          onChange={(event) => setOtp(event.target.value.replace(/\D/g, '').slice(0, otpLength))}
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
        />
      ) : null}
      {/* The next step comes to stand where this one was: the second tap of a double one is not meant for it. */}
      <Button
        type="submit"
        variant="primary"
        size="large"
        wide
        onClick={(event) => (event.detail > 1 ? event.preventDefault() : undefined)}
      >
        {t(`driver.step_${step}`)}
      </Button>
    </form>
  )
}
