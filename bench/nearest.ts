import { pathToFileURL } from 'node:url'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { around } from 'geokdbush'
import KDBush from 'kdbush'
import { embeddedDriverIndex } from '../apps/server/src/adapters/driver-index/embedded.ts'
import type {
  DriverIndex,
  IndexedDriver,
  NearbyDriver,
} from '../apps/server/src/adapters/driver-index/port.ts'
import type { Line } from './limits.ts'

/**
 * The nearest ten eligible drivers of a city of 30 x 30 km while the drivers move: each reports every four seconds, one
 * move in a hundred makes the driver busy or free, and there is one search per ten moves. Only processing moves (by
 * driver id), rebuilding and searching are timed, not generating them.
 *
 * Ours applies every move immediately and is searched through its port, so its results are current. The peer is a
 * static index with a filter for currently eligible drivers. It is rebuilt once per second of the city's time, so its
 * results are up to a second old. Both results are compared with brute force over the data they should know. The
 * figures are of the median second of the city's time, so that other work on the machine matters little. `still_*`
 * compares searches alone, with no driver moving.
 */
export interface NearestLine extends Line {
  still_ours: number
  still_peer: number
  still_ratio: number
  checked: number
}

const center: LatLng = { lat: -34.88, lng: -56.17 }
const halfDegrees = { lat: 0.135, lng: 0.164 }
const reportSeconds = 4
const movesPerSearch = 10
const count = 10
const radiusKm = 30
const carTypes = ['economy', 'comfort', 'van', 'bike']
const numberOf = (id: string) => Number(id.slice(24))
const idOf = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Runs both city sizes. Throws when a result differs from brute force. */
export async function run(): Promise<NearestLine[]> {
  return [await runSize(10_000, 60), await runSize(100_000, 15)]
}

async function runSize(drivers: number, seconds: number): Promise<NearestLine> {
  const random = randomSource(drivers)
  const city = Array.from({ length: drivers }, (_, number) => newDriver(number, random))
  const index = embeddedDriverIndex()
  for (const driver of city) index.upsert(driver)
  const peer = new Peer(city)

  const spent = { ours: [] as number[], peer: [] as number[] }
  const searchesPerSecond = drivers / reportSeconds / movesPerSearch
  let checked = 0
  const warmUp = Math.ceil(seconds / 4)
  for (let second = -warmUp; second < seconds; second++) {
    const steps = Array.from({ length: searchesPerSecond }, () => nextStep(city, random))
    const positionsOfPeer = city.slice()

    let peerMs = timed(() => peer.rebuild())
    for (const step of steps) {
      const moves = step.moves.map((move) => ({ ...move }))
      let found: NearbyDriver[] = []
      peerMs += timed(() => {
        for (const move of moves) peer.move(move)
        found = peer.nearest(step.place)
      })
      step.peerFound = found
    }

    let oursMs = 0
    for (const step of steps) {
      const moves = step.moves.map((move) => ({ ...move }))
      const started = performance.now()
      for (const move of moves) index.upsert(move)
      step.found = await index.nearest(step.place, { count, radiusKm })
      oursMs += performance.now() - started
    }

    steps.forEach((step, number) => {
      for (const move of step.moves) city[numberOf(move.id)] = move
      if (number % (searchesPerSecond / 5) !== 0) return
      assertEqual(step.found, byBruteForce(city, city, step.place), 1e-6)
      assertEqual(step.peerFound, byBruteForce(positionsOfPeer, city, step.place), 0.001)
      checked++
    })
    if (second < 0) continue
    spent.ours.push(oursMs)
    spent.peer.push(peerMs)
  }
  const still = await searchesAlone(city, index, random)
  const ours = (searchesPerSecond / median(spent.ours)) * 1000
  const theirs = (searchesPerSecond / median(spent.peer)) * 1000
  return {
    job: `nearest-10-of-${drivers / 1000}k-moving`,
    unit: 'searches/s',
    ours: Math.round(ours),
    peer: Math.round(theirs),
    peer_name: 'geokdbush 2.1 on kdbush 4.1, rebuilt once a second',
    ratio: rounded(ours / theirs),
    ...still,
    checked,
  }
}

