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

/** How long a rider waits for a driver, ms. */
const longestWaitMs = 60_000
/** How long drivers think before they accept, ms: meanwhile another may have taken it. */
const thinkMs = 200

/**
 * Riders and drivers of a load city, over its public API: drivers get their requests over the live connection and accept them; each
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
  private readonly city: LoadCity
  private readonly riders: Person[]
  private readonly clients: Client[] = []
  private readonly taken = new Map<string, (driver: Person, client: Client) => void>()
  private turn = 0

  private constructor(city: LoadCity, riders: Person[]) {
    this.city = city
    this.riders = riders
  }

  /** Adds riders and drivers and connects the drivers, whose positions are fresh from then on. */
  static async join(city: LoadCity, counts: { riders: number; drivers: number }): Promise<People> {
    const people = new People(city, await city.addPeople('rider', counts.riders))
    const drivers = await city.addPeople('driver', counts.drivers)
    await city.addedPeople()
    await Promise.all(drivers.map((driver) => people.connect(driver)))
    return people
  }

  /** One trip from the booking to the rating; resolves when it is COMPLETE. Throws TripFailed. */
  async trip(): Promise<void> {
    const rider = this.riders.pop()
    if (rider === undefined) throw new TripFailed('no rider is free')
    try {
      const { pickup, drop } = twoPlaces(innerCity)
      const request = { pickup, drop, car_type_id: this.city.carType, bookLater: false, payment_mode: 'cash' }
      const { id } = await this.post('book', '/api/v1/bookings', rider, request)
      const bookedAt = performance.now()
      const { driver, client } = await this.driverOf(id)
      this.untilAccepted.push(performance.now() - bookedAt)
      const step = (name: Step, person: Person, body: object = {}) =>
        this.post(name, `/api/v1/bookings/${id}/${name}`, person, body)
      await step('arrive', driver)
      await step('start', driver)
      for (let share = 1; share <= 3; share++) {
        const at = Date.now()
        await client.live.report({ lat: pickup.lat + share * 1e-5, lng: pickup.lng, at }).then(
          () => this.positions++,
          () => {},
        )
      }
      await step('reach', driver)
      await step('close', driver)
      const { status } = await step('rate', rider, { rating: 5 })
      if (status !== 'COMPLETE') throw new TripFailed(`the trip ended as ${status}`)
    } finally {
      this.riders.unshift(rider)
    }
  }

  close(): void {
    for (const client of this.clients) client.close()
  }

  private connect(driver: Person): Promise<void> {
    const url = this.nextOrigin()
    const client = createClient({ url, session: new Session(driver.token), webSocket: WebSocket as never })
    this.clients.push(client)
    const waiting = new Set<string>()
    let isBusy = false
    const consider = async (id: string) => {
      if (isBusy || waiting.has(id)) return
      waiting.add(id)
      await wait(Math.random() * thinkMs)
      if (isBusy || !waiting.delete(id)) return
      isBusy = true
      try {
        await this.post('accept', `/api/v1/bookings/${id}/accept`, driver, {})
        this.taken.get(id)?.(driver, client)
      } catch {
        // Another one was faster.
      }
      isBusy = false
    }
    return new Promise((resolve) => {
      client.live.subscribe('requests', {
        snapshot: (requests) => {
          for (const { id } of requests) void consider(id)
          client.live.sendPosition({ ...placeIn(innerCity), at: Date.now() })
          resolve()
        },
        event: (change) => {
          if ('put' in change) void consider(change.put.id)
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
    const { servers } = this.city
    return servers[this.turn++ % servers.length]?.origin ?? ''
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
