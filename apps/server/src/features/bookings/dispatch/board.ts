import type {
  Candidate,
  DispatchBooking,
  DispatchChange,
  DispatchDecision,
  DispatchHold,
  DispatchState,
  RecentRequest,
} from '@hansom/contract/dispatch'
import { can } from '@hansom/domain/access/permissions'
import type { Booking } from '@hansom/domain/bookings/booking'
import { type BoardRules, boardStatuses, plannedAheadMs } from '@hansom/domain/dispatch/board'
import { Refusal } from '@hansom/domain/error-keys'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { TopicSource } from '../../../platform/live/topics.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { type CandidateDeps, findBookingCandidates } from './candidates.ts'
import { readDecisions, readRecent } from './decisions.ts'
import { boardChannel, type Holds } from './holds.ts'

/** Maximum number of bookings in a snapshot. */
const snapshotLimit = 5_000
/** Scheduled trips are sent before they are in the queue, so that a page left open for hours still lists them, ms. */
const plannedMarginMs = 6 * 3_600_000

type RowFields = Omit<DispatchBooking, 'asked' | 'drops'>

export function boardRow(
  booking: Pick<Booking, keyof RowFields>,
  requests: readonly { driver_id: string; expires_at: number | null }[],
  drops: number | null,
): DispatchBooking {
  const { id, version, booking_id, status, bookLater, bookingDate, tripdate, car_type_id, carType } = booking
  const { customer_name, payment_mode, note, driver, driver_name, vehicle_number } = booking
  const { promised_arrival, driver_arrive_time } = booking
  const place = ({ lat, lng, add }: Booking['pickup']) => ({ lat, lng, add })
  return {
    id,
    version,
    booking_id,
    status,
    bookLater,
    bookingDate,
    tripdate,
    car_type_id,
    carType,
    customer_name,
    pickup: place(booking.pickup),
    drop: place(booking.drop),
    drops,
    payment_mode,
    note,
    driver,
    driver_name,
    vehicle_number,
    promised_arrival,
    driver_arrive_time,
    asked: requests.map(({ driver_id, expires_at }) => [driver_id, expires_at]),
  }
}

const rowColumns = `b.id, b.version, b.booking_id, b.status, b.book_later as "bookLater",
  b.booking_date as "bookingDate", b.tripdate, b.car_type_id, b.car_type as "carType", b.customer_name, b.pickup,
  b.drop, b.payment_mode, b.note, b.driver, b.driver_name, b.vehicle_number, b.promised_arrival, b.driver_arrive_time,
  (select f.drops from delivery_facts f where f.booking_id = b.id) as drops,
  case when b.status = 'NEW' then (select coalesce(jsonb_agg(r), '[]') from
    (select driver_id, expires_at from booking_requests where booking_id = b.id
      and (expires_at is null or expires_at > $1)) r) else '[]' end as requests`

type BoardRecord = RowFields & Pick<DispatchBooking, 'drops'> & { requests: Parameters<typeof boardRow>[1] }

async function readBoard(pool: Pool, now: number): Promise<DispatchBooking[]> {
  const reply = await pool.query<BoardRecord>({
    name: 'dispatch-board',
    // The second condition on the status is that of the partial index.
    text: `select ${rowColumns} from bookings b where b.status = any($2) and b.status not in ('COMPLETE', 'CANCELLED')
      and (b.status <> 'NEW' or b.tripdate <= $3) order by b.tripdate limit ${snapshotLimit}`,
    values: [now, boardStatuses, now + plannedAheadMs + plannedMarginMs],
  })
  return reply.rows.map((row) => boardRow(row, row.requests, row.drops))
}

const rulesOf = ({ dispatch }: CurrentSettings): BoardRules => ({
  alarmAfter: dispatch.alarmAfter,
  leadMinutes: dispatch.leadMinutes,
})

interface BoardDeps {
  pool: Pool
  clock: Pick<Clock, 'now'>
  settings: { current(): Promise<CurrentSettings> }
  holds: Holds
}

/** The topic of the dispatch screen. An admin who leaves it releases their holds. */
export function dispatchSource({ pool, clock, settings, holds }: BoardDeps): TopicSource<DispatchState> {
  return {
    isShared: true,
    async authorize(actor) {
      return actor?.approved && can(actor, 'topic.dispatch') ? { channel: boardChannel } : null
    },
    async snapshot(actor) {
      if (!actor?.approved || !can(actor, 'topic.dispatch')) throw new Refusal('not_found')
      const now = clock.now()
      const [current, bookings, held] = await Promise.all([
        settings.current(),
        readBoard(pool, now),
        holds.all(now),
      ])
      return { rules: rulesOf(current), bookings, holds: held }
    },
    left: ({ id }) => holds.releaseAll(id),
  }
}

interface RulesDeps {
  hub: { publish(channel: string, data: unknown): void }
  settings: { onChange(listener: (settings: CurrentSettings) => void): void }
}

/** Publishes the rules of the dispatch screen when the settings change. */
export function publishRules({ hub, settings }: RulesDeps): void {
  settings.onChange((current) => {
    hub.publish(boardChannel, { rules: rulesOf(current) } satisfies DispatchChange)
  })
}

export interface DispatchService {
  /** The drivers who could take a booking, best first. Throws not_found, wrong_status. */
  candidates(booking: string): Promise<Candidate[]>
  /** Why drivers were asked for a booking or not. Throws not_found. */
  decisions(booking: string): Promise<DispatchDecision[]>
  /** What became of the recent requests near a driver. */
  recent(driver: string): Promise<RecentRequest[]>
  /** Takes or renews an admin's hold; returns the current one. Throws not_found, wrong_status. */
  hold(booking: string, user: string): Promise<DispatchHold>
  release(booking: string, user: string): Promise<void>
}

export function createDispatchService({ holds, ...deps }: CandidateDeps & { holds: Holds }): DispatchService {
  return {
    candidates: (booking) => findBookingCandidates(deps, booking),
    decisions: (booking) => readDecisions(deps.pool, booking),
    recent: (driver) => readRecent(deps.pool, driver, deps.clock.now()),
    hold: holds.hold,
    release: holds.release,
  }
}
