import type { Actor } from '@hansom/domain/access/relation'
import { drivingStatuses, endedStatuses, isOneOf } from '@hansom/domain/bookings/status'
import { Refusal } from '@hansom/domain/error-keys'
import type { BookingCommands } from '../commands.ts'
import { flawsAtEnd } from './invariants.fixture.ts'
import { carType, SimulatedCity } from './simulated-city.fixture.ts'

type Command = keyof BookingCommands

/** Runs the city of a seed; returns what is wrong, its history as text, and the number of complete trips. */
export async function runCity(seed: number): Promise<{ flaws: string[]; history: string; trips: number }> {
  const city = new SimulatedCity(seed)
  const { time, store } = city
  rideAll(city)
  driveAll(city)
  ruleAll(city)
  await city.run()
  const failures = time.failures.map((error) => `failed: ${(error as Error).stack ?? String(error)}`)
  const history = [...store.now.events].map(([key, { at, command, to }]) => `${key} ${at} ${command} ${to}`)
  return {
    flaws: [...failures, ...city.flaws, ...flawsAtEnd(store, city.told, city.balances)],
    history: history.join('\n'),
    trips: [...store.now.bookings.values()].filter(({ status }) => status === 'COMPLETE').length,
  }
}

/** Gives a command on a booking under a key of its own. What was done is never refused. */
async function order(city: SimulatedCity, actor: Actor, command: Command, id: string, body: object = {}) {
  const key = city.newKey()
  const done = () =>
    [...city.store.now.events].filter(
      ([version, event]) =>
        version.startsWith(`${id} `) && event.command === command && event.by.id === actor.id,
    ).length
  const before = done()
  const name = `${actor.id} ${command} ${id}`
  const others = city.orders.get(name)
  if (others) others.isAlone = false
  const own = others ?? { isAlone: true }
  city.orders.set(name, own)
  const answer = await city.give((server) =>
    (server.commands[command] as (request: object, body: object) => ReturnType<BookingCommands['arrive']>)(
      { actor, id, key },
      body,
    ),
  )
  if (answer instanceof Refusal && own.isAlone && done() > before)
    city.flaws.push(`${name} was done and then refused: ${answer.key}`)
  if (!others) city.orders.delete(name)
  return answer
}

const people = (city: SimulatedCity, usertype: string): Actor[] =>
  [...city.store.now.users.values()]
    .filter((user) => user.usertype === usertype)
    .map(({ id }) => ({ id, role: usertype as Actor['role'], approved: true }))

function rideAll(city: SimulatedCity): void {
  for (const rider of people(city, 'rider')) {
    city.time.start(() => book(city, rider))
    city.time.start(() => tend(city, rider))
  }
}

/** A rider books trips, one after the other or several at once. */
async function book(city: SimulatedCity, rider: Actor): Promise<void> {
  const { time } = city
  while (city.isBusy) {
    await time.delay(time.between(0, 90_000))
    const count = time.pick([1, 1, 1, 1, 1, 2, 4])
    const requests = Array.from({ length: count }, () => ({
      pickup: { ...city.place(), add: 'Here' },
      drop: { ...city.place(), add: 'There' },
      car_type_id: carType,
      bookLater: false,
      payment_mode: time.chance(0.3) ? ('wallet' as const) : ('cash' as const),
    }))
    await Promise.all(
      requests.map((request) => {
        const key = city.newKey()
        return city.give((server) => server.create(rider, request, key))
      }),
    )
  }
}

/**
 * A rider looks after all their trips, also one whose booking was refused before a late copy of it was taken. None is cancelled at the
 * end: a search that hangs must show.
 */
