import type { PositionsResult } from '../positions.ts'
import type { ScaleFigures } from './figures.ts'

/** What the plan assumes and does not measure. */
export const assumed = {
  /** Share of the online drivers who are on a trip, in the busiest hour. */
  onTrip: 0.4,
  /** From the acceptance to the end of a trip, with the way to the pickup, s. */
  tripSeconds: 1_200,
  /** How often a driver's device reports, on a trip and without one, s. */
  tripReportSeconds: 1,
  freeReportSeconds: 3,
  /** Of each core; the rest is for bursts and for a server that is missing. */
  load: 0.6,
  /** Price of a core for an hour with its memory, USD. */
  corePrice: 0.04,
  /** Sockets that a server accepts (`LiveLimits.sockets`). */
  socketsOfServer: 20_000,
} as const

/** A shard at its busiest hour. */
export interface ShardPlan {
  drivers: number
  positionsPerSecond: number
  tripsPerSecond: number
  /** Servers of one core each; null when no number is enough, because every server and the one Redis carry every position. */
  servers: number | null
  postgresCores: number
  redisCores: number | null
  /** What Redis sends, MB a second. */
  busMb: number | null
  /** Index of each server, MB. */
  indexMb: number
  /** Of drivers and of the riders who follow a trip, on each server. */
  socketsOfServer: number | null
  /** CPU of everything for 1,000 trips, USD, at the assumed load. */
  costOf1000Trips: number | null
}

/** CPU time for 1,000 positions, ms: of the server that receives them, of every server, and of the others. */
interface Kind {
  received: number
  everywhere: number
  postgres: number
  /** For each server, of Redis: CPU time and what it sends. */
  redisOfServer: number
  bytesOfServer: number
}

/** Splits the cost by the figures with few and with many servers: of n servers, it is `received + n * everywhere`. */
export function kindOf(few: PositionsResult, many: PositionsResult): Kind {
  const slope = (many.cpuMs.servers - few.cpuMs.servers) / (many.servers - few.servers)
  const everywhere = Math.max(0, slope)
  return {
    received: Math.max(0, many.cpuMs.servers - many.servers * everywhere),
    everywhere,
    postgres: many.cpuMs.postgres,
    redisOfServer: many.cpuMs.redis / many.servers,
    bytesOfServer: many.busBytes.out / many.servers,
  }
}

/** Both kinds of positions, from the figures. Throws when some are missing. */
export function kindsOf({ kinds }: Pick<ScaleFigures, 'kinds'>): { free: Kind; trip: Kind } {
  const kind = (isOnTrip: boolean) => {
    const some = kinds.filter(({ trips }) => trips > 0 === isOnTrip).sort((a, b) => a.servers - b.servers)
    const [few, many] = [some[0], some.at(-1)]
    if (few === undefined || many === undefined || few.servers === many.servers)
      throw new Error('positions were not measured with several numbers of servers')
    return kindOf(few, many)
  }
  return { free: kind(false), trip: kind(true) }
}

/** CPU time of a server without work, ms a second. */
export function idleOfServer({ kinds }: Pick<ScaleFigures, 'kinds'>): number {
  const many = [...kinds].sort((a, b) => b.servers - a.servers)[0]
  return many === undefined ? 0 : many.idleMs.servers / many.servers
}

export function planShard(figures: ScaleFigures, drivers: number): ShardPlan {
  const { free, trip } = kindsOf(figures)
  const perTrip = figures.trips.at(-1)
  const largest = figures.search.at(-1)
  if (perTrip === undefined || largest === undefined) throw new Error('trips or searches were not measured')
  const busy = drivers * assumed.onTrip
  const tripsPerSecond = busy / assumed.tripSeconds
  const onTrip = busy / assumed.tripReportSeconds
  const without = (drivers - busy) / assumed.freeReportSeconds
  // Milliseconds of CPU a second.
  const sum = (of: (kind: Kind) => number) => (onTrip * of(trip) + without * of(free)) / 1_000
  const shared = sum(({ received }) => received) + tripsPerSecond * perTrip.cpuSeconds.servers
  const everywhere = sum((kind) => kind.everywhere) + idleOfServer(figures)
  const allowed = assumed.load * 1_000
  const sockets = drivers + busy
  const postgres = sum((kind) => kind.postgres) + tripsPerSecond * perTrip.cpuSeconds.postgres
  const postgresCores = postgres / allowed
  const least = Math.max(
    Math.ceil(shared / (allowed - everywhere)),
    Math.ceil(sockets / assumed.socketsOfServer),
  )
  const redisOfServer =
    sum((kind) => kind.redisOfServer) + (tripsPerSecond * perTrip.cpuSeconds.redis) / perTrip.servers
  // One server has no Redis.
  const redisServers = least === 1 ? 0 : least
  const redis = redisServers * redisOfServer
  const isEnough = everywhere < allowed && redis <= allowed
  const cores = least + postgresCores + redis / allowed
  const plan = {
    drivers,
    positionsPerSecond: onTrip + without,
    tripsPerSecond,
    postgresCores,
    indexMb: (drivers * (largest.bytesPerDriver ?? 0)) / 1_048_576,
  }
  if (!isEnough)
    return {
      ...plan,
      servers: null,
      redisCores: null,
      busMb: null,
      socketsOfServer: null,
      costOf1000Trips: null,
    }
  return {
    ...plan,
    servers: least,
    redisCores: redis / allowed,
    busMb: (sum((kind) => kind.bytesOfServer) * redisServers) / 1_000,
    socketsOfServer: Math.ceil(sockets / least),
    costOf1000Trips: (cores * assumed.corePrice * 1_000) / (tripsPerSecond * 3_600),
  }
}

/**
 * The most drivers of a shard: more, and every server spends over half of its allowed time on the positions of all. In thousands.
 * Null if the cost of that was too small to be measured.
 */
export function largestShard(figures: Pick<ScaleFigures, 'kinds'>): number | null {
  const { free, trip } = kindsOf(figures)
  const { onTrip, tripReportSeconds, freeReportSeconds, load } = assumed
  const msOfDriver =
    ((onTrip / tripReportSeconds) * trip.everywhere + ((1 - onTrip) / freeReportSeconds) * free.everywhere) /
    1_000
  return msOfDriver > 0 ? Math.floor((load * 500) / msOfDriver / 1_000) * 1_000 : null
}
