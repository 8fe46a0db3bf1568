import { batchDrivers, matchBatch } from '@hansom/domain/dispatch/batch'
import { waitingSince } from '@hansom/domain/dispatch/board'
import type { Candidate, Exclusion } from '@hansom/domain/dispatch/strategies'
import { searchRadiusKm } from '@hansom/domain/dispatch/waves'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { mayCollect } from '@hansom/domain/users/eligibility'
import type { DriveTime } from '../../../adapters/maps/port.ts'
import { askDrivers, findNoDriver, haveDriversReported, type WaveDeps } from './ask-drivers.ts'
import { type BatchOptions, type BatchOutcome, bookingsOfBatch, noteFailure } from './batch-bookings.ts'
import type { DecisionRecord } from './decisions.ts'
import type { WaitingBooking } from './dispatch-facts.ts'
import { arrivalOf, formerDrivers, nearDrivers } from './find-candidates.ts'
import { nextBatchAt } from './wave.ts'

/** For this number of batches, a booking waits for drivers of whom only another server knows. */
const newBatches = 3
/** Commands at the same time. */
const atOnce = 8
/**
 * Matches all riders who wait in batches with the free drivers around them, and asks the drivers. Two servers may run it at
 * the same time: a booking is asked for once for each of its waves, and a driver who was asked twice accepts one trip.
 */
