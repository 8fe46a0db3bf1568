import { endedStatuses, isOneOf } from '@hansom/domain/bookings/status'
import { Refusal } from '@hansom/domain/error-keys'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { silentLog } from '../../../platform/log/log.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { bookingChanged, readBookingChange } from '../booking-changed-event.ts'
import { type BookingJobs, defineBookingJobs } from '../dispatch/jobs.ts'
import { wantedBy } from '../reactions.ts'
import { MemoryStore } from '../store/memory-store.fixture.ts'
import { centre } from '../straight-city.fixture.ts'
import { askedAgain, flawsAfterCommit, type Told } from './invariants.fixture.ts'
import { Scheduler } from './scheduler.fixture.ts'
import { Broken, SimulatedServer } from './server.fixture.ts'

export const carType = 'car-type'

const minute = 60_000
/** People stop to begin something new after the first, and all that has begun ends by the second. */
const [busyMs, endMs] = [5 * minute, 240 * minute]

/**
 * A small city on several servers, whose network loses, repeats and delays messages, and whose servers are killed: all by one
 * seed. Servers, dispatch and rules are the product's own.
 */
export class SimulatedCity {
  readonly time: Scheduler
  readonly store = new MemoryStore()
  readonly servers: SimulatedServer[]
  /** All that was answered to people. */
  readonly told: Told[] = []
  readonly flaws: string[] = []
  /** The commands under way, by person, command and booking. */
  readonly orders = new Map<string, { isAlone: boolean }>()
  /** Wallets at the start. */
  readonly balances = new Map<string, number>()
  private readonly jobs: Map<SimulatedServer, BookingJobs>
  private readonly handlers = new Map<SimulatedServer, Map<string, (data: object) => Promise<void>>>()
  private ids = 0
  private keys = 0
  private handled = 0

  constructor(seed: number) {
    const time = new Scheduler(seed)
    this.time = time
    const settings: CurrentSettings = {
      ...defaultSettings,
      otp_secure: false,
      decimal: 0,
      version: 1,
      dispatch: { ...defaultSettings.dispatch, waveSeconds: 15, waveSize: time.pick([1, 2, 4]) },
    }
    this.addPeople()
    const failing = time.pick([0, 0.002, 0.02])
    const commit = this.store.apply.bind(this.store)
    this.store.apply = async (application) => {
      const again = askedAgain(this.store, application)
      await commit(application)
      this.flaws.push(...again, ...flawsAfterCommit(this.store, application, time.now))
      time.start(() => this.relay(), time.between(1, 100))
    }
    const options = { time, store: this.store, settings, failing, newIds: () => this.newIds() }
    this.servers = [0, 1, 2].map(() => new SimulatedServer(options))
    this.jobs = new Map(this.servers.map((server) => [server, this.jobsOf(server)]))
    for (const server of this.servers) server.start()
  }

  /** True while people begin something new. */
  get isBusy(): boolean {
    return this.time.now < this.time.startedAt + busyMs
  }

  private hasEnded(): boolean {
    return [...this.store.now.bookings.values()].every(({ status }) => isOneOf(endedStatuses, status))
  }

  /** Lets time pass until all that has begun has ended, or for hours. */
  async run(): Promise<void> {
    const { time } = this
    time.start(() => this.trouble())
    while (this.isBusy || (!this.hasEnded() && time.now < time.startedAt + endMs)) await time.run(minute)
  }

  /**
   * Gives a command until it is answered, like an app that repeats it with its key. Returns the answer, which may be a refusal.
   */
  async give(
    work: (server: SimulatedServer) => Promise<{ booking: { id: string; version: number; status: string } }>,
  ) {
    const { time } = this
    for (;;) {
      const server = this.anyServer()
      await time.delay(time.between(1, time.chance(0.05) ? 4_000 : 60))
      if (server === undefined || time.chance(0.02)) {
        await time.delay(time.between(500, 2_000))
        continue
      }
      if (time.chance(0.02)) time.start(() => this.repeat(work), time.between(0, 5_000))
      const answer = await work(server).catch((error: unknown) => {
        if (error instanceof Refusal || error instanceof Broken) return error
        throw error
      })
      await time.delay(time.between(1, 60))
      if (answer instanceof Broken || time.chance(0.02)) {
        await time.delay(time.between(200, 1_500))
        continue
      }
      if (answer instanceof Refusal) return answer
      const { id, version, status } = answer.booking
      this.told.push({ booking: id, version, status })
      return answer
    }
  }

  /** A driver's position reaches one server, and the others a little later. */
  locate(driver: string): void {
    const location = this.store.now.users.get(driver)?.location
    if (!location) return
    for (const server of this.servers)
      this.time.start(async () => server.learn(driver, location), this.time.between(0, 150))
  }

