import type { LatLng } from '@hansom/domain/geo/point'
import { useColorScheme } from '../lib/color-scheme.ts'
import { useId, useMemo } from 'react'
import { Layer, Source } from './map-renderer.ts'
import { mapPalette } from './palette.ts'
import { firstLabelLayer } from './style.ts'

/** A way through the city, under the names of the streets. `faint` is for a way that is over. */
export function RouteLayer({ path, faint = false }: { path: LatLng[]; faint?: boolean }) {
  const palette = mapPalette(useColorScheme())
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
        beforeId={firstLabelLayer}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{
          'line-color': palette.routeCasing,
          'line-opacity': 0.9,
          'line-width': ['interpolate', ['linear'], ['zoom'], 10, 5, 15, 10, 18, 16],
        }}
      />
      <Layer
        id={`${id}-line`}
        type="line"
        beforeId={firstLabelLayer}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{
          'line-color': faint ? palette.routeDriven : palette.route,
          'line-width': ['interpolate', ['linear'], ['zoom'], 10, 3, 15, 6, 18, 10],
        }}
      />
    </Source>
  )
}
