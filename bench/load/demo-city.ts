import { isRefusal } from '@hansom/client/api-error'
import { type Client, createClient } from '@hansom/client/client'
import { signInByEmail } from '@hansom/client/session'
import type { Person } from './city.ts'
import type { Target } from './people.ts'

/** Why a load run is refused or cannot begin; `message` is printed as is. */
export class LoadRefused extends Error {}

/** As the sign-in page of a demo shows it. */
const admin = { email: 'admin@demo.test', password: 'demo2026' }
/** Of the accounts of load runs, which are used again by the next run. */
const password = 'load2026'
/** How many sign in at a time: the server hashes few passwords at once. */
const together = 4

/** Throws LoadRefused unless `url` is a server on this machine. */
export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' || url.pathname !== '/')
    throw new LoadRefused(`Not the address of a server, such as http://127.0.0.1:8080: ${text}`)
  const isLoopback = ['localhost', '[::1]'].includes(url.hostname) || /^127(\.\d+){3}$/.test(url.hostname)
  if (!isLoopback)
    throw new LoadRefused(`${url.hostname} is another machine. Load is only for a server on this one: its bookings,
users and limits would be used up.`)
  return url.origin
}

/** A running demo with people who are signed in. Throws LoadRefused for a server that is not a demo of taxi trips. */
export async function openDemo(
  url: string,
  counts: { riders: number; drivers: number },
): Promise<{ target: Target; riders: Person[]; drivers: Person[] }> {
  const visitor = createClient({ url })
  const settings = await visitor.api.settings.get().catch(() => {
    throw new LoadRefused(`No Hansom answers at ${url}. Start one: npm start`)
  })
  if (!settings.demo)
    throw new LoadRefused(`${url} is not in demo mode. Load would book trips of real people.`)
  if (settings.category !== 'taxi') throw new LoadRefused('The demo sends parcels; load plays taxi trips.')
  const [carType] = await visitor.api.carTypes.list()
  if (carType === undefined) throw new LoadRefused('The demo has no car type. Add one in the back office.')
  const office = createClient({ url })
  await office.signIn(admin.email, admin.password).catch(() => {
    throw new LoadRefused(`The demo's admin cannot sign in with the password of the sign-in page.`)
  })
  const join = (usertype: 'rider' | 'driver') =>
    inGroups(counts[usertype === 'rider' ? 'riders' : 'drivers'], (number) =>
      memberOf({ url, office, usertype, number, carType: carType.name }),
    )
  const [riders, drivers] = [await join('rider'), await join('driver')]
  office.close()
  visitor.close()
  for (const driver of drivers) await goOnline(url, driver)
  const { lat, lng } = settings.region.center
  const [west, south, east, north] = settings.region.bounds
  const half = Math.min(0.02, (east - west) / 4, (north - south) / 4)
  const area = { south: lat - half, north: lat + half, west: lng - half, east: lng + half }
  return { target: { origins: [url], carType: carType.id, area, isFollowed: true }, riders, drivers }
}

interface Membership {
  url: string
  office: Client
  usertype: 'rider' | 'driver'
  number: number
  carType: string
}

/** Signs in; at the first run, signs up before, and the admin approves a driver. */
async function memberOf({ url, office, usertype, number, carType }: Membership): Promise<Person> {
  const email = `load-${usertype}-${number}@load.test`
  const known = await signInByEmail({ url }, email, password).catch((error: unknown) => {
    if (isRefusal(error) && error.status < 500 && error.status !== 429) return null
    throw error
  })
  const { uid } = known === null ? await signUp() : { uid: '' }
  const token = known ?? (await signInByEmail({ url }, email, password))
  return { id: uid, token }

  async function signUp(): Promise<{ uid: string }> {
    const regData = {
      email,
      password,
      usertype,
      firstName: 'Load',
      lastName: `Person ${number}`,
      mobile: `+5989${usertype === 'rider' ? 7 : 8}${String(number).padStart(6, '0')}`,
      ...(usertype === 'driver' && { carType, vehicleNumber: `LOAD ${number}` }),
    }
    const made = await office.api.functions.userSignUp({ regData })
    if ('error' in made) throw new LoadRefused(`${email} cannot sign up: ${JSON.stringify(made)}`)
    if (usertype === 'driver') {
      const { version } = await office.api.users.get({ id: made.uid })
      await office.api.users.approve({ id: made.uid, version })
    }
    return made
  }
}

async function goOnline(url: string, { token }: Person): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1/driver/online`, {
    method: 'POST',
    headers,
    body: '{"online":true}',
  })
  if (!answer.ok) throw new LoadRefused(`A driver cannot go online: ${await answer.text()}`)
}

async function inGroups<T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let first = 1; first <= count; first += together) {
    const numbers = Array.from({ length: Math.min(together, count - first + 1) }, (_, index) => first + index)
    made.push(...(await Promise.all(numbers.map(make))))
  }
  return made
}
