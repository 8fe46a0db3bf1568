import type { LatLng } from '@hansom/domain/geo/point'
import { useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { FleetMap } from '../../map/fleet-map.tsx'
import type { FleetFocus } from '../../map/fleet-map-props.ts'
import { hasWebGl } from '../../map/has-webgl.ts'
import { Skeleton } from '../../ui/page-states.tsx'
import classes from './fleet-panel.module.css'
import { FleetList } from './fleet-list.tsx'
import { LocationNotice } from './location-notice.tsx'
import { useFleet } from './use-fleet.ts'
import { useLocation } from './use-location.ts'

/** The live map of the drivers who are out, with the list of them; whoever is chosen in one is shown in the other. */
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
