import type { Tags } from '../source/map-source.ts'

/**
 * Average speeds of cars, from GraphHopper's car profile (CarAverageSpeedParser, OSMMaxSpeedParser and
 * FerrySpeedCalculator, 2026): a table by class, capped on bad surfaces, or 90 % of a posted limit.
 */
const kmhByClass: Readonly<Record<string, number>> = {
  motorway: 100,
  motorway_link: 70,
  trunk: 70,
  trunk_link: 65,
  primary: 65,
  primary_link: 60,
  secondary: 60,
  secondary_link: 50,
  tertiary: 50,
  tertiary_link: 40,
  unclassified: 30,
  residential: 30,
  living_street: 6,
  pedestrian: 6,
  service: 20,
  road: 20,
  track: 15,
}

const kmhByTrackGrade: Readonly<Record<string, number>> = { grade1: 20, grade2: 15, grade3: 10 }

const badSurfaces = new Set([
  'cobblestone',
  'unhewn_cobblestone',
  'sett',
  'grass_paver',
  'gravel',
  'fine_gravel',
  'pebblestone',
  'sand',
  'paving_stones',
  'dirt',
  'earth',
  'ground',
  'wood',
  'grass',
  'unpaved',
  'compacted',
])
const badSurfaceKmh = 30

const shareOfLimit = 0.9

/** GraphHopper stores speeds in steps of 2 km/h; without the same steps, some routes differ. */
const stepKmh = 2
const mostKmh = 254

/** Speeds in km/h along and against a street. */
export interface CarSpeeds {
  forward: number
  backward: number
}

/** The usual speeds on a street, whether or not it is open to cars. */
export function streetSpeeds(tags: Tags): CarSpeeds {
  const usual =
    (tags.highway === 'track' ? kmhByTrackGrade[tags.tracktype ?? ''] : undefined) ??
    kmhByClass[tags.highway ?? ''] ??
    10
  const surface = (tags.surface ?? '').split(':')[0] as string
  const assumed = badSurfaces.has(surface) ? Math.min(usual, badSurfaceKmh) : usual
  const speed = (direction: 'forward' | 'backward') => {
    const limit = limitKmh(tags[`maxspeed:${direction}`]) ?? limitKmh(tags.maxspeed)
    return inSteps(limit === null ? assumed : limit * shareOfLimit)
  }
  return { forward: speed('forward'), backward: speed('backward') }
}

/** Ferries are slower than sailed, because cars wait: by the tagged duration of the whole way or by its length. */
export function ferrySpeed(tags: Tags, metres: number): number {
  const hours = durationHours(tags.duration)
  const kmh = hours === null ? 0 : metres / 1000 / hours
  if (kmh >= 0.1) return inSteps(kmh / 1.4)
  return inSteps(metres < 1_000 ? 5 : metres < 30_000 ? 15 : 30)
}

function inSteps(kmh: number): number {
  return Math.max(stepKmh, Math.min(mostKmh, Math.round(kmh / stepKmh) * stepKmh))
}

const kmhByUnit: Readonly<Record<string, number>> = {
  '': 1,
  km: 1,
  'km/h': 1,
  kmh: 1,
  kph: 1,
  mph: 1.609344,
  knots: 1.852,
}

/** A `maxspeed` value in km/h; null if it is missing or has no single meaning. */
function limitKmh(value: string | undefined): number | null {
  if (!value) return null
  if (value === 'none') return 150
  if (value.endsWith(':rural') || value.endsWith(':trunk')) return 80
  if (value.endsWith(':urban')) return 50
  if (value === 'walk' || value.endsWith(':living_street')) return 6
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([a-z/]*)$/.exec(value) ?? []
  const kmh = Number(number) * (kmhByUnit[unit ?? '?'] ?? Number.NaN)
  return kmh > 0 ? kmh : null
}

/** `01:30`, `01:30:00`, `PT1H30M` or minutes, in hours; null if it is missing or in another form. */
function durationHours(value: string | undefined): number | null {
  const clock = /^(\d+):(\d\d)(?::(\d\d))?$/.exec(value ?? '')
  if (clock) return Number(clock[1]) + Number(clock[2]) / 60 + Number(clock[3] ?? 0) / 3600
  const iso = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(value ?? '')
  const hours = iso
    ? Number(iso[1] ?? 0) + Number(iso[2] ?? 0) / 60 + Number(iso[3] ?? 0) / 3600
    : Number.parseFloat(value ?? '') / 60
  return hours > 0 ? hours : null
}
