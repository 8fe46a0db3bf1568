import type { LatLng } from '@hansom/domain/geo/point'
import { isOnFleetMap } from '@hansom/domain/users/eligibility'
import { useMemo, useState } from 'react'
import { useServerNow } from '../../lib/clock.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useLive } from '../../lib/live.ts'
import { useSettings } from '../../lib/settings.ts'
import { FleetMap } from '../../map/fleet-map.tsx'
import type { FleetCar, FleetFocus } from '../../map/fleet-map-props.ts'
import { hasWebGl } from '../../map/has-webgl.ts'
import { Skeleton } from '../../ui/page-states.tsx'
import { FleetList } from './fleet-list.tsx'
import classes from './fleet-panel.module.css'
import { LocationNotice } from './location-notice.tsx'
import { useLocation } from './use-location.ts'

/** Live map and list of the drivers online; a selection in one is shown in the other. */
export function FleetPanel() {
  const { t } = useText()
  const format = useFormat()
  const { region } = useSettings()
  const { cars, error } = useFleet()
  const { state, position, ask } = useLocation()
  const [selected, setSelected] = useState<string | null>(null)
  const [focus, setFocus] = useState<FleetFocus | null>(null)
  const here = position && isWithin(position, region.bounds) ? position : region.center
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
          <FleetMap
            cars={cars ?? []}
            center={here}
            selected={selected}
            focus={focus}
            onSelect={setSelected}
          />
        </div>
        {cars ? (
          <FleetList
            cars={cars}
            selected={selected}
            onSelect={(id) => {
              setSelected(id)
              setFocus({ id })
            }}
          />
        ) : (
          <div className={classes.side} role="status" aria-label={t('common.loading')}>
            <Skeleton height="100%" />
          </div>
        )}
      </div>
    </section>
  )
}

function isWithin({ lat, lng }: LatLng, [west, south, east, north]: readonly number[]): boolean {
  return (
    lng >= (west ?? Infinity) &&
    lng <= (east ?? -Infinity) &&
    lat >= (south ?? Infinity) &&
    lat <= (north ?? -Infinity)
  )
}

/** How often stale drivers are removed, ms. */
const lookMs = 30_000

/**
 * The active drivers with live positions, by name, without idle ones whose position is stale; undefined until loaded.
 * `error` is an error key.
 */
function useFleet(): { cars: readonly FleetCar[] | undefined; error: string | null } {
  const { data, error } = useLive('fleet')
  const now = useServerNow(lookMs)
  const cars = useMemo(
    () =>
      data
        ?.filter((car) => isOnFleetMap(car, now))
        .map(({ uid, queue, ...car }): FleetCar => ({ ...car, id: uid, busy: queue }))
        .sort((a, b) => a.name.localeCompare(b.name)),
    [data, now],
  )
  return { cars, error }
}
