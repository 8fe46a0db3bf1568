import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import type { MapPalette } from './palette.ts'
import { citySource } from './palette.ts'

const source = citySource

/**
 * The first entry of each font list is not a font family: the renderer parses the weight from it, and the browser falls
 * back to the families that follow.
 */
const regular = ['Inter Variable', 'Vazirmatn Variable']
const medium = ['Weight Medium', ...regular]
const semibold = ['Weight semibold', ...regular]

/** Names of streets, water, parks and places, and house numbers; important ones are placed first. */
export function labelLayers(palette: MapPalette): LayerSpecification[] {
  return [
    houseNumber(palette),
    streetName(palette),
    areaName('water-name', 'water', palette.waterLabel, palette.water, 12),
    areaName('park-name', 'park', palette.parkLabel, palette.halo, 14),
    poiName(palette),
    ...placeNames(palette),
  ]
}

function streetName(palette: MapPalette): LayerSpecification {
  const size = (minor: number, major: number): ExpressionSpecification => [
    'match',
    ['get', 'class'],
    ['motorway', 'trunk', 'primary', 'secondary'],
    major,
    minor,
  ]
  return {
    id: 'street-name',
    type: 'symbol',
    source,
    'source-layer': 'road',
    minzoom: 12.5,
    filter: [
      'all',
      ['has', 'name'],
      [
        'step',
        ['zoom'],
        ['match', ['get', 'class'], ['motorway', 'trunk', 'primary', 'secondary'], true, false],
        14,
        ['match', ['get', 'class'], ['path', 'service', 'residential'], false, true],
        15,
        ['match', ['get', 'class'], ['path', 'service'], false, true],
        16.5,
        true,
      ],
    ],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 320,
      'text-field': ['get', 'name'],
      'text-font': medium,
      'text-size': ['interpolate', ['linear'], ['zoom'], 13, size(9.5, 10.5), 17, size(12.5, 14)],
      'text-max-angle': 32,
      'text-padding': 6,
      'text-letter-spacing': 0.01,
      'symbol-sort-key': [
        'match',
        ['get', 'class'],
        'motorway',
        0,
        'trunk',
        1,
        'primary',
        2,
        'secondary',
        3,
        'tertiary',
        4,
        5,
      ],
    },
    paint: { 'text-color': palette.label, 'text-halo-color': palette.halo, 'text-halo-width': 1.6 },
  }
}

function areaName(
  id: string,
  layer: string,
  color: string,
  halo: string,
  minzoom: number,
): LayerSpecification {
  return {
    id,
    type: 'symbol',
    source,
    'source-layer': layer,
    minzoom,
    filter: ['all', ['has', 'name'], ['==', ['geometry-type'], 'Polygon']],
    layout: {
      'text-field': ['get', 'name'],
      'text-font': medium,
      'text-size': 11.5,
      'text-max-width': 7,
      'text-padding': 12,
    },
    paint: { 'text-color': color, 'text-halo-color': halo, 'text-halo-width': 1.4 },
  }
}

function poiName(palette: MapPalette): LayerSpecification {
  return {
    id: 'poi-name',
    type: 'symbol',
    source,
    'source-layer': 'poi',
    minzoom: 15,
    filter: ['step', ['zoom'], ['<=', ['get', 'rank'], 3], 16, ['<=', ['get', 'rank'], 6], 17, true],
    layout: {
      'text-field': ['get', 'name'],
      'text-font': regular,
      'text-size': 11,
      'text-max-width': 8,
      'text-padding': 10,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: { 'text-color': palette.labelFaint, 'text-halo-color': palette.halo, 'text-halo-width': 1.4 },
  }
}

function placeNames(palette: MapPalette): LayerSpecification[] {
  const base = { type: 'symbol', source, 'source-layer': 'place' } as const
  const halo = { 'text-halo-color': palette.halo, 'text-halo-width': 1.8 }
  const ofKind = (...kinds: string[]): FilterSpecification => ['match', ['get', 'kind'], kinds, true, false]
  return [
    {
      ...base,
      id: 'neighbourhood-name',
      minzoom: 12.5,
      maxzoom: 17,
      filter: ofKind('quarter', 'neighbourhood', 'hamlet'),
      layout: {
        'text-field': ['get', 'name'],
        'text-font': medium,
        'text-size': ['interpolate', ['linear'], ['zoom'], 12, 10.5, 16, 13],
        'text-max-width': 7,
        'text-padding': 8,
        'symbol-sort-key': ['get', 'rank'],
      },
      paint: { 'text-color': palette.labelFaint, ...halo },
    },
    {
      ...base,
      id: 'suburb-name',
      minzoom: 11,
      maxzoom: 16,
      filter: ofKind('suburb', 'village'),
      layout: {
        'text-field': ['get', 'name'],
        'text-font': semibold,
        'text-size': ['interpolate', ['linear'], ['zoom'], 11, 10.5, 15, 15],
        'text-max-width': 7,
        'text-padding': 10,
        'symbol-sort-key': ['get', 'rank'],
      },
      paint: { 'text-color': palette.label, ...halo },
    },
    {
      ...base,
      id: 'town-name',
      maxzoom: 15,
      filter: ofKind('town'),
      layout: {
        'text-field': ['get', 'name'],
        'text-font': semibold,
        'text-size': ['interpolate', ['linear'], ['zoom'], 8, 11, 14, 16],
        'text-padding': 10,
        'symbol-sort-key': ['get', 'rank'],
      },
      paint: { 'text-color': palette.labelStrong, ...halo },
    },
    {
      ...base,
      id: 'city-name',
      // At higher zooms the suburbs give orientation, and a route through the city needs the space.
      maxzoom: 10.6,
      filter: ofKind('city'),
      layout: {
        'text-field': ['get', 'name'],
        'text-font': semibold,
        'text-size': ['interpolate', ['linear'], ['zoom'], 8, 14, 10.6, 17],
        'text-padding': 10,
        'symbol-sort-key': ['get', 'rank'],
      },
      paint: { 'text-color': palette.labelStrong, ...halo },
    },
  ]
}

function houseNumber(palette: MapPalette): LayerSpecification {
  return {
    id: 'house-number',
    type: 'symbol',
    source,
    'source-layer': 'housenumber',
    minzoom: 17,
    layout: { 'text-field': ['get', 'number'], 'text-font': regular, 'text-size': 10, 'text-padding': 4 },
    paint: { 'text-color': palette.labelFaint, 'text-halo-color': palette.halo, 'text-halo-width': 1 },
  }
}
