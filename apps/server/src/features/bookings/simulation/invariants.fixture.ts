import { escrowOf } from '@hansom/domain/bookings/amounts'
import { maxOpen } from '@hansom/domain/bookings/new-booking'
import { drivingStatuses, endedStatuses, isOneOf } from '@hansom/domain/bookings/status'
import { userOf } from '@hansom/domain/wallet/ledger'
import type { Application } from '../store/apply-decision.ts'
import type { MemoryStore } from '../store/memory-store.fixture.ts'

/** By how much two servers' clocks differ at most, ms. */
const clocksMs = 600
/** What a commit may not do: have dispatch ask a driver for the same booking twice. */
export function askedAgain(
  { now }: MemoryStore,
  { booking, event, requests }: Pick<Application, 'booking' | 'event' | 'requests'>,
): string[] {
  if (event.command !== 'request_drivers') return []
  return requests
    .filter(({ driver_id }) => now.requests.has(`${booking.id} ${driver_id}`))
    .map(({ driver_id }) => `${driver_id} is asked twice for ${booking.id}`)
}

/**
 * What must hold after every commit: a driver is busy if and only if they drive one trip, only the drivers of one wave are asked,
 * and a new booking is one that its rider may make.
 */
export function flawsAfterCommit(
  { now: { bookings, requests, users } }: MemoryStore,
  { booking, isNew }: Application,
  at: number,
): string[] {
  const flaws: string[] = []
  const driving = [...bookings.values()].filter(({ status }) => isOneOf(drivingStatuses, status))
  for (const { id, usertype, queue } of users.values()) {
    const trips = driving.filter(({ driver }) => driver === id).length
    if (usertype === 'driver' && trips !== (queue ? 1 : 0))
      flaws.push(`${id} drives ${trips} trips and is ${queue ? 'busy' : 'free'}`)
  }
  const waves = [...requests.values()].filter(
    ({ booking_id, expires_at }) =>
      booking_id === booking.id && expires_at !== null && expires_at > at + clocksMs,
  )
  if (new Set(waves.map(({ wave }) => wave)).size > 1)
    flaws.push(`drivers of several waves are asked for ${booking.id}`)
  const searching = [...bookings.values()].filter(
    ({ customer, status }) => customer === booking.customer && status === 'NEW',
  )
  if (isNew && searching.length > maxOpen.searching)
    flaws.push(`${booking.customer} looks for ${searching.length} cars`)
  return flaws
}

/** What a person was told about a booking. */
export interface Told {
  booking: string
  version: number
  status: string
}

/** What must hold when everything has ended. `balances`: the wallets at the start. */
export function flawsAtEnd(
  { now }: MemoryStore,
  told: readonly Told[],
  balances: ReadonlyMap<string, number>,
): string[] {
  const { bookings, events, entries, users, keys, requests } = now
  const flaws: string[] = []
  const expect = (holds: boolean, flaw: string) => void (holds || flaws.push(flaw))
  const sums = new Map<string, number>()
  for (const { key, legs } of entries.values()) {
    expect(legs.reduce((sum, { amount }) => sum + amount, 0) === 0, `entry ${key} does not sum to zero`)
    for (const { account, amount } of legs) sums.set(account, (sums.get(account) ?? 0) + amount)
  }
  for (const { id, walletBalance } of users.values())
    expect(
      walletBalance === (balances.get(id) ?? 0) + (sums.get(`user:${id}`) ?? 0),
      `the wallet of ${id} is not the sum of its legs`,
    )
  for (const account of sums.keys())
    expect(
      userOf(account as `user:${string}`) === null || users.has(account.slice(5)),
      `no user for ${account}`,
    )
  const made = new Set([...keys.values()].map(({ booking }) => booking))
  for (const booking of bookings.values()) {
    const { id, version, status, rebooked_from } = booking
    expect(isOneOf(endedStatuses, status), `${id} has not ended but is ${status}`)
    const { paid, promo } = escrowOf(booking)
    expect((sums.get(`trip:${id}`) ?? 0) === paid + promo, `the escrow of ${id} is wrong`)
    for (let one = 1; one <= version; one++) expect(events.has(`${id} ${one}`), `${id} lacks version ${one}`)
    expect(rebooked_from !== null || made.has(id), `${id} was booked twice`)
  }
  for (const { booking, version, status } of told) {
    const event = events.get(`${booking} ${version}`)
    expect(event?.to === status, `${booking} ${version} was acknowledged as ${status} and is ${event?.to}`)
  }
  expect(requests.size === 0, `${requests.size} requests are left`)
  return flaws
}
