import type { LatLng } from '@hansom/domain/geo/point'

/**
 * A street, a house number or a named place.
 * `id` stays the same for as long as the map data does; `label` is the first line a person reads
 * ("18 de Julio 1234"), `detail` the second ("Centro, Montevideo").
 */
export interface Place {
  id: string
  label: string
  detail: string
  kind: 'street' | 'address' | 'place'
  lat: number
  lng: number
  /** The house number that was searched for and is not known: this is the nearest one, or the street alone. */
  missingNumber?: number
}

/** A way along the streets; `polyline` begins and ends on the street nearest to the points asked for. */
export interface Route {
  distanceKm: number
  durationS: number
  polyline: LatLng[]
}

/** The part of a route that a fare or an arrival time needs. */
export type DriveTime = Pick<Route, 'distanceKm' | 'durationS'>

/** The area a map knows. `bounds` is [west, south, east, north] in degrees; `attribution` must be shown on the map. */
export interface Region {
  name: string
  /** ISO 3166-1 alpha-2, upper case. */
  countryCode: string
  /** IANA name. */
  timezone: string
  center: LatLng
  bounds: [number, number, number, number]
  attribution: string
}

/** `near` ranks nearby matches higher; a `country` (alpha-2, any case) other than the region's finds nothing. */
export interface SearchOptions {
  near?: LatLng
  /** 1 to 20, default 8. */
  limit?: number
  country?: string
}

/**
 * What the product asks of a map. Every adapter passes `port.suite.ts`.
 *
 * `tile` answers gzipped Mapbox vector tiles (version 2, extent 4096), z 8 to 16; draw beyond 16 from 16. Layers, in
 * drawing order, and their attributes:
 *
 * - `land` {kind: residential | industrial | commercial | institution | airport} areas of use; the background is land
 * - `park` {kind: park | garden | grass | forest | pitch | sport | cemetery | golf, name?}
 * - `water` {kind: sea | lake | river | stream | pool} areas, and lines for river and stream
 * - `beach` {kind: beach | sand | rock}
 * - `building` {} from z 14
 * - `rail` {kind: rail | disused} lines
 * - `road` {class: motorway | trunk | primary | secondary | tertiary | residential | service | path, name?, ref?,
 *   oneway: 0 | 1, link: 0 | 1, bridge: 0 | 1, tunnel: 0 | 1} lines; 1 in `oneway` runs with the line's direction;
 *   also {class: pier | runway} where such exist
 * - `place` {name, kind: city | town | suburb | neighbourhood, rank} points; a smaller rank matters more
 * - `poi` {name, kind, rank} points from z 14; `kind` is the map data's own word (hospital, supermarket, hotel, ...)
 * - `housenumber` {number} points at z 16
 */
export interface Maps {
  region: Region
  /** Changes whenever a tile could: an entity tag for all of them. */
  tileVersion: string
  /** Zoom levels `tile` can answer. */
  tileZooms: { min: number; max: number }
  /** Best first. An empty or hopeless query finds nothing. */
  search(query: string, options?: SearchOptions): Promise<Place[]>
  /** What `search` or `address` named by this id; null when there is no such place. */
  place(id: string): Promise<Place | null>
  /** The nearest house number, else street, else named place; null where the map knows nothing near. */
  address(point: LatLng): Promise<Place | null>
  /** Whether a car can reach the point's surroundings: false means "outside the area we serve". */
  covers(point: LatLng): boolean
  /**
   * The quickest way by car through two or more points in the order given, one-way streets and speeds obeyed. Null when
   * there is none: fewer than two points, one that is not covered, or no way between them.
   */
  route(points: LatLng[]): Promise<Route | null>
  /** From each of `froms` to `to`, in their order, without the line: for arrival times. Null where there is no way. */
  driveTimes(froms: LatLng[], to: LatLng): Promise<(DriveTime | null)[]>
  /** Null outside the area or the zoom levels. */
  tile(z: number, x: number, y: number): Promise<Uint8Array | null>
}
