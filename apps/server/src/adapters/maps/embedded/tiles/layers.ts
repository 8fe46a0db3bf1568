import type { SourceFeature } from '../source/map-source.ts'

export const layerNames = [
  'land',
  'park',
  'water',
  'beach',
  'building',
  'rail',
  'road',
  'place',
  'poi',
  'housenumber',
] as const
export type LayerName = (typeof layerNames)[number]

/** How a feature is drawn: layer, minimum zoom level, and the attributes for the style. */
export interface DrawStyle {
  layer: LayerName
  minZoom: number
  attributes: Record<string, string | number>
}

type Kinds = Record<string, Record<string, [kind: string, minZoom: number]>>

const roads: Record<string, [roadClass: string, minZoom: number]> = {
  motorway: ['motorway', 8],
  trunk: ['trunk', 8],
  primary: ['primary', 8],
  secondary: ['secondary', 9],
  tertiary: ['tertiary', 11],
  unclassified: ['residential', 12],
  residential: ['residential', 12],
  living_street: ['residential', 13],
  road: ['residential', 13],
  pedestrian: ['path', 13],
  service: ['service', 14],
  track: ['path', 14],
  footway: ['path', 14],
  path: ['path', 14],
  cycleway: ['path', 14],
  steps: ['path', 16],
}

const lines: Record<'rail' | 'road' | 'water', Kinds> = {
  rail: { railway: { rail: ['rail', 10], disused: ['disused', 14] } },
  road: { aeroway: { runway: ['runway', 11], taxiway: ['runway', 13] }, man_made: { pier: ['pier', 13] } },
  water: {
    waterway: {
      river: ['river', 10],
      canal: ['stream', 12],
      stream: ['stream', 13],
      drain: ['stream', 15],
      ditch: ['stream', 15],
    },
  },
}

/** The first layer with a matching tag wins. */
const areas: [LayerName, Kinds][] = [
  [
    'water',
    {
      natural: { water: ['lake', 9] },
      waterway: { riverbank: ['river', 9] },
      leisure: { swimming_pool: ['pool', 16] },
    },
  ],
  [
    'beach',
    {
      natural: { beach: ['beach', 10], sand: ['sand', 11], bare_rock: ['rock', 13] },
      man_made: { breakwater: ['rock', 11], pier: ['rock', 13] },
    },
  ],
  [
    'park',
    {
      leisure: {
        park: ['park', 10],
        garden: ['garden', 13],
        golf_course: ['golf', 10],
        pitch: ['pitch', 14],
        playground: ['pitch', 15],
        sports_centre: ['sport', 13],
        stadium: ['sport', 12],
        recreation_ground: ['park', 12],
      },
      natural: {
        wetland: ['wetland', 11],
        grassland: ['grass', 12],
        wood: ['forest', 11],
        scrub: ['forest', 12],
      },
      landuse: {
        cemetery: ['cemetery', 11],
        forest: ['forest', 10],
        recreation_ground: ['park', 12],
        grass: ['grass', 13],
        meadow: ['grass', 12],
        village_green: ['grass', 13],
        plant_nursery: ['grass', 13],
        allotments: ['grass', 13],
      },
      place: { square: ['park', 13] },
    },
  ],
  [
    'land',
    {
      aeroway: { aerodrome: ['airport', 9], apron: ['airport', 13] },
      amenity: {
        university: ['institution', 13],
        hospital: ['institution', 13],
        school: ['institution', 14],
        college: ['institution', 14],
      },
      landuse: {
        residential: ['residential', 10],
        industrial: ['industrial', 11],
        railway: ['industrial', 13],
        garages: ['industrial', 14],
        military: ['institution', 12],
        commercial: ['commercial', 12],
        retail: ['commercial', 13],
      },
    },
  ],
]

const settlements: Record<string, [rank: number, minZoom: number]> = {
  city: [1, 8],
  town: [2, 8],
  village: [3, 10],
  suburb: [3, 11],
  quarter: [4, 12],
  hamlet: [4, 12],
  neighbourhood: [5, 13],
}

/** How a feature is drawn on the base map, or null if it is not. Points of interest are handled separately. */
export function drawStyle({ tags, shape }: SourceFeature): DrawStyle | null {
  if (shape === 'point') return drawnPlace(tags)
  return shape === 'line' ? drawnLine(tags) : drawnArea(tags)
}

function drawnPlace(tags: Record<string, string>): DrawStyle | null {
  const settlement = settlements[tags.place ?? '']
  if (!settlement || !tags.name) return null
  const [rank, minZoom] = settlement
  return { layer: 'place', minZoom, attributes: { name: tags.name, kind: tags.place as string, rank } }
}

function drawnLine(tags: Record<string, string>): DrawStyle | null {
  const highway = tags.highway?.replace('_link', '') ?? ''
  const road = roads[highway]
  if (road) {
    const [roadClass, minZoom] = road
    const oneway = tags.oneway ?? (tags.junction === 'roundabout' || highway === 'motorway' ? 'yes' : 'no')
    return {
      layer: 'road',
      minZoom,
      attributes: {
        class: roadClass,
        ...named(tags),
        ...(tags.ref ? { ref: tags.ref } : {}),
        oneway: oneway === 'yes' || oneway === '-1' ? 1 : 0,
        link: tags.highway?.endsWith('_link') ? 1 : 0,
        bridge: tags.bridge && tags.bridge !== 'no' ? 1 : 0,
        tunnel: tags.tunnel && tags.tunnel !== 'no' ? 1 : 0,
      },
    }
  }
  for (const [layer, kinds] of Object.entries(lines) as [LayerName, Kinds][]) {
    const found = kindOf(kinds, tags)
    if (!found) continue
    if (layer === 'road') return { layer, minZoom: found[1], attributes: { class: found[0] } }
    return { layer, minZoom: found[1], attributes: { kind: found[0], ...named(tags) } }
  }
  return null
}

function drawnArea(tags: Record<string, string>): DrawStyle | null {
  if (tags.building && tags.building !== 'no') return { layer: 'building', minZoom: 14, attributes: {} }
  for (const [layer, kinds] of areas) {
    const found = kindOf(kinds, tags)
    if (found)
      return {
        layer,
        minZoom: found[1],
        attributes: { kind: found[0], ...(layer === 'park' ? named(tags) : {}) },
      }
  }
  return null
}

function kindOf(kinds: Kinds, tags: Record<string, string>): [string, number] | undefined {
  for (const key in kinds) {
    const found = kinds[key]?.[tags[key] ?? '']
    if (found) return found
  }
  return undefined
}

function named(tags: Record<string, string>): { name: string } | undefined {
  return tags.name ? { name: tags.name } : undefined
}
