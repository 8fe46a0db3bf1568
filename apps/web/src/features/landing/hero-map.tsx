import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import classes from './booking-hero.module.css'
import { CityDrawing } from './city-drawing.tsx'
import type { Booking } from './use-booking.ts'

const BookingMap = lazy(() => import('../../map/booking-map.tsx'))
const carsEveryMs = 5_000

/** True once the page has come to rest: the map must not hold up the form. */
function useAtRest(): boolean {
  const [atRest, setAtRest] = useState(false)
  useEffect(() => {
    const start = () => setAtRest(true)
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(start, 200)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(start, { timeout: 1_500 })
    return () => cancelIdleCallback(idle)
  }, [])
  return atRest
}

/** The city beside the form: a drawing until the map has arrived. */
export function HeroMap({ booking }: { booking: Booking }) {
  const { t } = useText()
  const { region } = useSettings()
  const atRest = useAtRest()
  const { draft, picking, setPicking, pick, offers } = booking
  const { lat, lng } = draft.pickup ?? region.center
  const cars = useQuery({
    ...orpc.tracking.nearby.queryOptions({ input: { lat, lng } }),
    enabled: atRest,
    refetchInterval: carsEveryMs,
    staleTime: carsEveryMs,
    retry: false,
  })
  return (
    <>
      <CityDrawing />
      {atRest ? (
        <Suspense fallback={null}>
          <div className={classes.liveMap}>
            <BookingMap
              pickup={draft.pickup}
              drop={draft.drop}
              routePolyline={offers.data?.route.polyline ?? null}
              cars={cars.data ?? []}
              picking={picking}
              onPick={pick}
              bounds={region.bounds}
            />
          </div>
        </Suspense>
      ) : null}
      {picking ? (
        <Button className={classes.stopPicking} onClick={() => setPicking(null)}>
          {t('common.cancel')}
        </Button>
      ) : null}
    </>
  )
}