  newKey(): string {
    return `key-${this.keys++}`
  }

  newIds() {
    this.ids++
    const number = String(this.ids).padStart(6, '0')
    return { id: `booking-${number}`, booking_id: number, otp: '12345' }
  }

  private anyServer(): SimulatedServer | undefined {
    const running = this.servers.filter(({ isRunning }) => isRunning)
    return running.length > 0 ? this.time.pick(running) : undefined
  }

  /** The same message once more, to any server. */
  private async repeat(work: (server: SimulatedServer) => Promise<unknown>): Promise<void> {
    const server = this.anyServer()
    if (server) await work(server).catch(ignoreAnswer)
  }

  private addPeople(): void {
    const { store, time } = this
    store.addCarType(carType)
    for (let n = 0; n < 3; n++) {
      const walletBalance = time.pick([0, 200, 2_000]) * unit
      this.balances.set(`rider-${n}`, walletBalance)
      store.addUser(`rider-${n}`, 'rider', { walletBalance })
      store.addUser(`driver-${n}`, 'driver', { carType, location: this.place(), located_at: time.now })
    }
    store.addUser('admin', 'admin')
  }

  place() {
    const { time } = this
    return { lat: centre.lat + time.between(-0.02, 0.02), lng: centre.lng + time.between(-0.02, 0.02) }
  }

  /** Delivers the outbox after a commit: jobs are added once, servers learn of drivers. */
  private async relay(): Promise<void> {
    const { outbox } = this.store.now
    const events = outbox.slice(this.handled)
    this.handled = outbox.length
    for (const { kind, payload } of events) {
      if (kind !== bookingChanged) continue
      const change = readBookingChange(payload)
      await this.jobs.get(this.servers[0] as SimulatedServer)?.enqueue(wantedBy(change))
      for (const effect of change.effects)
        if (effect.kind === 'claim_driver' || effect.kind === 'free_driver') this.locate(effect.driver)
    }
  }

  /** Kills servers, and starts them again. */
  private async trouble(): Promise<void> {
    const { time } = this
    const everyMs = time.pick([0, 4 * minute, minute])
    while (everyMs > 0 && this.isBusy) {
      await time.delay(time.between(0, 2 * everyMs))
      const victim = time.pick(this.servers)
      victim.kill()
      time.start(async () => victim.start(), time.between(500, 10_000))
    }
  }

  /** The queue of jobs as one server sees it; a job runs until it has succeeded, and sometimes on two servers at once. */
  private jobsOf(server: SimulatedServer): BookingJobs {
    const handlers = new Map<string, (data: object) => Promise<void>>()
    this.handlers.set(server, handlers)
    const { clock } = server.deps
    const add = (name: string, data: object, startAt = clock.now()) =>
      this.time.start(() => this.runJob(name, data), Math.max(0, startAt - clock.now()))
    const jobs: Jobs = {
      define: (name, { schema }, handler) =>
        void handlers.set(name, (data) => handler(schema.parse(data), new AbortController().signal)),
      send: async (name, data, options) => {
        add(name, data, options?.startAt)
        return name
      },
      sendMany: async (added) => added.forEach(({ name, data, startAt }) => add(name, data, startAt)),
      openData: async () => [],
      counts: async () => [],
      failed: async () => [],
      retryFailed: async () => 0,
      discardFailed: async () => 0,
      start: async () => {},
      stop: async () => {},
    }
    // Ids are no UUIDs here, so that they are the same in every run.
    const define: Jobs['define'] = (name, definition, handler) =>
      jobs.define(name, { ...definition, schema: { parse: (data: unknown) => data } as never }, handler)
    return defineBookingJobs({
      ...server.deps,
      jobs: { ...jobs, define },
      log: silentLog(),
      notifyAssigned: async () => {},
    } as Parameters<typeof defineBookingJobs>[0])
  }

  private async runJob(name: string, data: object): Promise<void> {
    const { time } = this
    if (time.chance(0.02)) time.start(() => this.runOnce(name, data).then(() => {}), time.between(0, 3_000))
    while (!(await this.runOnce(name, data))) await time.delay(time.between(500, 4_000))
  }

  private async runOnce(name: string, data: object): Promise<boolean> {
    const server = this.anyServer()
    if (server === undefined) return false
    try {
      await this.handlers.get(server)?.get(name)?.(data)
      return true
    } catch (error) {
      if (error instanceof Broken) return false
      throw error
    }
  }
}

function ignoreAnswer(error: unknown): void {
  if (!(error instanceof Refusal || error instanceof Broken)) throw error
}
