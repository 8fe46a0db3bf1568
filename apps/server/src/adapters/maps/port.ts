import type {
  MapCallKind,
  MapFailure,
  MapService,
  PlaceService,
  RouteService,
} from '@hansom/domain/geo/map-services'
import type { LatLng } from '@hansom/domain/geo/point'

/**
 * A street, a house number or a named place. `id` is stable as long as the map data is unchanged; `label` is the first
 * line of a result ("18 de Julio 1234"), `detail` the second ("Centro, Montevideo").
 */
export interface Place {
  id: string
  label: string
  detail: string
  kind: 'street' | 'address' | 'place'
  lat: number
  lng: number
  /** The searched house number, if unknown; the result is then the nearest number or only the street. */
  missingNumber?: number
  /** The outside service that answered; none for the embedded map. Its attribution must be shown. */
  source?: PlaceService
}

/** A place without a position if its service returns positions only for a chosen place: `place` has it. */
export type Suggestion = Omit<Place, 'lat' | 'lng'> & Partial<LatLng>

/** A route along the streets; `polyline` starts and ends on the streets nearest to the requested points. */
export interface Route {
  distanceKm: number
  durationS: number
  polyline: LatLng[]
}

/** The part of a route needed for fares and arrival times. */
export type DriveTime = Pick<Route, 'distanceKm' | 'durationS'>

/** A position of a device. `at` is in milliseconds since 1970, `accuracy` as reported, in meters, if known. */
export interface GpsPoint extends LatLng {
  at: number
  accuracy?: number | null | undefined
}

/**
 * The streets of a GPS track: their length and line; the length between positions on no street; and the share of
 * positions near a street, of those that are accurate and far enough apart to count.
 */
export interface MatchedTrack {
  distanceKm: number
  line: LatLng[]
  unmatchedKm: number
  /** Consecutive positions that no likely route connects; the straight lines are part of `unmatchedKm`. */
  breaks: { from: GpsPoint; to: GpsPoint }[]
  matchedShare: number
}

/** What a region's map contains. */
export interface RegionContents {
  region: Region
  /** The extract's file name; null for the packaged map. */
  extract: string | null
  streets: number
  houseNumbers: number
  places: number
}

/** The area a map covers. `bounds` is [west, south, east, north] in degrees; `attribution` must be shown on the map. */
export interface Region {
  /** Names it in files and settings: `[a-z0-9-]`. */
  id: string
  /** As people write it. */
  name: string
  /** ISO 3166-1 alpha-2, upper case. */
  countryCode: string
  /** Those of regions served side by side, and the state that a territory belongs to; may repeat `countryCode`. */
  otherCountries?: string[]
  /** IANA name. */
  timezone: string
  /** ISO 4217. */
  currency: string
  /** Official languages as ISO 639-1 codes, the most used first. */
  languages: string[]
  center: LatLng
  bounds: [number, number, number, number]
  attribution: string
}

/** `near` ranks nearby matches higher; a `country` (alpha-2, any case) that the region does not have returns nothing. */
export interface SearchOptions {
  near?: LatLng | undefined
  /** 1 to 20, default 8. */
  limit?: number | undefined
  country?: string | undefined
  /** Identifies one person typing one address, up to and including `place`: some services bill by it. */
  session?: string | undefined
}

/** Finding places by text and by point. Rejects when an outside service does not answer and no map replaces it. */
export interface PlaceSearch {
  /** Best first. An empty query or one without matches returns nothing. */
  search(query: string, options?: SearchOptions): Promise<Suggestion[]>
  /** The place that `search` or `address` returned with this id; null if it no longer exists. */
  place(id: string, options?: Pick<SearchOptions, 'session'>): Promise<Place | null>
  /** The nearest house number, otherwise street, otherwise named place; null if nothing is near. */
  address(point: LatLng): Promise<Place | null>
}

/** Driving by car, respecting one-way streets, turn restrictions, access and speeds. `route` may reject as a search. */
export interface Routing {
  /**
   * The fastest route through two or more points in order. Null if none exists: fewer than two points, a point that is
   * not covered, or no connection.
   */
  route(points: LatLng[]): Promise<Route | null>
  /**
   * From each of `froms` to `to`, in order, without the line: for arrival times. Null where no route exists, or where an
   * outside service did not answer.
   */
  driveTimes(froms: LatLng[], to: LatLng): Promise<(DriveTime | null)[]>
}

