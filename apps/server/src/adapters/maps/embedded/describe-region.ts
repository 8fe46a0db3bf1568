import findTimezone from '@photostructure/tz-lookup'
import { iso1A2Code } from '@rapideditor/country-coder'
import { countries, type TCountryCode } from 'countries-list'
import type { Region } from '../port.ts'
import { plainText } from './search/plain-text.ts'
import type { MapSource } from './source/map-source.ts'
import { ExtractError } from './source/pbf-blocks.ts'
import { toLatLng } from './world.ts'

const settlementRank: Record<string, number> = { city: 4, town: 3, borough: 2, suburb: 1, village: 1 }
const mostMarginDegrees = 0.02

/**
 * What a region's data says about it: its center is its largest settlement, otherwise the middle of its streets; time
 * zone, country, currency and languages follow from there. Throws ExtractError if no country is there.
 */
export function describeRegion(id: string, source: MapSource): Region {
  const center = centerOf(source)
  const country = countryFacts(center.at.lat, center.at.lng)
  if (!country) throw new ExtractError('The streets of this extract are in no country.')
  const { west, north, east, south } = source.bounds
  const northWest = toLatLng(west, north)
  const southEast = toLatLng(east, south)
  return {
    id,
    name: center.name && sameWords(center.name, id) ? center.name : titleOf(id),
    ...country,
    center: center.at,
    bounds: [
      northWest.lng - mostMarginDegrees,
      southEast.lat - mostMarginDegrees,
      southEast.lng + mostMarginDegrees,
      northWest.lat + mostMarginDegrees,
    ].map((degrees) => Math.round(Math.max(-180, Math.min(180, degrees)) * 1e4) / 1e4) as Region['bounds'],
    attribution: '© OpenStreetMap contributors',
  }
}

/** Country, time zone, currency and languages at a position; null at sea. */
export function countryFacts(
  lat: number,
  lng: number,
): Pick<Region, 'countryCode' | 'otherCountries' | 'timezone' | 'currency' | 'languages'> | null {
  const country = iso1A2Code([lng, lat])
  if (country === null) return null
  // Territories such as Hong Kong have a currency of their own.
  const territory = iso1A2Code([lng, lat], { level: 'territory' })
  const countryCode = territory !== null && territory in countries ? territory : country
  const facts = countries[countryCode as TCountryCode] as (typeof countries)[TCountryCode] | undefined
  const languages = facts?.languages ?? []
  return {
    countryCode,
    ...(countryCode === country ? {} : { otherCountries: [country] }),
    timezone: findTimezone(lat, lng),
    currency: facts?.currency[0] ?? 'USD',
    languages: languages.length > 0 ? languages : ['en'],
  }
}

interface Center {
  at: { lat: number; lng: number }
  name: string | null
}

function centerOf(source: MapSource): Center {
  const { west, north, east, south } = source.bounds
  let best: { weight: number; x: number; y: number; name: string } | null = null
  for (const { tags, rings } of source.points()) {
    const rank = settlementRank[tags.place ?? '']
    if (rank === undefined || !tags.name) continue
    const [x, y] = rings[0] as [number, number]
    if (x < west || x > east || y < north || y > south) continue
    const population = Number.parseInt((tags.population ?? '').replace(/[\s.,]/g, ''), 10) || 0
    const isCapital = tags.capital === 'yes' || tags.admin_level === '2'
    const weight = rank * 1e9 + (isCapital ? 5e8 : 0) + Math.min(4e8, population)
    if (!best || weight > best.weight) best = { weight, x, y, name: tags.name }
  }
  if (best) return { at: rounded(best.x, best.y), name: best.name }
  return { at: rounded(...middleOfStreets(source)), name: null }
}

/** The median position of the street nodes: in the densest part, regardless of the outline. */
function middleOfStreets({ roads }: MapSource): [number, number] {
  const nodes = Uint32Array.from([...roads.ways()].flatMap((way) => (way.tags.highway ? way.nodes : [])))
  const median = (column: Uint32Array) =>
    Uint32Array.from(nodes, (node) => column[node] as number).sort()[nodes.length >> 1] as number
  return [median(roads.x), median(roads.y)]
}

function rounded(x: number, y: number): { lat: number; lng: number } {
  const { lat, lng } = toLatLng(x, y)
  return { lat: Math.round(lat * 1e5) / 1e5, lng: Math.round(lng * 1e5) / 1e5 }
}

/** Extracts are often named with their date: `andorra-latest`, `andorra-251101`. */
const withoutDate = (id: string) => id.replace(/-(latest|\d{6}|\d{8})$/, '')

const sameWords = (name: string, id: string) => plainText(name).replaceAll(' ', '-') === withoutDate(id)

/** `new-york` becomes "New York". */
const titleOf = (id: string) =>
  withoutDate(id)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
