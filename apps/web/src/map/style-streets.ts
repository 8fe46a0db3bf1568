import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import type { MapPalette } from './palette.ts'
import { citySource } from './palette.ts'

const source = citySource

/** Style of a street class: width in px at zooms 10, 14 and 18, and minimum zoom. */
interface StreetLook {
  id: string
  classes: string[]
  minzoom: number
  widths: [number, number, number]
  fill: keyof MapPalette
  casing: keyof MapPalette
}

const looks: StreetLook[] = [
  look('service', ['service'], 14, [0, 1.2, 9], 'street', 'streetCasing'),
  look('residential', ['residential'], 11.5, [0.4, 2.6, 18], 'street', 'streetCasing'),
  look('tertiary', ['tertiary'], 10.5, [0.7, 4, 22], 'street', 'streetCasing'),
  look('secondary', ['secondary'], 9, [1, 5, 25], 'main', 'mainCasing'),
  look('primary', ['primary'], 8, [1.4, 6, 27], 'main', 'mainCasing'),
  look('artery', ['motorway', 'trunk'], 8, [1.8, 6.5, 28], 'artery', 'arteryCasing'),
]

/**
 * Streets from minor to major, all casings below all fills so that intersections stay open, then railways and
 * footpaths. Links are thinner, tunnels fainter.
 */
export function streetLayers(palette: MapPalette): LayerSpecification[] {
  return [
    runway(palette),
    pier(palette),
    footpath(palette),
    ...looks.map((street) => line(street, palette, true)),
    ...looks.map((street) => line(street, palette, false)),
    ...railLayers(palette),
    oneWayArrows(palette),
  ]
}

function look(
  id: string,
  classes: string[],
  minzoom: number,
  widths: StreetLook['widths'],
  fill: keyof MapPalette,
  casing: keyof MapPalette,
): StreetLook {
  return { id, classes, minzoom, widths, fill, casing }
}

function line(street: StreetLook, palette: MapPalette, casing: boolean): LayerSpecification {
  return {
    id: `street-${street.id}${casing ? '-casing' : ''}`,
    type: 'line',
    source,
    'source-layer': 'road',
    filter: ofClass(street.classes),
    // From afar, only main roads have a casing: without one, they would not show on bright ground.
    minzoom: casing && street.minzoom > 9 ? Math.max(street.minzoom, 11) : street.minzoom,
    layout: { 'line-cap': casing ? 'butt' : 'round', 'line-join': 'round' },
    paint: {
      'line-color': palette[casing ? street.casing : street.fill],
      'line-width': width(street.widths, casing ? 1.6 : 0),
      'line-opacity': ['case', ['==', ['get', 'tunnel'], 1], 0.5, 1],
    },
  }
}

/** Width by zoom; `edge` px are added for the casing, less where the street itself is thin. */
function width([far, city, near]: StreetLook['widths'], edge: number): ExpressionSpecification {
  const link = (px: number): ExpressionSpecification => ['case', ['==', ['get', 'link'], 1], px * 0.6, px]
  return [
    'interpolate',
    ['exponential', 1.5],
    ['zoom'],
    10,
    link(far + edge * 0.4),
    14,
    link(city + edge),
    18,
    link(near + edge * 1.4),
  ]
}

function ofClass(classes: string[]): FilterSpecification {
  return ['match', ['get', 'class'], classes, true, false]
}

function footpath(palette: MapPalette): LayerSpecification {
  return {
    id: 'path',
    type: 'line',
    source,
    'source-layer': 'road',
    filter: ofClass(['path']),
    minzoom: 15,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': palette.path,
      'line-width': ['interpolate', ['linear'], ['zoom'], 15, 0.8, 18, 2],
      'line-dasharray': [1.5, 2],
    },
  }
}

function pier(palette: MapPalette): LayerSpecification {
  return {
    id: 'pier',
    type: 'line',
    source,
    'source-layer': 'road',
    filter: ofClass(['pier']),
    minzoom: 12,
    paint: {
      'line-color': palette.land,
      'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], 12, 1, 18, 12],
    },
  }
}

function runway(palette: MapPalette): LayerSpecification {
  return {
    id: 'runway',
    type: 'line',
    source,
    'source-layer': 'road',
    filter: ofClass(['runway']),
    minzoom: 10,
    paint: {
      'line-color': palette.streetCasing,
      'line-width': ['interpolate', ['exponential', 1.6], ['zoom'], 10, 1.5, 16, 40],
    },
  }
}

function railLayers(palette: MapPalette): LayerSpecification[] {
  const base = { type: 'line', source, 'source-layer': 'rail', minzoom: 11 } as const
  return [
    {
      ...base,
      id: 'rail',
      paint: {
        'line-color': palette.rail,
        'line-opacity': ['match', ['get', 'kind'], 'disused', 0.45, 1],
        'line-width': ['interpolate', ['linear'], ['zoom'], 11, 0.6, 14, 1.4, 18, 3],
      },
    },
    {
      ...base,
      id: 'rail-ties',
      minzoom: 14,
      paint: {
        'line-color': palette.railTies,
        'line-width': ['interpolate', ['linear'], ['zoom'], 14, 0.7, 18, 1.6],
        'line-dasharray': [5, 5],
      },
    },
  ]
}

function oneWayArrows(palette: MapPalette): LayerSpecification {
  return {
    id: 'one-way',
    type: 'symbol',
    source,
    'source-layer': 'road',
    filter: ['all', ['==', ['get', 'oneway'], 1], ['!=', ['get', 'class'], 'path']],
    minzoom: 16,
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 180,
      'text-field': '›',
      'text-font': ['Inter Variable', 'Vazirmatn Variable'],
      'text-size': 16,
      'text-keep-upright': false,
      'text-rotation-alignment': 'map',
      'text-padding': 0,
    },
    paint: { 'text-color': palette.labelFaint, 'text-opacity': 0.8 },
  }
}
