import type { Tags } from './map-source.ts'

/**
 * Tags whose closed ways are areas; the listed values are lines all the same. See
 * https://wiki.openstreetmap.org/wiki/Area
 */
const areaKeys: Record<string, readonly string[]> = {
  aeroway: ['runway', 'taxiway'],
  amenity: [],
  boundary: [],
  building: ['no'],
  craft: [],
  healthcare: [],
  historic: ['citywalls'],
  landuse: [],
  leisure: ['track', 'slipway'],
  man_made: ['cutline', 'embankment', 'pipeline', 'breakwater', 'dyke'],
  military: ['trench'],
  natural: ['coastline', 'cliff', 'ridge', 'arete', 'tree_row', 'valley', 'earth_bank'],
  office: [],
  place: [],
  shop: [],
  tourism: [],
}

/** Waterways are lines, except these. */
const waterAreas = new Set(['riverbank', 'dock', 'boatyard', 'fuel'])

/** Whether a closed way with these tags is an area. */
export function isArea(tags: Tags): boolean {
  if (tags.area !== undefined) return tags.area === 'yes'
  if (tags.highway || tags.barrier || tags.route) return false
  if (waterAreas.has(tags.waterway ?? '')) return true
  for (const key in areaKeys) {
    const value = tags[key]
    if (value !== undefined && !areaKeys[key]?.includes(value)) return true
  }
  return false
}
