import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { citySource, type MapPalette, type MapTheme, mapPalette } from './palette.ts'
import { labelLayers } from './style-labels.ts'
import { streetLayers } from './style-streets.ts'

const source = citySource

/**
 * Routes are inserted below this layer: above street names, which would be unreadable across a line, and below place
 * names.
 */
export const firstPlaceLayer = 'neighbourhood-name'

/** The zooms of tiles given as a template; a TileJSON has its own. */
const templateZooms = { minzoom: 8, maxzoom: 16 }

/**
 * The base map in one theme, from a TileJSON or a template with {z}, {x} and {y}. It deliberately has no glyphs URL: labels
 * use the page's fonts, which also shape Arabic, so no font tiles are needed.
 */
export function cityStyle(theme: MapTheme, tiles: string): StyleSpecification {
  const palette = mapPalette(theme)
  const where = tiles.includes('{z}') ? { tiles: [tiles], ...templateZooms } : { url: tiles }
  return {
    version: 8,
    sources: { [citySource]: { type: 'vector', ...where } },
    transition: { duration: 250, delay: 0 },
    layers: [...groundLayers(palette), ...streetLayers(palette), ...labelLayers(palette)],
  }
}

/** Land, parks, sand, water and buildings: everything below the streets. */
function groundLayers(palette: MapPalette): LayerSpecification[] {
  return [
    { id: 'background', type: 'background', paint: { 'background-color': palette.land } },
    area('land', 'land', [
      'match',
      ['get', 'kind'],
      'residential',
      palette.built,
      'industrial',
      palette.industry,
      'commercial',
      palette.industry,
      'institution',
      palette.institution,
      'airport',
      palette.airport,
      palette.land,
    ]),
    area('park', 'park', [
      'match',
      ['get', 'kind'],
      'forest',
      palette.forest,
      ['grass', 'golf', 'pitch', 'sport'],
      palette.grass,
      'cemetery',
      palette.cemetery,
      palette.park,
    ]),
    area('beach', 'beach', palette.beach),
    water(palette),
    shore(palette),
    stream(palette),
    {
      id: 'building',
      type: 'fill',
      source,
      'source-layer': 'building',
      minzoom: 14,
      paint: {
        'fill-color': palette.building,
        'fill-outline-color': palette.buildingEdge,
        'fill-opacity': ['interpolate', ['linear'], ['zoom'], 14, 0, 15, 1],
      },
    },
  ]
}

const isArea: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon']
const isLine: ExpressionSpecification = ['==', ['geometry-type'], 'LineString']

function area(id: string, layer: string, color: string | ExpressionSpecification): LayerSpecification {
  return {
    id,
    type: 'fill',
    source,
    'source-layer': layer,
    filter: isArea,
    paint: { 'fill-color': color, 'fill-antialias': true },
  }
}

/** Large areas are cut into parts, which are drawn without an outline. */
function water(palette: MapPalette): LayerSpecification {
  const edge: ExpressionSpecification = ['case', ['has', 'cut'], 'rgba(0, 0, 0, 0)', palette.water]
  return {
    id: 'water',
    type: 'fill',
    source,
    'source-layer': 'water',
    filter: isArea,
    paint: { 'fill-color': palette.water, 'fill-antialias': true, 'fill-outline-color': edge },
  }
}

/** A thin coastline separates water from parks of the same brightness. */
function shore(palette: MapPalette): LayerSpecification {
  return {
    id: 'shore',
    type: 'line',
    source,
    'source-layer': 'water',
    filter: ['all', isArea, ['!=', ['get', 'kind'], 'sea']],
    minzoom: 11,
    paint: {
      'line-color': palette.shore,
      'line-width': ['interpolate', ['linear'], ['zoom'], 11, 0.3, 16, 1],
    },
  }
}

function stream(palette: MapPalette): LayerSpecification {
  return {
    id: 'stream',
    type: 'line',
    source,
    'source-layer': 'water',
    filter: isLine,
    minzoom: 10,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': palette.water,
      'line-width': [
        'interpolate',
        ['exponential', 1.4],
        ['zoom'],
        10,
        ['match', ['get', 'kind'], 'river', 1, 0.3],
        16,
        ['match', ['get', 'kind'], 'river', 8, 3],
      ],
    },
  }
}