export async function runBatch(deps: WaveDeps, options: BatchOptions = {}): Promise<BatchOutcome> {
  const { clock, maps, driverIndex, dispatchFacts } = deps
  const general = await deps.settings.current()
  const now = clock.now()
  if (!general.autoDispatch) return { next: null, others: [] }
  const { waiting, others, next: nextOfLeftOut } = await bookingsOfBatch(deps, general, options)
  if (waiting.length === 0) return { next: nextOfLeftOut, others }

  const radiusKm = searchRadiusKm(general)
  let reading: Promise<boolean> | undefined
  /** Once for all riders of the batch. */
  const readAround = () => {
    reading ??= deps.drivers.readAround(
      waiting.map(({ booking }) => booking.pickup),
      radiusKm,
    )
    return reading
  }
  if (!deps.drivers.isCurrent()) await readAround()
  const near = await nearDrivers(
    deps,
    waiting.map(({ booking }) => ({
      ...booking,
      exclude: new Set([...booking.asked, ...booking.excluded_drivers]),
    })),
    general,
    now,
  )
  const ids = [...new Set(near.flat())]
  const fairness = Math.max(...waiting.map(({ figures }) => figures.fairness))
  const soonFreeMinutes = Math.max(...waiting.map(({ figures }) => figures.soonFreeMinutes))
  const carTypes = [...new Set(waiting.map(({ booking }) => booking.car_type_id))]
  const [able, asked, idleS, ending] = await Promise.all([
    dispatchFacts.free(ids),
    dispatchFacts.askedForOthers(ids, null, now),
    dispatchFacts.idleTimes(ids, fairness, now),
    dispatchFacts.soonFree({
      carTypes,
      minutes: soonFreeMinutes,
      pickups: waiting.map(({ booking }) => booking.pickup),
      radiusKm,
      booking: null,
      now,
    }),
  ])
  const positions = new Map<string, LatLng>()
  for (const id of ids) {
    const at = await driverIndex.get(id)
    if (at) positions.set(id, { lat: at.lat, lng: at.lng })
  }

  const former = await Promise.all(
    waiting.map(({ booking }) => formerDrivers(driverIndex, booking.asked, booking.excluded_drivers)),
  )

  // Each driver once, for all riders who are compared with them.
  const starts: LatLng[] = []
  const startOf = new Map<string, number>()
  const pairs: [number, number][] = []
  const index = (key: string, at: LatLng) => {
    const known = startOf.get(key)
    if (known !== undefined) return known
    startOf.set(key, starts.length)
    return starts.push(at) - 1
  }
  const found = waiting.map(({ booking, figures }, rider) => {
    const mayPay = (balance: number) =>
      mayCollect(balance, { ...general, payment_mode: booking.payment_mode })
    const free = (near[rider] ?? []).flatMap((id) => {
      const location = positions.get(id)
      if (!location) return []
      const driver = able.get(id)
      const excluded: Exclusion | undefined =
        driver?.car_type_id !== booking.car_type_id
          ? 'unavailable'
          : !mayPay(driver.wallet_balance)
            ? 'debt'
            : asked.has(id)
              ? 'other_request'
              : undefined
      return [{ id, location, freeS: 0, excluded }]
    })
    const soon = ending
      .filter(({ id, freeS, car_type_id, wallet_balance }) => {
        const isOut = booking.excluded_drivers.includes(id) || booking.asked.includes(id)
        const isSoon = freeS <= figures.soonFreeMinutes * 60
        return isSoon && !isOut && car_type_id === booking.car_type_id && mayPay(wallet_balance)
      })
      .map(({ id, drop, freeS }) => ({ id, location: drop, freeS, excluded: undefined }))
      .filter(({ location }) => greatCircleKm(location, booking.pickup) <= radiusKm)
    const away = (location: LatLng) => greatCircleKm(location, booking.pickup)
    // The index may not know yet that a driver is on a trip.
    const ready = free.filter(({ id }) => !soon.some((driver) => driver.id === id))
    const candidates = [...ready, ...soon].sort((a, b) => away(a.location) - away(b.location))
    const compared = candidates.filter(({ excluded }) => !excluded).slice(0, batchDrivers)
    for (const { id, location } of compared) pairs.push([index(id, location), rider])
    const excluded = candidates.filter((driver) => driver.excluded).slice(0, batchDrivers)
    return { compared, excluded: [...excluded, ...(former[rider] ?? [])] }
  })
  const times = await maps.driveTimePairs(
    starts,
    waiting.map(({ booking }) => ({ lat: booking.pickup.lat, lng: booking.pickup.lng })),
    pairs,
  )
  let at = 0
  const arrivals = found.map(
    ({ compared }, rider) =>
      new Map(
        compared.map(({ id, location }) => {
          const time: DriveTime | null = times[at++] ?? null
          return [id, arrivalOf(time, location, (waiting[rider] as (typeof waiting)[number]).booking.pickup)]
        }),
      ),
  )
  const waitedS = (booking: WaitingBooking) => (now - waitingSince(booking, general.dispatch)) / 1000
  const matches = matchBatch(
    waiting.map(({ booking, figures }, rider) => ({
      booking: booking.id,
      pickup: booking.pickup,
      waitedS: waitedS(booking),
      figures,
      candidates: [
        ...(found[rider]?.compared ?? []).map(({ id, location, freeS }) => ({
          id,
          location,
          freeS,
          arrivalS: freeS + (arrivals[rider]?.get(id)?.pickupS as number),
          idleS: freeS > 0 ? 0 : idleS(id),
        })),
        ...(found[rider]?.excluded ?? []).map((driver) => ({ ...driver, arrivalS: 0 }) as Candidate),
      ],
    })),
  )

  let next = nextOfLeftOut ?? Number.POSITIVE_INFINITY
  const records: DecisionRecord[] = []
  const act = async (match: (typeof matches)[number], rider: number) => {
    const { booking, figures, rule } = waiting[rider] as (typeof waiting)[number]
    let { kind } = match
    if (kind === 'none') {
      // No booking ends because of what another server has not told yet.
      const sinceS = waitedS(booking)
      const mayFindMore = sinceS < newBatches * figures.batchSeconds && (await readAround())
      if (mayFindMore || !haveDriversReported(deps, booking.bookingDate)) kind = 'wait'
    }
    const wave = booking.wave + 1
    const record = {
      booking_id: booking.id,
      wave,
      at: now,
      kind,
      strategy: figures.strategy,
      rule,
      radius: radiusKm,
      ...match.considered(),
    }
    if (kind === 'wait') {
      next = Math.min(next, nextBatchAt(now + 1, figures.batchSeconds))
      records.push(record)
      return
    }
    const isDone =
      match.driver === null
        ? await findNoDriver(deps, booking.id, booking.wave)
        : await askDrivers(deps, {
            booking: booking.id,
            before: booking.wave,
            wave,
            drivers: [match.driver],
            next_at: now + figures.waveSeconds * 1000,
            arrivals: arrivals[rider] ?? new Map(),
          })
    if (isDone) records.push(record)
  }
  // A booking that fails holds up no other.
  const tryAct = async (match: (typeof matches)[number], rider: number) => {
    try {
      await act(match, rider)
      options.failures?.delete(match.booking)
    } catch (error) {
      deps.log.error({ err: error, booking: match.booking }, 'failed to act on a booking of a batch')
      const { batchSeconds } = (waiting[rider] as (typeof waiting)[number]).figures
      next = Math.min(next, nextBatchAt(now + 1, batchSeconds))
      if (options.failures) noteFailure(options.failures, match.booking, now, batchSeconds)
    }
  }
  for (let first = 0; first < matches.length; first += atOnce)
    await Promise.all(matches.slice(first, first + atOnce).map((match, each) => tryAct(match, first + each)))
  // Drivers have been asked: without the reasons, the batch is done all the same.
  await dispatchFacts
    .record(records)
    .catch((err: unknown) => deps.log.error({ err }, 'failed to record the decisions of a batch'))
  return { next: Number.isFinite(next) ? next : null, others }
}