async function tend(city: SimulatedCity, rider: Actor): Promise<void> {
  const { time, store } = city
  for (;;) {
    await time.delay(time.between(2_000, 15_000))
    const own = [...store.now.bookings.values()].filter(({ customer }) => customer === rider.id)
    const open = own.filter(({ status }) => !isOneOf(endedStatuses, status))
    if (open.length === 0) continue
    const { id, status, payment_mode } = time.pick(open)
    if (status === 'PAID')
      await order(city, rider, time.chance(0.7) ? 'rate' : 'skip_rating', id, { rating: 5 })
    else if (status === 'PENDING' && payment_mode !== 'cash')
      await order(city, rider, 'choose_payment', id, { payment_mode: 'cash' })
    else if (city.isBusy && isOneOf(['NEW', 'ACCEPTED', 'ARRIVED'], status) && time.chance(0.04))
      await order(city, rider, 'cancel', id, { reason: 'other' })
  }
}

function driveAll(city: SimulatedCity): void {
  for (const driver of people(city, 'driver')) {
    city.time.start(() => drive(city, driver))
    city.time.start(() => report(city, driver))
  }
}

/** A driver's phone reports where it is. */
async function report(city: SimulatedCity, driver: Actor): Promise<void> {
  for (;;) {
    await city.time.delay(city.time.between(10_000, 30_000))
    city.locate(driver.id)
  }
}

/** A driver answers requests and drives trips, sometimes pressing a button twice, or on two phones. */
async function drive(city: SimulatedCity, driver: Actor): Promise<void> {
  const { time, store } = city
  for (;;) {
    await time.delay(time.between(1_000, 6_000))
    const { bookings, requests } = store.now
    const own = [...bookings.values()].filter((booking) => booking.driver === driver.id)
    const unpaid = own.find(({ status, payment_mode }) => status === 'PENDING' && payment_mode === 'cash')
    if (unpaid) await order(city, driver, 'confirm_cash', unpaid.id)
    const trip = own.find(({ status }) => isOneOf(drivingStatuses, status))
    if (trip) {
      await time.delay(time.between(5_000, trip.status === 'STARTED' ? 240_000 : 60_000))
      const gives = time.chance(0.05) && isOneOf(['ACCEPTED', 'ARRIVED'], trip.status)
      const [command, body] = gives
        ? (['cancel', { reason: 'other' }] as const)
        : nextStep(trip.status, time.chance(0.15))
      const presses = time.chance(0.1) ? [1, 2] : [1]
      await Promise.all(presses.map(() => order(city, driver, command, trip.id, body)))
      continue
    }
    const asked = [...requests.values()].filter(({ driver_id }) => driver_id === driver.id)
    if (asked.length === 0 || time.chance(0.2)) continue
    const answers = time.chance(0.2) ? asked : [time.pick(asked)]
    await Promise.all(
      answers.map(({ booking_id }) =>
        order(city, driver, time.chance(0.85) ? 'accept' : 'decline', booking_id),
      ),
    )
  }
}

const nextStep = (status: string, isUnpaid: boolean): readonly [Command, object] => {
  if (status === 'ACCEPTED') return ['arrive', {}]
  if (status === 'ARRIVED') return ['start', {}]
  return status === 'STARTED' ? ['reach', {}] : ['close', { collected: isUnpaid ? 'nothing' : 'all' }]
}

function ruleAll(city: SimulatedCity): void {
  for (const admin of people(city, 'admin')) city.time.start(() => rule(city, admin))
}

/** An admin assigns and withdraws drivers. */
async function rule(city: SimulatedCity, admin: Actor): Promise<void> {
  const { time, store } = city
  while (city.isBusy) {
    await time.delay(time.between(10_000, 120_000))
    const open = [...store.now.bookings.values()].filter(({ status }) =>
      isOneOf(['NEW', 'ACCEPTED', 'ARRIVED'], status),
    )
    if (open.length === 0) continue
    const { id } = time.pick(open)
    if (time.chance(0.7))
      await order(city, admin, 'assign_driver', id, {
        driver: time.pick(people(city, 'driver')).id,
        reason: 'closer',
      })
    else await order(city, admin, 'withdraw_driver', id, { reason: 'other' })
  }
}
