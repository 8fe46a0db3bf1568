import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import type { LatLng } from '@hansom/domain/geo/point'
import { IconMapPin, IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, lazy, useCallback, useDeferredValue, useEffect, useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import type { FleetCar } from '../../map/fleet-layer.tsx'
import type { FleetFocus } from '../../map/fleet-map.tsx'
import { hasWebGl, MapFrame } from '../../map/map-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/page-states.tsx'
import { PhoneLink } from '../../ui/phone-link.tsx'
import { FleetList } from './fleet-list.tsx'
import classes from './fleet-panel.module.css'
import { useFleet } from './use-fleet.ts'

/** Live map and list of the drivers online; a selection in one is shown in the other. */
export function FleetPanel() {
  const { t } = useText()
  const format = useFormat()
  const { cars: latest, error } = useFleet()
  // React then renders thousands of moves in slices, between frames.
  const cars = useDeferredValue(latest)
  const { state, position, ask } = useLocation()
  const [selected, setSelected] = useState<string | null>(null)
  const [focus, setFocus] = useState<FleetFocus | null>(null)
  const choose = useCallback((id: string) => {
    setSelected(id)
    setFocus({ id })
  }, [])
  return (
    <section className={classes.panel} aria-labelledby="fleet-title">
      <div className={classes.head}>
        <h2 id="fleet-title" className={classes.title}>
          {t('dashboard.drivers_out')}
        </h2>
        {cars ? <span className={classes.count}>{format.number(cars.length)}</span> : null}
      </div>
      <LocationNotice state={state} onAsk={ask} />
      {error ? (
        <p className={classes.none} role="alert">
          {t(`error.${error}` as string)}
        </p>
      ) : null}
      <div className={classes.split}>
        <div className={classes.map} data-none={!hasWebGl() || undefined}>
          {cars ? (
            <FleetMap
              cars={cars}
              here={position}
              details={detailsOf}
              selected={selected}
              focus={focus}
              onSelect={setSelected}
            />
          ) : null}
        </div>
        {cars ? (
          <FleetList cars={cars} selected={selected} onSelect={choose} />
        ) : (
          <output className={classes.side} aria-label={t('common.loading')}>
            <Skeleton height="100%" />
          </output>
        )}
      </div>
    </section>
  )
}

const detailsOf = (car: FleetCar) => <CarLinks car={car} />

/** Links from a car's card: the driver's number, the trip, the driver and the dispatch screen. */
export function CarLinks({ car }: { car: FleetCar }) {
  const { t } = useText()
  const me = useMe()
  const { data } = useQuery({
    ...orpc.bookings.list.queryOptions({ input: { driver: car.id, status: 'open', limit: 1 } }),
    enabled: car.busy,
  })
  const trip = car.busy ? data?.items[0] : undefined
  // Asked for when the card opens: the map's cars have no contacts.
  const { data: driver } = useQuery(orpc.users.get.queryOptions({ input: { id: car.id } }))
  return (
    <span className={classes.links}>
      {driver?.mobile && driver.mobile !== hiddenForDemo ? (
        <span className={classes.call}>
          <PhoneLink phone={driver.mobile} icon={<IconPhone size={16} stroke={1.8} aria-hidden />} />
        </span>
      ) : null}
      {trip ? (
        <Link to="/trip/$id" params={{ id: trip.id }}>
          {t('dashboard.driver_trip')}
        </Link>
      ) : null}
      <Link to="/drivers" search={{ open: car.id }}>
        {t('dashboard.driver_details')}
      </Link>
      {me?.usertype === 'admin' ? <Link to="/dispatch">{t('dispatch.title')}</Link> : null}
    </span>
  )
}

const FleetMapLayers = lazy(() => import('../../map/fleet-map.tsx'))

/** All cars on duty, live. An accessible list of them is next to the map. */
function FleetMap(props: Omit<ComponentProps<typeof FleetMapLayers>, 'onFail'>) {
  const { t } = useText()
  return (
    <MapFrame
      label={t('map.fleet')}
      items={[]}
      render={(onFail) => <FleetMapLayers {...props} onFail={onFail} />}
    />
  )
}

/** `asked`: the browser would prompt; `refused`: denied, or unsupported. */
export type LocationState = 'unknown' | 'asked' | 'refused' | 'allowed'

/** The user's location. The browser prompts only when `ask` is called, unless it was allowed before. */
export function useLocation(): { state: LocationState; position: LatLng | null; ask: () => void } {
  const [state, setState] = useState<LocationState>('unknown')
  const [position, setPosition] = useState<LatLng | null>(null)

  const ask = useCallback(() => {
    if (!('geolocation' in navigator)) return setState('refused')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setPosition({ lat: coords.latitude, lng: coords.longitude })
        setState('allowed')
      },
      () => setState('refused'),
      { timeout: 10_000, maximumAge: 600_000 },
    )
  }, [])

  useEffect(() => {
    let gone = false
    const look = async () => {
      const permission = await navigator.permissions?.query({ name: 'geolocation' })
      if (gone || !permission) return
      if (permission.state === 'granted') ask()
      else setState(permission.state === 'denied' ? 'refused' : 'asked')
    }
    if (!('geolocation' in navigator)) setState('refused')
    else if (!('permissions' in navigator)) setState('asked')
    else look().catch(() => setState('asked'))
    return () => {
      gone = true
    }
  }, [ask])

  return { state, position, ask }
}

/** Tells the user that their location is unknown, and how to allow it. */
function LocationNotice({ state, onAsk }: { state: LocationState; onAsk: () => void }) {
  const { t } = useText()
  if (state !== 'asked' && state !== 'refused') return null
  return (
    <output className={classes.location}>
      <IconMapPin size={20} stroke={1.7} aria-hidden />
      <span>{t(state === 'asked' ? 'dashboard.allow_location' : 'dashboard.location_refused')}</span>
      {state === 'asked' ? (
        <Button size="small" onClick={onAsk}>
          {t('dashboard.allow')}
        </Button>
      ) : null}
    </output>
  )
}
