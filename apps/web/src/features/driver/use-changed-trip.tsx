import type { BookingView } from '@hansom/contract/bookings'
import { isOneOf, trackedStatuses } from '@hansom/domain/bookings/status'
import { useEffect, useRef, useState } from 'react'
import { callAttention } from '../../lib/alert.ts'
import { isolated, useFormat, withoutIsolates } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import classes from './driver.module.css'

type Places = Pick<BookingView, 'id' | 'pickupAddress' | 'dropAddress' | 'trip_cost'>

/** What someone else changed about the trip under way: the place to drive to. */
export interface ChangedTrip {
  which: 'pickup' | 'drop'
  trip: Places
}

/** The last change of the trip's places while it is driven, until the driver dismisses it or the trip ends. */
export function useChangedTrip(trip: BookingView | null): { changed: ChangedTrip | null; read: () => void } {
  const { t } = useText()
  const known = useRef<Places | null>(null)
  const [changed, setChanged] = useState<ChangedTrip | null>(null)
  // At the end of a trip the drop becomes the place where it ended.
  const driven = trip && isOneOf(trackedStatuses, trip.status) ? trip : null
  useEffect(() => {
    const before = known.current
    known.current = driven
    if (!driven || before?.id !== driven.id) return setChanged(null)
    const which =
      before.dropAddress !== driven.dropAddress
        ? 'drop'
        : before.pickupAddress !== driven.pickupAddress
          ? 'pickup'
          : null
    if (which === null) return
    setChanged({ which, trip: driven })
    announce(withoutIsolates(t(`driver.changed_${which}`, { place: isolated(addressOf(which, driven)) })))
    callAttention('changed')
  }, [driven?.id, driven?.pickupAddress, driven?.dropAddress])
  return { changed, read: () => setChanged(null) }
}

/** The new place and fare of the trip under way. */
export function ChangedNotice({
  changed: { which, trip },
  onRead,
}: {
  changed: ChangedTrip
  onRead: () => void
}) {
  const { t } = useText()
  const format = useFormat()
  return (
    <section className={classes.cancelled} aria-label={t('driver.changed_label')}>
      <p className={classes.target}>
        {t(`driver.changed_${which}`, { place: isolated(addressOf(which, trip)) })}
      </p>
      <p className={classes.meta}>
        {t('driver.changed_fare', { amount: isolated(format.money(trip.trip_cost)) })}
      </p>
      <Button variant="primary" wide onClick={onRead}>
        {t('driver.cancelled_read')}
      </Button>
    </section>
  )
}

const addressOf = (which: ChangedTrip['which'], trip: Places) =>
  which === 'drop' ? trip.dropAddress : trip.pickupAddress
