import { IconCalendarClock } from '@tabler/icons-react'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import classes from './booking-form.module.css'
import type { BookingFormState } from './use-booking.ts'
import { WhenField } from './when-field.tsx'

/** Book Now and Book Later. If no car is nearby, only Book Later is offered. */
export function BookButtons({ booking }: { booking: BookingFormState }) {
  const { t } = useText()
  const { draft, offer, chooseLater, chooseNow } = booking
  const noneNear = offer !== null && offer.pickupS === null
  if (draft.later) {
    return (
      <div className={classes.actions}>
        <WhenField
          value={draft.at}
          focused={booking.laterJustChosen}
          onChange={(at) => booking.change({ type: 'at', at })}
        />
        <div className={classes.buttons}>
          <Button type="submit" variant="primary" size="large" wide>
            {t('booking.book_later')}
          </Button>
          {noneNear ? null : (
            <Button variant="quiet" size="large" onClick={chooseNow}>
              {t('booking.now_instead')}
            </Button>
          )}
        </div>
      </div>
    )
  }
  if (noneNear) {
    return (
      <div className={classes.actions}>
        <p className={classes.noneNear}>{t('booking.none_near_text')}</p>
        <Button variant="primary" size="large" wide onClick={chooseLater}>
          <IconCalendarClock size={22} stroke={1.8} aria-hidden />
          {t('booking.book_later')}
        </Button>
      </div>
    )
  }
  return (
    <div className={classes.actions}>
      <div className={classes.buttons}>
        <Button type="submit" variant="primary" size="large" wide>
          {t('booking.book_now')}
        </Button>
        <Button size="large" onClick={chooseLater}>
          <IconCalendarClock size={22} stroke={1.8} aria-hidden />
          {t('booking.book_later')}
        </Button>
      </div>
    </div>
  )
}
