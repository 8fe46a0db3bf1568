import type { Candidate, DispatchBooking } from '@hansom/contract/dispatch'
import type { FleetCar } from '@hansom/contract/live'
import { type BoardRules, isAlarm, isSoonFree, queuePart } from '@hansom/domain/dispatch/board'
import type { LatLng } from '@hansom/domain/geo/point'
import { isOnFleetMap } from '@hansom/domain/users/eligibility'
import type { GeoJSONSource, MapLayerMouseEvent } from 'maplibre-gl'
import { useEffect, useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import { serverNow, useServerNow } from '../lib/clock.ts'
import { useFormat } from '../lib/format.ts'
import { useText } from '../lib/i18n.ts'
import { useLive } from '../lib/live.ts'
import { useAnimatedPosition } from './animate-position.ts'
import { useMapTheme } from './base-map.ts'
import { cornersOf, mainArea } from './camera.ts'
import CityMap from './city-map.tsx'
import classes from './dispatch-map.module.css'
import { Layer, Source, useMap, useMarker } from './map-renderer.ts'
import { PinLayer } from './pin-layer.tsx'

interface Props {
  bookings: readonly DispatchBooking[]
  rules: BoardRules
  open: DispatchBooking | null
  candidates: readonly Candidate[]
  chosen: string | null
  onOpen: (id: string) => void
  onChoose: (driver: string) => void
  onFail: () => void
}

/** Keeps pins clear of the legend above and of the controls. */
const padding = { top: 128, right: 84, bottom: 56, left: 56 }
/** How many candidates the camera shows when a booking is opened. */
const framedCandidates = 4

/** The map of the dispatch screen. Its content is also in the queue and in the list of candidates. */
export default function DispatchMap(props: Props) {
  const { bookings, rules, open, candidates, chosen, onOpen, onChoose, onFail } = props
  const { t } = useText()
  const overview = useOverview(bookings, rules)
  const fit = useMemo(
    () => (open ? [open.pickup, ...candidates.slice(0, framedCandidates)] : overview).map(pointOf),
    [open, candidates, overview],
  )
  return (
    <div className={classes.map}>
      <CityMap
        fit={fit}
        fitKey={open ? `${open.id} ${candidates.length > 0}` : `all ${overview.length > 0}`}
        fitLabel={t('dispatch.fit')}
        padding={padding}
        onFail={onFail}
      >
        <CarDots bookings={bookings} />
        <PickupDots bookings={bookings} rules={rules} onOpen={onOpen} />
        {open ? <PinLayer kind="pickup" point={open.pickup} address={open.pickup.add} /> : null}
        {open ? <PinLayer kind="drop" point={open.drop} address={open.drop.add} /> : null}
        {open
          ? candidates.map((candidate, index) => (
              <CandidateMarker
                key={candidate.id}
                candidate={candidate}
                place={index + 1}
                chosen={candidate.id === chosen}
                onChoose={onChoose}
              />
            ))
          : null}
      </CityMap>
      <Legend />
    </div>
  )
}

const pointOf = ({ lat, lng }: LatLng): LatLng => ({ lat, lng })

/** The cars are shown with this much of the city to each side of their middle, km. */
const leastKm = 1.5

/**
 * What the map frames while no booking is open: most cars and all waiting pickups, as first known. Only the corners, since
 * the camera compares the points with each render.
 */
function useOverview(bookings: readonly DispatchBooking[], rules: BoardRules): readonly LatLng[] {
  const { data } = useLive('fleet')
  const first = useRef<readonly LatLng[]>([])
  if (first.current.length === 0 && data) {
    const now = serverNow()
    const searching = bookings.filter((booking) => queuePart(booking, rules, now) === 'searching')
    const cars = data.filter((car) => isOnFleetMap(car, now))
    first.current = cornersOf([...mainArea(cars, leastKm), ...searching.map(({ pickup }) => pickup)])
  }
  return first.current
}

/** How often the map looks for expired requests and new alarms, ms. */
const lookMs = 5_000
/** The cars are drawn at most this often, as the server sends them: drawing thousands takes longer than a frame, ms. */
const carsMs = 2_000

/** What a car is doing; the number is its feature property. */
const carKinds = { free: 0, asked: 1, soon: 2, busy: 3 } as const
const mapColors = {
  light: {
    free: '#17653f',
    asked: '#ffb320',
    soon: '#2f6db5',
    busy: '#85878c',
    wait: '#15171b',
    edge: '#ffffff',
    alarm: '#b42318',
  },
  dark: {
    free: '#7cd8a9',
    asked: '#ffc65c',
    soon: '#7db4f0',
    busy: '#737983',
    wait: '#f4f4f1',
    edge: '#111316',
    alarm: '#ff9d92',
  },
} as const

const carsSource = 'dispatch-cars'
const pickupsSource = 'dispatch-pickups'

interface Dots {
  type: 'FeatureCollection'
  features: {
    type: 'Feature'
    properties: Record<string, unknown>
    geometry: { type: 'Point'; coordinates: number[] }
  }[]
}
const dot = ({ lat, lng }: LatLng, properties: Record<string, unknown>): Dots['features'][number] => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [lng, lat] },
})
const noDots: Dots = { type: 'FeatureCollection', features: [] }

