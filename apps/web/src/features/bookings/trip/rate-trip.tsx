import type { BookingView } from '@hansom/contract/bookings'
import { IconStarFilled } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { storeBooking } from '../../../lib/live.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { RatingStars } from '../../../ui/rating-stars.tsx'
import actions from './trip-actions.module.css'

const longestComment = 1000

/** Stars and, once chosen, an optional comment. */
export function RateTrip({ view }: { view: BookingView }) {
  const { t } = useText()
  const commentId = useId()
  const [stars, setStars] = useState<number | null>(null)
  const [comment, setComment] = useState('')
  const rate = useMutation({
    mutationFn: (input: { id: string; rating: number; feedback?: string }) =>
      idempotentCall('rate', input, api.bookings.rate),
    onSuccess: storeBooking,
  })
  const skip = useMutation({
    mutationFn: (input: { id: string }) => idempotentCall('skip_rating', input, api.bookings.skip_rating),
    onSuccess: storeBooking,
  })
  const failed = rate.error ?? skip.error
  const send = () => {
    if (stars === null) return
    const feedback = comment.trim()
    rate.mutate({ id: view.id, rating: stars, ...(feedback ? { feedback } : {}) })
  }
  return (
    <section className={actions.rate}>
      <RatingStars
        label={t('trip.rate_driver', { driver: isolated(view.driver_name ?? '') })}
        value={stars}
        onChange={setStars}
      />
      {stars === null ? null : (
        <div className={actions.comment}>
          <label htmlFor={commentId}>{t('trip.comment')}</label>
          <textarea
            id={commentId}
            rows={2}
            maxLength={longestComment}
            value={comment}
            dir="auto"
            onChange={(event) => setComment(event.target.value)}
          />
        </div>
      )}
      <div className={actions.rateActions}>
        {stars === null ? null : (
          <Button variant="primary" wide busy={rate.isPending} onClick={send}>
            {t('trip.rate_send')}
          </Button>
        )}
        <Button variant="quiet" wide busy={skip.isPending} onClick={() => skip.mutate({ id: view.id })}>
          {t('trip.rate_skip')}
        </Button>
      </div>
      {failed ? (
        <p className={actions.problem} role="alert">
          <ErrorMessage error={failed} />
        </p>
      ) : null}
    </section>
  )
}

/** The rider's rating (1 to 5) and comment; thanks the rider, shows driver and admin the rider's name. */
export function RatedTrip({ view, rating }: { view: BookingView; rating: number }) {
  const { t } = useText()
  return (
    <section className={actions.rate}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- five icons, not a picture file */}
      <span className={actions.stars} role="img" aria-label={t('trip.rated_stars', { count: rating })}>
        {Array.from({ length: 5 }, (_, index) => (
          <IconStarFilled key={index} size={22} data-on={index < rating || undefined} aria-hidden />
        ))}
      </span>
      {view.feedback ? (
        <p className={actions.said} dir="auto">
          “{view.feedback}”
        </p>
      ) : null}
      <output>
        {view.viewer === 'rider'
          ? t('trip.rated_thanks')
          : t('trip.rated_by', { rider: isolated(view.customer_name ?? '') })}
      </output>
    </section>
  )
}
