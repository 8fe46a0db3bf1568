import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { useMemo } from 'react'
import { RouteLayer } from './route-layer.tsx'

/** A place within this distance (km) counts as on the street. */
const onStreetKm = 0.008

/** Dotted line between a place off the street and the start or end of the route. */
export function WalkingLeg({ place, street }: { place: LatLng; street: LatLng | undefined }) {
  const path = useMemo(() => {
    return street && greatCircleKm(place, street) > onStreetKm ? [place, street] : []
  }, [place, street])
  return <RouteLayer path={path} look="planned" />
}
