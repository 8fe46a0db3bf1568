import type { LatLng } from '@hansom/domain/geo/point'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useMemo } from 'react'
import { orpc } from '../../../lib/api.ts'
import { useInteracted } from '../../../lib/use-idle.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { Button } from '../../../ui/button.tsx'
import classes from './booking-hero.module.css'
import type { BookingMapProps } from '../../../map/booking-map-props.ts'
import { CityDrawing } from './city-drawing.tsx'
import type { BookingFormState } from './use-booking.ts'

// If the map's code fails to load, the illustration stays and the form keeps working.
const BookingMap = lazy<ComponentType<BookingMapProps>>(() =>
  import('../../../map/booking-map.tsx').catch(() => ({ default: () => null })),
)
const carsEveryMs = 5_000

/** Initial extent around the city center: about 9 km across. */
const openingDegrees = 0.04

/** `left` and `right` are factors that widen each side, so that the center is not under the form. */
function aroundCentre({ lat, lng }: LatLng, left: number, right: number): [number, number, number, number] {
  const wide = openingDegrees / Math.cos((lat * Math.PI) / 180)
  return [lng - wide * left, lat - openingDegrees, lng + wide * right, lat + openingDegrees]
}

const around = 72
/** Width of the map covered by the form and its margins. */
const formWidth = 476

/** Keeps the route from being hidden by the form. */
function useCameraPadding(direction: 'ltr' | 'rtl', beside: boolean) {
  const wide = useMedia('(min-width: 1081px)')
  const floats = wide && !beside
  const start = around + (floats ? formWidth : 0)
  const [left, right] = direction === 'ltr' ? [start, around] : [around, start]
  return useMemo(() => ({ top: around, bottom: around, left, right }), [left, right])
}

interface Props {
  booking: BookingFormState
  /** Laid out next to the form instead of behind it. */
  beside?: boolean
}

/** The map behind the form: an illustration until the user interacts and the map has loaded. */
export function HeroMap({ booking, beside = false }: Props) {
  const { t, language } = useText()
  const padding = useCameraPadding(language.direction, beside)
  const { region } = useSettings()
  const bounds = useMemo(
    () => aroundCentre(region.center, padding.left > around ? 2.4 : 1, padding.right > around ? 2.4 : 1),
    [region.center, padding],
  )
  const begun = useInteracted()
  const { draft, picking, setPicking, pick, offers } = booking
  const { lat, lng } = draft.pickup ?? region.center
  const cars = useQuery({
    ...orpc.tracking.nearby.queryOptions({ input: { lat, lng } }),
    enabled: begun,
    refetchInterval: carsEveryMs,
    staleTime: carsEveryMs,
    retry: false,
  })
  return (
    <>
      <CityDrawing />
      {begun ? (
        <Suspense fallback={null}>
          <div className={classes.liveMap}>
            <BookingMap
              pickup={draft.pickup}
              drop={draft.drop}
              routePolyline={offers.data?.route.polyline ?? null}
              cars={cars.data ?? []}
              picking={picking}
              onPick={pick}
              bounds={bounds}
              padding={padding}
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
