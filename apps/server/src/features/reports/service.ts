import type {
  DashboardView,
  DriverEarning,
  DriverTotal,
  EarningRow,
  EarningSums,
  OperationsView,
} from '@hansom/contract/reports'
import { type DriverEarningStep, earningsTable } from '@hansom/contract/reports-table'
import type { TableCount } from '@hansom/contract/tables'
import type { Actor } from '@hansom/domain/access/relation'
import type { Maps } from '../../adapters/maps/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Replica, reportsFrom } from '../../platform/database/replica.ts'
import type { Log } from '../../platform/log/log.ts'
import { readPeriods, scopeOf } from './store/periods.ts'
import { readDashboard, readEarnings } from './store/read-dashboard.ts'
import { countDriverEarnings, readDriverEarnings, readDriverTotals } from './store/read-driver-earnings.ts'
import { readOperations } from './store/read-operations.ts'
import { type Difference, recountReports } from './store/recount.ts'
import { figuresVersion, foldReports, rebuildReports, stateOfReports } from './store/sums.ts'

/** Filters of driver earnings, as in the contract. */
export interface DriversFilter {
  by?: DriverEarningStep | undefined
  q?: string | undefined
  year?: string | undefined
  month?: string | undefined
  driver?: string | undefined
  fleetadmin?: string | undefined
}

export interface DriversPage extends DriversFilter {
  sort: string
  cursor?: string | undefined
  limit: number
}

export interface ReportsService {
  /** For a fleet admin: their own fleet, without the platform's profit. */
  dashboard(actor: Actor): Promise<DashboardView>
  drivers(actor: Actor, page: DriversPage): Promise<{ items: DriverEarning[]; next: string | null }>
  driversCount(actor: Actor, asked: DriversFilter): Promise<TableCount>
  driverTotals(actor: Actor, asked: DriversFilter): Promise<DriverTotal[]>
  /** The operator's figures; for a fleet admin, those of their own fleet. */
  operations(
    actor: Actor,
    asked: { from: string; to: string; fleetadmin?: string | undefined },
  ): Promise<OperationsView>
  /** The platform's earnings, newest month first unless sorted otherwise. */
  earnings(asked: {
    year?: string | undefined
    month?: string | undefined
    sort?: string | undefined
  }): Promise<{ items: EarningRow[]; total: EarningSums }>
  /** Folds new changes into the sums, and applies a changed time zone. */
  fold(): Promise<void>
  /** Recalculates everything, for instance after a bulk load with triggers off. */
  rebuild(): Promise<void>
  /** Differences from a count of all bookings; none if all is well. Reads every booking. */
  recount(): Promise<Difference[]>
  start(): void
  stop(): Promise<void>
}

export interface ReportsDeps extends FoldDeps {
  clock: Clock
  maps: Pick<Maps, 'address'>
  replica?: Replica | undefined
}

/** Figures of all bookings, from sums that follow them. */
export function createReportsService(deps: ReportsDeps): ReportsService {
  const { database, clock, settings } = deps
  const read = reportsFrom(deps)
  const loop = new FoldLoop(deps)
  const queryOf = (actor: Actor, asked: DriversFilter) => ({
    scope: scopeOf(actor, asked.fleetadmin ?? null),
    by: asked.by ?? ('month' as const),
    periods: readPeriods(asked),
    driver: asked.driver ?? null,
    q: asked.q ?? '',
  })
  return {
    dashboard: (actor) =>
      read(({ db }) => readDashboard(db, scopeOf(actor), clock.now(), actor.role === 'admin')),
    drivers: (actor, page) =>
      read(({ db }) =>
        readDriverEarnings(db, {
          ...queryOf(actor, page),
          sort: page.sort,
          cursor: page.cursor,
          limit: page.limit,
        }),
      ),
    driversCount: (actor, asked) => read(({ db }) => countDriverEarnings(db, queryOf(actor, asked))),
    driverTotals: (actor, asked) => read(({ db }) => readDriverTotals(db, queryOf(actor, asked))),
    operations: (actor, { from, to, fleetadmin }) =>
      read(({ db }) =>
        readOperations(db, deps.maps, { scope: scopeOf(actor, fleetadmin ?? null), from, to }),
      ),
    earnings: async (asked) => {
      const { items, total } = await read(({ db }) => readEarnings(db, readPeriods(asked)))
      return { items: sortEarnings(items, asked.sort ?? earningsTable.defaultSort), total }
    },
    fold: () => loop.fold(),
    rebuild: async () => rebuildReports(database, (await settings.current()).timezone),
    recount: () => recountReports(database),
    start: () => loop.start(),
    stop: () => loop.stop(),
  }
}

/** Sorts in memory: the rows are the months of a few years, newest first. */
function sortEarnings(rows: readonly EarningRow[], sort: string): EarningRow[] {
  const name = sort.replace(/^-/, '') as (typeof earningsTable.sorts)[number]
  const down = sort.startsWith('-') ? 1 : -1
  if (name === 'period') return down === 1 ? [...rows] : [...rows].reverse()
  return [...rows].sort((one, other) => down * (other[name] - one[name]))
}

interface FoldDeps {
  database: Database
  log: Log
  settings: { current(): Promise<{ timezone: string }> }
}

/** Folds report sums periodically until stopped. The figures are correct however late it runs. */
class FoldLoop {
  private readonly deps: FoldDeps
  private readonly everyMs: number
  private timer: NodeJS.Timeout | null = null
  private round: Promise<void> = Promise.resolve()

  constructor(deps: FoldDeps, everyMs = 3_000) {
    this.deps = deps
    this.everyMs = everyMs
  }

  start(): void {
    this.timer = setInterval(() => void this.fold(), this.everyMs)
    this.timer.unref()
    void this.fold()
  }

  /** Waits for the current round. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer)
    await this.round
  }

  /** Runs one round after earlier ones: applies the city's time zone, then new changes. */
  fold(): Promise<void> {
    this.round = this.round.then(() => this.once())
    return this.round
  }

  private async once(): Promise<void> {
    const { database, log, settings } = this.deps
    try {
      const { timezone } = await settings.current()
      const state = await stateOfReports(database.pool)
      if (state.timezone !== timezone || state.figures !== figuresVersion) {
        await rebuildReports(database, timezone)
        log.info({ timezone }, 'reports rebuilt for another time zone or other figures')
      }
      await foldReports(database.pool)
    } catch (error) {
      log.warn({ err: error }, 'failed to update the report sums, will retry')
    }
  }
}
