/** Speeds of a car on a way in km/h per direction, zero where it may not drive. */
export interface CarUse {
  forwardKmh: number
  backwardKmh: number
}

/** km/h assumed where the data has no `maxspeed`: the city's limits, lower where traffic never reaches them. */
const usualKmh: Record<string, number> = {
  motorway: 90,
  motorway_link: 60,
  trunk: 75,
  trunk_link: 50,
  primary: 60,
  primary_link: 40,
  secondary: 50,
  secondary_link: 40,
  tertiary: 45,
  tertiary_link: 35,
  unclassified: 40,
  residential: 40,
  road: 30,
  living_street: 15,
  service: 15,
}

/** Average speed in city traffic as a share of the limit: lights, corners and other vehicles. */
const shareOfLimit = 0.75

const closedTo = new Set(['no', 'private', 'bus', 'psv', 'delivery', 'emergency', 'agricultural', 'forestry'])
const withDirection = new Set(['yes', 'true', '1'])

/** Whether and how fast a car may drive on a way, from its OpenStreetMap tags; null if it may not. */
export function carUse(tags: Record<string, string>): CarUse | null {
  const usual = usualKmh[tags.highway ?? '']
  if (usual === undefined || tags.area === 'yes') return null
  const permission = tags.motorcar ?? tags.motor_vehicle ?? tags.vehicle ?? tags.access
  if (permission !== undefined && closedTo.has(permission)) return null
  const posted = Number.parseFloat(tags.maxspeed ?? '')
  const parking =
    tags.service === 'parking_aisle' || tags.service === 'driveway' ? 10 : Number.POSITIVE_INFINITY
  const kmh = Math.min(posted >= 5 ? posted : usual, parking) * shareOfLimit
  const oneway = tags.oneway ?? (tags.junction === 'roundabout' || tags.highway === 'motorway' ? 'yes' : 'no')
  if (oneway === '-1') return { forwardKmh: 0, backwardKmh: kmh }
  return { forwardKmh: kmh, backwardKmh: withDirection.has(oneway) ? 0 : kmh }
}
