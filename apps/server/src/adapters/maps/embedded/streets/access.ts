import type { Tags } from '../source/map-source.ts'

/**
 * Where cars may drive, from GraphHopper's car profile (CarAccessParser, 2026) and the OpenStreetMap wiki. Conditions
 * by time or weight are ignored.
 */
const streetClasses = new Set([
  'motorway',
  'motorway_link',
  'trunk',
  'trunk_link',
  'primary',
  'primary_link',
  'secondary',
  'secondary_link',
  'tertiary',
  'tertiary_link',
  'unclassified',
  'residential',
  'living_street',
  'service',
  'road',
  'track',
  'pedestrian',
])

/** From special to general: the first key with a known value decides. */
const accessKeys = ['motorcar', 'motor_vehicle', 'vehicle', 'access'] as const

const open = new Set(['yes', 'designated', 'official', 'permissive', 'destination'])

/** A trip may begin or end here, but not pass through. */
const openToVisitors = new Set(['private', 'permit', 'service'])

const closed = new Set([
  'no',
  'restricted',
  'military',
  'emergency',
  'agricultural',
  'forestry',
  'delivery',
  ...openToVisitors,
])

const barriersToCars = new Set([
  'kissing_gate',
  'fence',
  'bollard',
  'stile',
  'turnstile',
  'cycle_barrier',
  'motorcycle_barrier',
  'block',
  'bus_trap',
  'sump_buster',
  'jersey_barrier',
])

const drivenTrackGrades = new Set([undefined, 'grade1', 'grade2', 'grade3'])

/** The directions open to cars. On a private way, a trip can only begin or end. */
export interface CarAccess {
  forward: boolean
  backward: boolean
  isPrivate: boolean
}

export const isFerry = ({ route, ferry }: Tags): boolean => route === 'ferry' && ferry !== 'no'

/** Null if no car may drive on the way. */
export function carAccess(tags: Tags): CarAccess | null {
  const permission = permissionOf(tags)
  if (tags.highway === undefined) {
    const isOpen =
      permission === 'open' || tags.hgv === 'yes' || (!saysAnything(tags) && !tags.foot && !tags.bicycle)
    return isFerry(tags) && isOpen ? { forward: true, backward: true, isPrivate: false } : null
  }
  if (!streetClasses.has(tags.highway) || tags.area === 'yes') return null
  if (tags.highway === 'pedestrian' && permission !== 'open') return null
  if (tags.highway === 'service' && tags.service === 'emergency_access') return null
  if (tags.highway === 'track' && !drivenTrackGrades.has(tags.tracktype)) return null
  if (tags.impassable === 'yes' || tags.status === 'impassable' || permission === 'closed') return null
  const { forward, backward } = directions(tags)
  return forward || backward ? { forward, backward, isPrivate: permission === 'visitors' } : null
}

/** Whether a node with these tags stops cars that drive along its way. */
export function stopsCars(tags: Tags): boolean {
  const values = valuesOf(accessKeys.map((key) => tags[key]).find((known) => known !== undefined))
  const allowing = values.filter((value) => open.has(value))
  if (allowing.length > 0) return tags.locked === 'yes' && allowing.every((value) => value === 'destination')
  if (values.some((value) => closed.has(value))) return true
  return tags.locked === 'yes' || barriersToCars.has(tags.barrier ?? '')
}

const saysAnything = (tags: Tags) => accessKeys.some((key) => tags[key] !== undefined)

/** The permission for the entire way or, with a suffix such as `:forward`, for one direction. */
function permissionOf(tags: Tags, suffix = ''): 'open' | 'visitors' | 'closed' | null {
  for (const key of accessKeys) {
    const tag = tags[key + suffix]
    if (tag === undefined) continue
    const values = valuesOf(tag)
    if (values.some((value) => open.has(value))) return 'open'
    if (values.some((value) => openToVisitors.has(value))) return 'visitors'
    if (values.some((value) => closed.has(value))) return 'closed'
  }
  return null
}

const valuesOf = (tag = '') => tag.split(';').map((value) => value.trim())

const oneWay = new Set(['yes', 'true', '1'])

function directions(tags: Tags): { forward: boolean; backward: boolean } {
  const isClosed = (direction: string) =>
    ['closed', 'visitors'].includes(permissionOf(tags, `:${direction}`) ?? '')
  const special = tags['oneway:motorcar'] ?? tags['oneway:motor_vehicle'] ?? tags['oneway:vehicle']
  const isRoundabout = tags.junction === 'roundabout' || tags.junction === 'circular'
  const rule = special ?? tags.oneway ?? (tags.highway === 'motorway' ? 'yes' : 'no')
  // Like GraphHopper, `reversible` and `alternating` leave both directions open.
  const isReversed = rule === '-1'
  const isForwardOnly = isRoundabout || oneWay.has(rule)
  return {
    forward: !isReversed && !isClosed('forward'),
    backward: (isReversed || !isForwardOnly) && !isClosed('backward'),
  }
}
