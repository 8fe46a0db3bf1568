import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from '@hansom/client/client'
import { Session } from '@hansom/client/session'
import { uuidv7 } from 'uuidv7'
import { WebSocket } from 'ws'
import { type Area, innerCity, type LoadCity, type Person } from './city.ts'

/** A command of a trip, as the table of a load run lists it. */
export type Step = 'book' | 'accept' | 'arrive' | 'start' | 'reach' | 'close' | 'rate'

/** A trip that did not end as it should, and where. */
export class TripFailed extends Error {
  override readonly name = 'TripFailed'
}

export interface StartedTrip {
  id: string
  pickup: { lat: number; lng: number }
  driver: Person
  client: Client
}

/** What people use, and where they are. */
export interface Target {
  /** Of servers that share a city, or of a balancer. */
  origins: readonly string[]
  carType: string
  area: Area
  /** Riders follow their trips over a live connection. */
  isFollowed: boolean
}

/** How long a rider waits for a driver, ms. */
const longestWaitMs = 60_000
/** How long drivers think before they accept, ms: meanwhile another may have taken it. */
const thinkMs = 200

/**
 * Riders and drivers of a city, over its public API: drivers get their requests over the live connection and accept them; each
 * request goes to the next server, as behind a balancer.
 */
export class People {
  /** Milliseconds that each acknowledged command took. */
  readonly took: Record<Step, number[]> = {
    book: [],
    accept: [],
    arrive: [],
    start: [],
    reach: [],
    close: [],
    rate: [],
  }
  /** From the booking's answer until a driver has accepted, ms. */
  readonly untilAccepted: number[] = []
  /** Answers other than success, by command and status. */
  readonly refused = new Map<string, number>()
  positions = 0
  /** Frames that drivers and following riders got. */
  frames = 0
  private readonly target: Target
  private readonly riders: Person[]
  /** The live connections of the drivers. */
  readonly connected: Client[] = []
  private readonly taken = new Map<string, (driver: Person, client: Client) => void>()
  private turn = 0

  private constructor(target: Target, riders: Person[]) {
    this.target = target
    this.riders = riders
  }

  /** Adds riders and drivers and connects the drivers, whose positions are fresh from then on. */
  static async join(city: LoadCity, counts: { riders: number; drivers: number }): Promise<People> {
    const riders = await city.addPeople('rider', counts.riders)
    const drivers = await city.addPeople('driver', counts.drivers)
    await city.addedPeople()
    const origins = city.servers.map(({ origin }) => origin)
    return People.of({ origins, carType: city.carType, area: innerCity, isFollowed: false }, riders, drivers)
  }

  /** The same for people who have sessions already. */
  static async of(target: Target, riders: Person[], drivers: readonly Person[]): Promise<People> {
    const people = new People(target, riders)
    await Promise.all(drivers.map((driver) => people.connect(driver)))
    return people
  }

  /** One trip from the booking to the rating; resolves when it is COMPLETE. Throws TripFailed. */
  async trip(): Promise<void> {
    const rider = this.riders.pop()
    if (rider === undefined) throw new TripFailed('no rider is free')
    let follower: Client | null = null
    try {
      const { id, pickup, driver, client } = await this.startTrip(rider)
      if (this.target.isFollowed) follower = await this.follow(rider, id)
      for (let meters = 1; meters <= 3; meters++) {
        const position = { lat: pickup.lat + meters * 1e-5, lng: pickup.lng, at: Date.now() }
        await client.live.report(position).then(
          () => this.positions++,
          () => {},
        )
      }
      await this.step('reach', id, driver)
      await this.step('close', id, driver)
      const { status } = await this.step('rate', id, rider, { rating: 5 })
      if (status !== 'COMPLETE') throw new TripFailed(`the trip ended as ${status}`)
    } finally {
      follower?.close()
      this.riders.unshift(rider)
    }
  }

