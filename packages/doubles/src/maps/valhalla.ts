import { type MapDouble, type MapResponse, startMapDouble } from './map-double.ts'
import { encodeLine, type Point, routeBetween } from './street-grid.ts'

interface Location {
  lat: number
  lon: number
}

const refuse = (error_code: number, error: string): MapResponse => ({
  status: 400,
  body: { error_code, error, status_code: 400, status: 'Bad Request' },
})
const pointOf = ({ lat, lon }: Location): Point => ({ lat, lng: lon })
const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

/** A local Valhalla: route and matrix. After docs/docs/api of github.com/valhalla/valhalla, read in November 2026. */
export function startValhalla(): Promise<MapDouble> {
  return startMapDouble(({ url, method, body }) => {
    if (method !== 'POST' || body === null) return refuse(100, 'Failed to parse json request')
    const request = body as {
      locations?: Location[]
      sources?: Location[]
      targets?: Location[]
      costing?: string
    }
    if (request.costing !== 'auto') return refuse(124, 'No edge/node costing provided')
    if (url.pathname === '/route') return route((request.locations ?? []).map(pointOf))
    if (url.pathname === '/sources_to_targets') {
      return matrix((request.sources ?? []).map(pointOf), (request.targets ?? []).map(pointOf))
    }
    return refuse(106, 'Try any of: /route /sources_to_targets')
  })
}

function route(points: Point[]): MapResponse {
  if (points.length < 2) return refuse(120, 'Insufficient number of locations provided')
  if (points.length > 20) return refuse(150, 'Exceeded max locations: 20')
  const legs = points.slice(1).map((to, at) => routeBetween(points[at] as Point, to))
  if (legs.includes(null)) return refuse(442, 'No path could be found for input')
  const summaryOf = (parts: typeof legs) => ({
    length: rounded(parts.reduce((sum, leg) => sum + (leg?.meters ?? 0), 0) / 1000, 3),
    time: rounded(
      parts.reduce((sum, leg) => sum + (leg?.seconds ?? 0), 0),
      3,
    ),
  })
  return {
    body: {
      trip: {
        status: 0,
        status_message: 'Found route between points',
        units: 'kilometers',
        summary: summaryOf(legs),
        legs: legs.map((leg) => ({ summary: summaryOf([leg]), shape: encodeLine(leg?.line ?? [], 6) })),
      },
    },
  }
}

function matrix(sources: Point[], targets: Point[]): MapResponse {
  if (sources.length === 0 || targets.length === 0)
    return refuse(121, 'Insufficient number of sources or targets')
  if (sources.length + targets.length > 50) return refuse(150, 'Exceeded max locations: 50')
  const sources_to_targets = sources.map((from, from_index) =>
    targets.map((to, to_index) => {
      const found = routeBetween(from, to)
      const [distance, time] = found
        ? [rounded(found.meters / 1000, 3), rounded(found.seconds, 0)]
        : [null, null]
      return { from_index, to_index, distance, time }
    }),
  )
  return { body: { sources_to_targets, units: 'kilometers', algorithm: 'costmatrix' } }
}