/** What only the region's own street network answers, also if routes come from an outside service. */
export interface StreetNetwork {
  /** A row for each of `froms` with the time to each of `tos`; null where no route exists. */
  driveTimeTable(froms: LatLng[], tos: LatLng[]): Promise<(DriveTime | null)[][]>
  /** The times of some trips only, each given as an index of `froms` and one of `tos`; null where no route exists. */
  driveTimePairs(
    froms: LatLng[],
    tos: LatLng[],
    pairs: readonly (readonly [from: number, to: number])[],
  ): Promise<(DriveTime | null)[]>
  /**
   * The fastest route and up to two others that differ from it for at least a quarter of its time, take at most a
   * quarter longer and contain no needless detour. Empty where no route exists.
   */
  alternatives(from: LatLng, to: LatLng): Promise<Route[]>
  /** The distance that a car drove, from its positions in any order. */
  match(points: GpsPoint[]): Promise<MatchedTrack>
}

/**
 * The base map. `tile` returns gzipped Mapbox vector tiles (version 2, extent 4096), z 8 to 16; overzoom beyond 16.
 * Layers, in drawing order, and their attributes:
 *
 * - `land` {kind: residential | industrial | commercial | institution | airport} land use areas; the background is land
 * - `park` {kind: park | garden | grass | forest | pitch | sport | cemetery | golf, name?}
 * - `water` {kind: sea | lake | river | stream | pool} areas, and lines for river and stream
 * - `beach` {kind: beach | sand | rock}
 * - `building` {} from z 14
 * - `rail` {kind: rail | disused} lines
 * - `road` {class: motorway | trunk | primary | secondary | tertiary | residential | service | path, name?, ref?,
 *   oneway: 0 | 1, link: 0 | 1, bridge: 0 | 1, tunnel: 0 | 1} lines; `oneway` 1 follows the line's direction;
 *   also {class: pier | runway} where they exist
 * - `place` {name, kind: city | town | village | suburb | quarter | hamlet | neighbourhood, rank} points; a smaller
 *   rank matters more
 * - `poi` {name, kind, rank} points from z 14; `kind` is the map data's value (hospital, supermarket, hotel, ...)
 * - `housenumber` {number: text} points at z 16
 */
export interface BaseMap {
  /** Changes whenever any tile may have changed: an entity tag for all tiles. */
  tileVersion: string
  /** The regions that are drawn. */
  contents: RegionContents[]
  /** Zoom levels supported by `tile`. */
  tileZooms: { min: number; max: number }
  /** Null outside the area or the zoom levels. */
  tile(z: number, x: number, y: number): Promise<Uint8Array | null>
}

/** The map services of the product. Every adapter passes `port.suite.ts`. */
export interface Maps extends PlaceSearch, Routing, StreetNetwork, BaseMap {
  region: Region
  /** Whether a car can reach the point's surroundings; false means outside the service area. */
  covers(point: LatLng): boolean
}

/** Who answers what, and how the outside services do today. */
export interface MapServicesStatus {
  places: ServiceStatus<PlaceService> | null
  routes: ServiceStatus<RouteService> | null
  /** The map's day, YYYY-MM-DD. */
  day: string
  calls: { service: MapService; kind: MapCallKind; calls: number; failures: number; microUsd: number }[]
  /** Calls and cost of the day, and their caps; null: no cap. */
  total: { calls: number; microUsd: number }
  cap: { calls: number | null; microUsd: number | null }
}

export interface ServiceStatus<Service> {
  service: Service
  /** `open`: not called after repeated failures; `half_open`: the next call decides. */
  breaker: 'closed' | 'open' | 'half_open'
}

/** Result of one test call. `failure` is null if the service answered; `found` is its answer's place. */
export interface MapServiceTest {
  kind: MapCallKind
  ms: number
  failure: MapFailure | null
  found: string | null
  drive: DriveTime | null
}

/** The administration of the outside services. */
export interface MapServices {
  status(): MapServicesStatus
  /** One real call of each kind, past the circuit breaker; counted and capped like others. */
  test(role: 'places' | 'routes'): Promise<MapServiceTest[]>
  /** Stores the counted calls. */
  flush(): Promise<void>
}