  /** A trip of a rider up to its start, with the driver who accepts it first. Throws TripFailed. */
  async startTrip(rider: Person): Promise<StartedTrip> {
    const { pickup, drop } = twoPlaces(this.target.area)
    const request = { pickup, drop, car_type_id: this.target.carType, bookLater: false, payment_mode: 'cash' }
    const { id } = await this.post('book', '/api/v1/bookings', rider, request)
    const bookedAt = performance.now()
    const { driver, client } = await this.driverOf(id)
    this.untilAccepted.push(performance.now() - bookedAt)
    await this.step('arrive', id, driver)
    await this.step('start', id, driver)
    return { id, pickup, driver, client }
  }

  /** Resolves when the rider has the state of the trip. */
  private follow(rider: Person, id: string): Promise<Client> {
    const client = this.clientOf(rider)
    return new Promise((resolve) => {
      client.live.subscribe(`tracking:${id}`, {
        snapshot: () => resolve(client),
        volatile: () => void this.frames++,
        event: () => void this.frames++,
      })
    })
  }

  private clientOf({ token }: Person): Client {
    return createClient({
      url: this.nextOrigin(),
      session: new Session(token),
      webSocket: WebSocket as never,
    })
  }

  private step(name: Step, id: string, person: Person, body: object = {}) {
    return this.post(name, `/api/v1/bookings/${id}/${name}`, person, body)
  }

  close(): void {
    for (const client of this.connected) client.close()
  }

  private connect(driver: Person): Promise<void> {
    const client = this.clientOf(driver)
    this.connected.push(client)
    const waiting = new Set<string>()
    let isDeciding = false
    /** Answers the requests one by one; the server asks only drivers without a trip. */
    const decide = async () => {
      if (isDeciding) return
      isDeciding = true
      for (const id of waiting) {
        await wait(Math.random() * thinkMs)
        if (!waiting.delete(id)) continue
        const accepted = await this.post('accept', `/api/v1/bookings/${id}/accept`, driver, {}).catch(
          () => null,
        )
        if (accepted === null) continue
        waiting.clear()
        this.taken.get(id)?.(driver, client)
      }
      isDeciding = false
    }
    const consider = (id: string) => {
      waiting.add(id)
      void decide()
    }
    return new Promise((resolve) => {
      client.live.subscribe('requests', {
        snapshot: (requests) => {
          for (const { id } of requests) consider(id)
          client.live.sendPosition({ ...placeIn(this.target.area), at: Date.now() })
          resolve()
        },
        event: (change) => {
          this.frames++
          if ('put' in change) consider(change.put.id)
          else waiting.delete(change.remove)
        },
      })
    })
  }

  private async driverOf(id: string): Promise<{ driver: Person; client: Client }> {
    const accepted = new Promise<{ driver: Person; client: Client }>((resolve) => {
      this.taken.set(id, (driver, client) => resolve({ driver, client }))
    })
    const giveUp = new AbortController()
    const none = wait(longestWaitMs, undefined, { signal: giveUp.signal }).then(() => {
      throw new TripFailed('no driver accepted')
    })
    try {
      return await Promise.race([accepted, none])
    } finally {
      giveUp.abort()
      none.catch(() => {})
      this.taken.delete(id)
    }
  }

  private async post(step: Step, path: string, person: Person, body: object) {
    const begunAt = performance.now()
    const answer = await fetch(this.nextOrigin() + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${person.token}`,
        'idempotency-key': uuidv7(),
      },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (answer.ok) {
      this.took[step].push(performance.now() - begunAt)
      return JSON.parse(text) as { id: string; status: string }
    }
    const kind = `${step} ${answer.status}`
    this.refused.set(kind, (this.refused.get(kind) ?? 0) + 1)
    throw new TripFailed(`${kind}: ${text}`)
  }

  private nextOrigin(): string {
    const { origins } = this.target
    return origins[this.turn++ % origins.length] ?? ''
  }
}

const placeIn = ({ south, north, west, east }: Area) => ({
  lat: south + Math.random() * (north - south),
  lng: west + Math.random() * (east - west),
})

function twoPlaces(area: Area) {
  const [from, to] = [placeIn(area), placeIn(area)]
  return { pickup: { ...from, add: 'Pickup' }, drop: { ...to, add: 'Drop' } }
}
