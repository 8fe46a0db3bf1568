import type { BookingView } from '@hansom/contract/bookings'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { storeBooking } from '../../lib/live.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Money } from '../../ui/money.tsx'
import { RatingStars } from '../../ui/rating-stars.tsx'
import classes from './driver.module.css'

interface Props {
  booking: BookingView
  onDone: () => void
}

/** After a trip: the earnings, and an optional rating of the rider, sent by its own button. */
export function RateRider({ booking, onDone }: Props) {
  const { t } = useText()
  const [stars, setStars] = useState<number | null>(null)
  const rate = useMutation({
    mutationFn: (input: { id: string; rating: number }) =>
      idempotentCall('rate_rider', input, api.bookings.rate_rider),
    onSuccess: storeBooking,
  })
  const collected = booking.cash_answer ? booking.cashPaymentAmount + booking.outstanding_collected : 0
  const isRated = rate.isSuccess || booking.rider_rating !== null
  const question = t('driver.rate_rider', { name: isolated(booking.customer_name ?? '') })
  return (
    <section className={classes.trip} aria-label={t('driver.finished')}>
      <output className={classes.status}>{t('driver.finished')}</output>
      {collected > 0 ? (
        <p className={classes.amountLine}>
          <span>{t('driver.you_collected')}</span> <Money amount={collected} />
        </p>
      ) : (
        <p className={classes.meta}>{t('driver.collect_none')}</p>
      )}
      <p className={classes.amountLine}>
        <span>{t('driver.your_share')}</span> <Money amount={booking.driver_share ?? 0} />
      </p>
      {isRated ? (
        <output className={classes.meta}>{t('driver.rated')}</output>
      ) : booking.commands.includes('rate_rider') ? (
        <>
          <p className={classes.target}>{question}</p>
          <RatingStars label={question} value={stars} onChange={setStars} />
          {stars === null ? null : (
            <Button
              variant="primary"
              wide
              busy={rate.isPending}
              onClick={() => rate.mutate({ id: booking.id, rating: stars })}
            >
              {t('driver.rate_send')}
            </Button>
          )}
        </>
      ) : null}
      {rate.error ? (
        <p className={classes.warning} role="alert">
          <ErrorMessage error={rate.error} />
        </p>
      ) : null}
      <Button wide size="large" variant={isRated ? 'primary' : 'secondary'} onClick={onDone}>
        {t('driver.next_trip')}
      </Button>
    </section>
  )
}
