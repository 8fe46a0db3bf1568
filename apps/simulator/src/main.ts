import { isRefusal } from '@hansom/client/api-error'
import { createClient } from '@hansom/client/client'
import { Session, signInByEmail } from '@hansom/client/session'
import { WebSocket } from 'ws'
import { signedInFetch } from './city/signed-in-fetch.ts'
import type { City } from './city/streets.ts'
import { readConfig } from './config.ts'
import { AskedDrivers } from './driver/asked-drivers.ts'
import { DriverAgent } from './driver/driver-agent.ts'
import { TripCodeExchange } from './driver/trip-code-exchange.ts'
import { RiderAgent } from './rider/rider-agent.ts'

type Category = 'taxi' | 'delivery'

const config = readConfig(process.env)
const asked = new AskedDrivers()
const tripCodes = new TripCodeExchange()
const drivers: DriverAgent[] = []
const riders: RiderAgent[] = []
let stopping = false

const say = (text: string): void => console.error(`simulator: ${text}`)
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Signs in with retries: the server may be starting or limiting sign-ins. */
async function signInWithRetry(email: string): Promise<string> {
  for (let pauseMs = 500; ; pauseMs = Math.min(15_000, pauseMs * 2)) {
    try {
      return await signInByEmail(config, email, config.password)
    } catch (error) {
      const isFinal = isRefusal(error) && error.status !== 429 && error.status < 500
      if (isFinal || stopping) throw error
      await wait(pauseMs)
    }
  }
}

async function member(role: 'driver' | 'rider', number: number) {
  const email = `sim-${role}-${String(number).padStart(2, '0')}@demo.test`
  const session = new Session(await signInWithRetry(email), () => signInWithRetry(email))
  const client = createClient({ url: config.url, session, webSocket: WebSocket })
  const me = await client.api.users.me()
  if (!me) throw new Error('signed in, but the server returned no user')
  return { client, uid: me.uid, send: signedInFetch(config.url, session) }
}

async function addDriver(number: number, city: City): Promise<void> {
  const { client, uid, send } = await member('driver', number)
  const agent = new DriverAgent(uid, { client, city, asked, tripCodes, send, log: say })
  drivers.push(agent)
  await agent.start()
}

async function addRider(number: number, city: City, category: Category): Promise<void> {
  const { client, uid, send } = await member('rider', number)
  const agent = new RiderAgent(uid, { client, city, category, tripCodes, send, log: say })
  riders.push(agent)
  agent.start()
}

async function run(): Promise<void> {
  const settings = await createClient(config).api.settings.get()
  const { center, bounds } = settings.region
  const [west, south, east, north] = bounds
  const city = { center, spread: Math.min(0.055, (east - west) / 2, (north - south) / 2) }
  for (let number = 1; number <= config.drivers && !stopping; number++) {
    await addDriver(number, city).catch((error: unknown) => say(`driver ${number}: ${String(error)}`))
  }
  for (let number = 1; number <= config.riders && !stopping; number++) {
    await addRider(number, city, settings.category).catch((error: unknown) =>
      say(`rider ${number}: ${String(error)}`),
    )
  }
}

function stop(): void {
  if (stopping) return
  stopping = true
  clearInterval(ticking)
  for (const agent of [...drivers, ...riders]) agent.stop()
  setTimeout(() => process.exit(0), 300).unref()
}

const ticking = setInterval(() => {
  for (const driver of drivers) driver.tick()
}, 1000)
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
// Exits with the server that started this process.
process.on('disconnect', stop)
run().catch((error: unknown) => {
  say(String(error))
  stop()
})