/** Drivers on a trip or with a request: what the board knows about them. */
function driversOf(bookings: readonly DispatchBooking[], now: number) {
  const drivers = new Map<string, DispatchBooking | 'asked'>()
  for (const booking of bookings) {
    for (const [driver, until] of booking.asked)
      if (until === null || until > now) drivers.set(driver, 'asked')
    if (booking.driver !== null && booking.status !== 'NEW') drivers.set(booking.driver, booking)
  }
  return drivers
}

function kindOf(car: FleetCar, on: DispatchBooking | 'asked' | undefined): number {
  if (on === 'asked') return carKinds.asked
  if (on) return isSoonFree(on.status, car, on.drop) ? carKinds.soon : carKinds.busy
  return car.queue ? carKinds.busy : carKinds.free
}

/**
 * Every car as a dot, drawn by WebGL: thousands of markers would cost more than a frame. The positions change without a
 * render of React.
 */
function CarDots({ bookings }: { bookings: readonly DispatchBooking[] }) {
  const { current: map } = useMap()
  const { data } = useLive('fleet')
  const colors = mapColors[useMapTheme()]
  const now = useServerNow(lookMs)
  const drawnAt = useRef(-carsMs)
  useEffect(() => {
    if (!map || !data) return
    const draw = () => {
      drawnAt.current = performance.now()
      const [at, drivers] = [serverNow(), driversOf(bookings, now)]
      const features = data
        .filter((car) => isOnFleetMap(car, at))
        .map((car) => dot(car, { kind: kindOf(car, drivers.get(car.uid)) }))
      void map.getSource<GeoJSONSource>(carsSource)?.setData({ type: 'FeatureCollection', features })
    }
    const timer = setTimeout(draw, Math.max(0, drawnAt.current + carsMs - performance.now()))
    // A new style, after a change of the theme, starts empty.
    map.on('style.load', draw)
    return () => {
      clearTimeout(timer)
      map.off('style.load', draw)
    }
  }, [map, data, bookings, now])
  const { free, asked, soon, busy } = carKinds
  return (
    <Source id={carsSource} type="geojson" data={noDots}>
      <Layer
        id={carsSource}
        type="circle"
        layout={{ 'circle-sort-key': ['-', 0, ['get', 'kind']] }}
        paint={{
          'circle-radius': [
            'interpolate',
            ['linear'],
            ['zoom'],
            10,
            ['match', ['get', 'kind'], busy, 2.5, 3.5],
            15,
            ['match', ['get', 'kind'], busy, 5, 8],
          ],
          'circle-color': [
            'match',
            ['get', 'kind'],
            free,
            colors.free,
            asked,
            colors.edge,
            soon,
            colors.soon,
            colors.busy,
          ],
          'circle-stroke-color': ['match', ['get', 'kind'], asked, colors.asked, colors.edge],
          'circle-stroke-width': ['match', ['get', 'kind'], asked, 3, 1.5],
        }}
      />
    </Source>
  )
}

