import type { LatLng } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { z } from 'zod'
import type { DriveTime, Place, Region, Route, SearchOptions, Suggestion } from '../port.ts'
import type { ServiceCall } from './call.ts'

/**
 * Constraints of a search that were already checked: `limit` is an integer from 1 to 20, `countries` are the served ones
 * to search in (alpha-2, upper case; at least one).
 */
export type ServiceSearchOptions = Pick<SearchOptions, 'near' | 'session'> & {
  limit: number
  countries: string[]
}

/** A place search; ids are the service's own. */
export interface PlaceAdapter {
  search(query: string, options: ServiceSearchOptions): Promise<Suggestion[]>
  /** Null for an unknown or malformed id. */
  place(id: string, session: string | undefined): Promise<Place | null>
  /** The point is inside the region. */
  address(point: LatLng): Promise<Place | null>
}

/** Routing; every point is inside the region. */
export interface RouteAdapter {
  /** Most points of one route, and most starts of one matrix. */
  mostPoints: number
  mostStarts: number
  /** Two or more points, at most `mostPoints`. */
  route(points: LatLng[]): Promise<Route | null>
  /** From one or more points, at most `mostStarts`. */
  driveTimes(froms: LatLng[], to: LatLng): Promise<(DriveTime | null)[]>
}

/** What an adapter is created with. `url` has no trailing slash. */
export interface AdapterDeps {
  call: ServiceCall
  region: Pick<Region, 'bounds' | 'countryCode' | 'otherCountries'>
  url?: string | undefined
}

export const latitude = z.number().min(-90).max(90)
export const longitude = z.number().min(-180).max(180)
/** A distance or a duration. */
export const quantity = z.number().nonnegative()

/** An encoded polyline with the given precision. */
export const encodedLine = (digits: 5 | 6) =>
  z.string().transform((text, context): LatLng[] => {
    try {
      return decodePolyline(text, digits)
    } catch {
      context.addIssue({ code: 'custom', message: 'not an encoded polyline' })
      return z.NEVER
    }
  })

export type Query = Record<string, string | number | string[] | undefined>

/** The URL of an endpoint with its query; undefined values are left out, a list becomes repeated parameters. */
export function endpoint(base: string, path: string, query: Query = {}): URL {
  const url = new URL(base + path)
  for (const [name, value = []] of Object.entries(query))
    for (const one of [value].flat()) url.searchParams.append(name, String(one))
  return url
}

/** "lng,lat" with seven digits, about a centimeter. */
export function lngLat({ lat, lng }: LatLng): string {
  return `${Number(lng.toFixed(7))},${Number(lat.toFixed(7))}`
}

/** Splits "Main Street 5, 1000 Town, Country" after its first part. */
export function splitAddress(text: string): { label: string; detail: string } {
  const [label = '', ...rest] = text.split(/\s*,\s*/)
  return { label, detail: rest.join(', ') }
}
