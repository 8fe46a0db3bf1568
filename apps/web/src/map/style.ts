import type { StyleSpecification } from 'maplibre-gl'
import { citySource } from './city-source.ts'
import { type MapTheme, mapPalette } from './palette.ts'
import { groundLayers } from './style-ground.ts'
import { labelLayers } from './style-labels.ts'
import { streetLayers } from './style-streets.ts'

/** Ways are put before it: above the names of streets, which could not be read across a line, below those of places. */
export const firstPlaceLayer = 'neighbourhood-name'

/**
 * The base map in one theme. There is no glyphs address on purpose: names are drawn with the fonts of the page,
 * which also shape Arabic, so that no font tiles have to be served.
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