/** The pickups of the searching bookings; a click opens one. */
function PickupDots({ bookings, rules, onOpen }: Pick<Props, 'bookings' | 'rules' | 'onOpen'>) {
  const { current: map } = useMap()
  const colors = mapColors[useMapTheme()]
  const now = useServerNow(lookMs)
  const open = useRef(onOpen)
  open.current = onOpen
  const searching = bookings
    .filter((booking) => queuePart(booking, rules, now) === 'searching')
    .map((booking) => dot(booking.pickup, { id: booking.id, alarm: isAlarm(booking, rules, now) ? 1 : 0 }))
  // Most changes of the board concern no pickup.
  const key = JSON.stringify(searching)
  const data = useMemo((): Dots => ({ type: 'FeatureCollection', features: searching }), [key])
  useEffect(() => {
    if (!map) return
    const onClick = ({ features }: MapLayerMouseEvent) => {
      const id: unknown = features?.[0]?.properties.id
      if (typeof id === 'string') open.current(id)
    }
    const point = (cursor: string) => () => {
      map.getCanvas().style.cursor = cursor
    }
    const [enter, leave] = [point('pointer'), point('')]
    map.on('click', pickupsSource, onClick)
    map.on('mouseenter', pickupsSource, enter)
    map.on('mouseleave', pickupsSource, leave)
    return () => {
      map.off('click', pickupsSource, onClick)
      map.off('mouseenter', pickupsSource, enter)
      map.off('mouseleave', pickupsSource, leave)
    }
  }, [map])
  return (
    <Source id={pickupsSource} type="geojson" data={data}>
      <Layer
        id={pickupsSource}
        type="circle"
        layout={{ 'circle-sort-key': ['get', 'alarm'] }}
        paint={{
          'circle-radius': ['match', ['get', 'alarm'], 1, 10, 8],
          'circle-color': ['match', ['get', 'alarm'], 1, colors.alarm, colors.wait],
          'circle-stroke-color': colors.edge,
          'circle-stroke-width': 3,
        }}
      />
    </Source>
  )
}

interface MarkerProps {
  candidate: Candidate
  place: number
  chosen: boolean
  onChoose: (driver: string) => void
}

/** A candidate with its place in the list. */
function CandidateMarker({ candidate, place, chosen, onChoose }: MarkerProps) {
  const format = useFormat()
  const { marker, element } = useMarker(candidate, {})
  useAnimatedPosition(marker, candidate, undefined, false)
  useEffect(() => {
    element.style.zIndex = chosen ? '4' : '2'
  }, [element, chosen])
  return createPortal(
    // Keyboard users have the list next to the map instead.
    <button
      type="button"
      tabIndex={-1}
      className={classes.candidate}
      aria-pressed={chosen}
      data-soon={candidate.freeS > 0 || undefined}
      aria-label={`${place}, ${candidate.name}, ${format.duration(candidate.arrivalS)}`}
      onClick={(event) => {
        event.stopPropagation()
        onChoose(candidate.id)
      }}
    >
      {format.number(place)}
    </button>,
    element,
  )
}

const legend = ['free', 'asked', 'soon', 'busy', 'waiting', 'alarm'] as const

function Legend() {
  const { t, language } = useText()
  return (
    <ul className={classes.legend} dir={language.direction}>
      {legend.map((kind) => (
        <li key={kind}>
          <span className={classes.dot} data-kind={kind} aria-hidden />
          {t(`dispatch.legend_${kind}`)}
        </li>
      ))}
    </ul>
  )
}
