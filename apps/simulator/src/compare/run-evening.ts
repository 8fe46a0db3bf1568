import { batchDrivers, matchBatch } from '@hansom/domain/dispatch/batch'
import type { Candidate, StrategyFigures } from '@hansom/domain/dispatch/strategies'
import { planWave, searchRadiusKm } from '@hansom/domain/dispatch/waves'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { type Demand, driveKm, driveS, type Rider } from './demand.ts'

interface Driver {
  id: string
  /** Where the driver is; during a trip, where it ends. */
  location: LatLng
  /** When the trip ends, and when that is expected. */
  freeAt: number
  expectedFreeAt: number
  idleSince: number
  income: number
}

interface Request {
  driver: Driver
  answerAt: number
  accepts: boolean
}

interface Search {
  rider: Rider
  wave: number
  asked: Set<string>
  declined: Set<string>
  requests: Request[]
  /** When the next drivers are chosen. */
  nextAt: number
}

/** What a strategy did with the demand. */
export interface Evening {
  asked: number
  /** From the request until the car is at the pickup, of each rider served, s. */
  waitsS: number[]
  /** Driven to pickups, km. */
  emptyKm: number
  incomes: number[]
}

const radiusKm = 10
/** Boarding and paying, s. */
const stopsS = 90
const fareOf = (km: number) => 1.5 + 0.9 * km
/** Riders whose search is still open when no one asks any more are served or give up within this time, s. */
const closingS = 3600

/**
 * Plays an evening second by second with the rules that the server uses. A driver answers after 2 to 12 s, or not at all
 * in one case of twelve; accepts nine of ten requests, and six of ten that are more than ten minutes away; and drives
 * between 15 % shorter and 25 % longer than expected. A rider gives up after their patience.
 */
export function runEvening(demand: Demand, figures: StrategyFigures): Evening {
  const drivers = demand.starts.map((location, index): Driver => {
    const idle = { freeAt: 0, expectedFreeAt: 0, idleSince: 0, income: 0 }
    return { id: `d${String(index).padStart(4, '0')}`, location, ...idle }
  })
  const evening: Evening = { asked: demand.riders.length, waitsS: [], emptyKm: 0, incomes: [] }
  const settings = { driverRadius: radiusKm, convert_to_mile: false, dispatch: figures }
  const isExclusive = figures.strategy === 'nearest' || figures.strategy === 'batch'
  let searches: Search[] = []
  let next = 0

  const candidatesFor = ({ rider, asked, declined }: Search, now: number, busy: ReadonlySet<Driver>) =>
    drivers.flatMap((driver): Candidate[] => {
      const { id, location, freeAt } = driver
      const expected = Math.max(30, driver.expectedFreeAt - now)
      const freeS = freeAt <= now ? 0 : expected
      if (freeS > figures.soonFreeMinutes * 60) return []
      if (greatCircleKm(location, rider.pickup) > searchRadiusKm(settings)) return []
      const excluded = declined.has(id) ? 'declined' : asked.has(id) ? 'asked_before' : undefined
      const reason = excluded ?? (isExclusive && busy.has(driver) ? 'other_request' : undefined)
      const arrivalS = freeS + driveS(location, rider.pickup)
      const idleS = Math.max(0, now - driver.idleSince)
      return [{ id, location, freeS, arrivalS, idleS, ...(reason && { excluded: reason }) }]
    })

  const ask = (search: Search, ids: readonly string[], now: number) => {
    for (const id of ids) {
      const driver = drivers.find((one) => one.id === id) as Driver
      const isFar = driveS(driver.location, search.rider.pickup) > 600
      const luck = (what: string) => demand.luck(search.rider.id, id, what)
      search.asked.add(id)
      const isSilent = luck('silent') < 1 / 12
      const accepts = !isSilent && luck('accepts') < (isFar ? 0.6 : 0.9)
      const answerS = isSilent ? figures.waveSeconds : 2 + 10 * luck('delay')
      search.requests.push({ driver, accepts, answerAt: now + answerS })
    }
    search.nextAt = now + figures.waveSeconds
  }

  const accept = ({ rider }: Search, driver: Driver, now: number) => {
    const toPickup = driveS(driver.location, rider.pickup)
    const trip = driveS(rider.pickup, rider.drop) + stopsS
    const pace = 0.85 + 0.4 * demand.luck(rider.id, 'pace')
    evening.waitsS.push(now + toPickup * pace - rider.at)
    evening.emptyKm += driveKm(driver.location, rider.pickup)
    driver.income += fareOf(driveKm(rider.pickup, rider.drop))
    driver.expectedFreeAt = now + toPickup + trip
    driver.freeAt = now + (toPickup + trip) * pace
    driver.idleSince = driver.freeAt
    driver.location = rider.drop
  }

  const end = (demand.riders.at(-1)?.at ?? 0) + closingS
  for (let now = 0; now <= end; now++) {
    for (; (demand.riders[next]?.at ?? Number.POSITIVE_INFINITY) <= now; next++) {
      const rider = demand.riders[next] as Rider
      searches.push({ rider, wave: 0, asked: new Set(), declined: new Set(), requests: [], nextAt: now })
    }
    const ended = new Set<Search>()
    for (const search of searches) {
      search.requests.sort((a, b) => a.answerAt - b.answerAt)
      while ((search.requests[0]?.answerAt ?? Number.POSITIVE_INFINITY) <= now) {
        const { driver, accepts } = search.requests.shift() as Request
        if (accepts && driver.freeAt <= now) {
          accept(search, driver, now)
          ended.add(search)
          break
        }
        search.declined.add(driver.id)
        if (search.requests.length === 0) search.nextAt = now
      }
      if (now - search.rider.at > search.rider.patienceS) ended.add(search)
    }
    searches = searches.filter((search) => !ended.has(search))

    const due = searches.filter((search) => search.nextAt <= now)
    const busy = new Set(searches.flatMap(({ requests }) => requests.map(({ driver }) => driver)))
    if (figures.strategy === 'batch') {
      if (now % figures.batchSeconds !== 0 || due.length === 0) continue
      const matches = matchBatch(
        due.map((search, index) => ({
          booking: String(index),
          pickup: search.rider.pickup,
          waitedS: now - search.rider.at,
          figures,
          candidates: candidatesFor(search, now, busy)
            .sort((a, b) => a.arrivalS - b.arrivalS)
            .filter(({ excluded }) => excluded !== 'asked_before' && excluded !== 'declined')
            .slice(0, batchDrivers),
        })),
      )
      for (const [index, match] of matches.entries()) {
        const search = due[index] as Search
        if (match.kind === 'none') searches = searches.filter((one) => one !== search)
        if (match.kind === 'ask') ask(search, [match.driver], now)
      }
      continue
    }
    for (const search of due) {
      const plan = planWave(
        {
          pickup: search.rider.pickup,
          wave: search.wave,
          asked: search.asked,
          excluded: search.declined,
          now: now * 1000,
          waitedS: now - search.rider.at,
        },
        candidatesFor(search, now, busy),
        settings,
      )
      if (plan.kind === 'none') searches = searches.filter((one) => one !== search)
      if (plan.kind === 'wait') search.nextAt = plan.until / 1000
      if (plan.kind !== 'ask') continue
      search.wave = plan.wave
      ask(search, plan.drivers, now)
      for (const { driver } of search.requests) busy.add(driver)
    }
  }
  evening.incomes = drivers.map(({ income }) => income)
  return evening
}
