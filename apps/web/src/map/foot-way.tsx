import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { useMemo } from 'react'
import { RouteLayer } from './route-layer.tsx'

/** Nearer than this (km) a place lies on the street. */
const onStreetKm = 0.008

/** Dots from a place beside the street to where the way begins or ends. */
export function FootWay({ place, street }: { place: LatLng; street: LatLng | undefined }) {
  const path = useMemo(() => {
    return street && greatCircleKm(place, street) > onStreetKm ? [place, street] : []
  }, [place, street])
  return <RouteLayer path={path} look="planned" />
}
