import type { StyleSpecification } from 'maplibre-gl'
import { type MapTheme, mapPalette } from './palette.ts'
import { citySource, groundLayers } from './style-ground.ts'
import { labelLayers } from './style-labels.ts'
import { streetLayers } from './style-streets.ts'

/**
 * Routes are inserted below this layer: above street names, which would be unreadable across a line, and below place
 * names.
 */
export const firstPlaceLayer = 'neighbourhood-name'

/**
 * The base map in one theme. It deliberately has no glyphs URL: labels use the page's fonts, which also shape Arabic,
 * so no font tiles are needed.
 */
export function cityStyle(theme: MapTheme, tileJsonUrl: string): StyleSpecification {
  const palette = mapPalette(theme)
  return {
    version: 8,
    sources: { [citySource]: { type: 'vector', url: tileJsonUrl } },
    transition: { duration: 250, delay: 0 },
    layers: [...groundLayers(palette), ...streetLayers(palette), ...labelLayers(palette)],
  }
}
