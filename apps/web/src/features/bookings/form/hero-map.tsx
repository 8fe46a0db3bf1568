import type { LatLng } from '@hansom/domain/geo/point'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useMemo } from 'react'
import { orpc } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { useInteracted } from '../../../lib/use-idle.ts'
import { useMedia } from '../../../lib/use-media.ts'
import type { BookingMapProps } from '../../../map/booking-map-layers.tsx'
import { Button } from '../../../ui/button.tsx'
import classes from './booking-hero.module.css'
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
              drops={draft.parcel?.drops}
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

/** Illustration of a coastal city with a highlighted route; placeholder until the map loads. */
function CityDrawing() {
  return (
    <svg className={classes.drawing} viewBox="0 0 1200 840" preserveAspectRatio="xMidYMid slice" aria-hidden>
      <path className={classes.park} d="M371 329L501 308L530 492L400 512ZM808 71L942 50L952 111L818 132Z" />
      <path
        className={classes.minor}
        d="M-255 -123L-44 1211M-188 -133L23 1200M-121 -144L90 1189M13 -165L224 1168M80 -176L292 1157M148 -187L359 1147M282 -208L493 1125M349 -219L560 1115M416 -229L627 1104M550 -251L762 1083M618 -261L829 1072M685 -272L896 1062M819 -293L1030 1040M886 -304L1098 1030M953 -314L1165 1019M1088 -336L1299 998M1155 -346L1366 987M1222 -357L1433 976M-377 8L1401 -274M-367 69L1411 -213M-357 130L1421 -151M-347 191L1430 -90M-338 253L1440 -29M-328 314L1450 32M-318 375L1460 94M-309 436L1469 155M-299 498L1479 216M-289 559L1489 277M-280 620L1498 338M-270 681L1508 400M-260 743L1518 461M-250 804L1527 522M-241 865L1537 583M-231 926L1547 645M-221 987L1556 706M-212 1049L1566 767M-202 1110L1576 828"
      />
      <path
        className={classes.major}
        d="M80 -176L292 1157M618 -261L829 1072M-318 375L1460 94M-270 681L1508 400"
      />
      <path className={classes.major} d="M-40 700C260 640 420 470 640 330S1010 40 1240 -40" />
      <path
        className={classes.water}
        d="M-20 860V742c120-6 168 46 290 30s150-70 268-58 140 74 262 60 214-92 420-80v166z"
      />
      <path
        className={classes.casing}
        d="M358 707L342 607Q339 585 361 582L585 545Q607 542 604 520L562 258Q559 236 581 233L738 207Q760 204 757 182L751 143"
      />
      <path
        className={classes.way}
        d="M358 707L342 607Q339 585 361 582L585 545Q607 542 604 520L562 258Q559 236 581 233L738 207Q760 204 757 182L751 143"
      />
      <circle className={classes.start} cx="358" cy="707" r="11" />
      <rect className={classes.end} x="738" y="130" width="26" height="26" rx="8" />
    </svg>
  )
}