async function searchesAlone(city: readonly IndexedDriver[], index: DriverIndex, random: () => number) {
  const places = Array.from({ length: 2_000 }, () => somewhere(random))
  const peer = new Peer(city)
  const spent = { ours: 0, peer: 0 }
  for (let round = 0; round < 10; round++) {
    let started = performance.now()
    for (const place of places) peer.nearest(place)
    const peerMs = performance.now() - started
    started = performance.now()
    for (const place of places) await index.nearest(place, { count, radiusKm })
    const oursMs = performance.now() - started
    if (round < 2) continue
    spent.ours += oursMs
    spent.peer += peerMs
  }
  const perSecond = (ms: number) => Math.round((places.length * 8 * 1000) / ms)
  return {
    still_ours: perSecond(spent.ours),
    still_peer: perSecond(spent.peer),
    still_ratio: rounded(spent.peer / spent.ours),
  }
}

/** The static index of all drivers, with the latest state of each by id for the next rebuild. */
class Peer {
  private readonly drivers: IndexedDriver[]
  private readonly numbers: ReadonlyMap<string, number>
  private index: KDBush
  private readonly eligible: Uint8Array
  private readonly isEligible = (number: number) => this.eligible[number] === 1

  constructor(city: readonly IndexedDriver[]) {
    this.drivers = city.slice()
    this.eligible = Uint8Array.from(city, (driver) => (driver.eligible ? 1 : 0))
    this.numbers = new Map(city.map((driver, number) => [driver.id, number]))
    this.index = this.rebuild()
  }

  move(driver: IndexedDriver): void {
    const number = this.numbers.get(driver.id) as number
    this.drivers[number] = driver
    this.eligible[number] = driver.eligible ? 1 : 0
  }

  rebuild(): KDBush {
    this.index = new KDBush(this.drivers.length)
    for (const driver of this.drivers) this.index.add(driver.lng, driver.lat)
    return this.index.finish()
  }

  nearest(place: LatLng): NearbyDriver[] {
    return around(this.index, place.lng, place.lat, count, radiusKm, this.isEligible).map((number) => {
      const driver = this.drivers[number] as IndexedDriver
      return { id: driver.id, km: greatCircleKm(place, driver) }
    })
  }
}

function byBruteForce(positions: readonly IndexedDriver[], now: readonly IndexedDriver[], place: LatLng) {
  return positions
    .filter((_, number) => now[number]?.eligible)
    .map((driver) => ({ id: driver.id, km: greatCircleKm(place, driver) }))
    .sort((a, b) => a.km - b.km)
    .slice(0, count)
    .map((found) => ({ id: found.id, km: greatCircleKm(place, now[numberOf(found.id)] as IndexedDriver) }))
}

function timed(work: () => void): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

function assertEqual(found: NearbyDriver[], expected: NearbyDriver[], toleranceKm: number): void {
  const isSame =
    found.length === expected.length &&
    found.every((one, place) => Math.abs(one.km - (expected[place]?.km ?? Number.NaN)) <= toleranceKm)
  if (!isSame) throw new Error(`differs from brute force: ${JSON.stringify({ found, expected })}`)
}

function newDriver(number: number, random: () => number): IndexedDriver {
  return driverAt(idOf(number), somewhere(random), random() < 0.6, random() * 360)
}

function driverAt(id: string, place: LatLng, eligible: boolean, bearing: number): IndexedDriver {
  const { lat, lng } = place
  return {
    id,
    lat,
    lng,
    at: 0,
    heardAt: 0,
    bearing,
    eligible,
    car_type_id: carTypes[Number(id.at(-1)) % 4] as string,
  }
}

/** Random point, denser in the center, like cities. */
function somewhere(random: () => number): LatLng {
  const spread = () => (random() + random() + random() - 1.5) / 1.5
  return { lat: center.lat + spread() * halfDegrees.lat, lng: center.lng + spread() * halfDegrees.lng }
}

/** Four seconds at city speed: about 30 meters. */
function nextMove(city: readonly IndexedDriver[], random: () => number): IndexedDriver {
  const number = Math.floor(random() * city.length)
  const driver = city[number] as IndexedDriver
  const lat = driver.lat + (random() - 0.5) * 0.0006
  const lng = driver.lng + (random() - 0.5) * 0.0007
  const eligible = random() < 0.01 ? !driver.eligible : driver.eligible
  return driverAt(driver.id, { lat, lng }, eligible, random() * 360)
}

interface Step {
  moves: IndexedDriver[]
  place: LatLng
  found: NearbyDriver[]
  peerFound: NearbyDriver[]
}

function nextStep(city: readonly IndexedDriver[], random: () => number): Step {
  const moves = Array.from({ length: movesPerSearch }, () => nextMove(city, random))
  return { moves, place: somewhere(random), found: [], peerFound: [] }
}

/** Mulberry32: generates the same city in every run. */
function randomSource(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

const rounded = (ratio: number) => Math.round(ratio * 100) / 100

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const line of await run()) console.log(JSON.stringify(line))
}
