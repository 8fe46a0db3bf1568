import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { ExpressionSpecification } from 'maplibre-gl'
import { useEffect, useId, useMemo, useState } from 'react'
import { labelAnchor, useMapTheme } from './base-map.ts'
import { Layer, Source, useMap } from './map-renderer.ts'
import { mapPalette } from './palette.ts'

/** `route`: a route ahead or a completed trip; `behind`: the part already driven; `planned`: planned only. */
export type RouteLook = 'route' | 'behind' | 'planned'

/** In line widths; with round caps these dashes are dots. */
const dashes = [0.1, 2]
const width = {
  casing: ['interpolate', ['linear'], ['zoom'], 10, 5, 15, 10, 18, 16],
  line: ['interpolate', ['linear'], ['zoom'], 10, 3, 15, 6, 18, 10],
  planned: ['interpolate', ['linear'], ['zoom'], 10, 2, 15, 3.5, 18, 6],
} as const satisfies Record<string, ExpressionSpecification>

/** A route on the map, drawn below the place names. */
export function RouteLayer({ path, look = 'route' }: { path: LatLng[]; look?: RouteLook }) {
  const palette = mapPalette(useMapTheme())
  const anchor = useLabelAnchor()
  const isPlanned = look === 'planned'
  const id = `route-${useId()}`
  const data = useMemo(
    () => ({
      type: 'Feature' as const,
      properties: {},
      geometry: { type: 'LineString' as const, coordinates: path.map(({ lat, lng }) => [lng, lat]) },
    }),
    [path],
  )
  if (path.length < 2) return null
  return (
    <Source id={id} type="geojson" data={data}>
      <Layer
        id={`${id}-casing`}
        type="line"
        {...(anchor ? { beforeId: anchor } : {})}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{
          'line-color': palette.routeCasing,
          'line-opacity': isPlanned ? 0 : 0.9,
          'line-width': width.casing,
        }}
      />
      <Layer
        id={`${id}-line`}
        type="line"
        {...(anchor ? { beforeId: anchor } : {})}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{
          'line-color': look === 'route' ? palette.route : palette.routeDriven,
          'line-width': isPlanned ? width.planned : width.line,
          ...(isPlanned ? { 'line-dasharray': dashes } : {}),
        }}
      />
    </Source>
  )
}

/** The layer below which routes are drawn; changes with the style. */
function useLabelAnchor(): string | undefined {
  const { current: map } = useMap()
  const [anchor, setAnchor] = useState<string>()
  useEffect(() => {
    if (!map) return
    const look = () => setAnchor(labelAnchor(map.getMap()))
    look()
    map.on('style.load', look)
    return () => {
      map.off('style.load', look)
    }
  }, [map])
  return anchor
}

/** A place within this distance (km) counts as on the street. */
const onStreetKm = 0.008

/** Dotted line between a place off the street and the start or end of the route. */
export function WalkingLeg({ place, street }: { place: LatLng; street: LatLng | undefined }) {
  const path = useMemo(() => {
    return street && greatCircleKm(place, street) > onStreetKm ? [place, street] : []
  }, [place, street])
  return <RouteLayer path={path} look="planned" />
}
