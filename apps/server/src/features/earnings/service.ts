import type { EarningLine, EarningPeriodView } from '@hansom/contract/earnings'
import { type EarningStep, partsOfPeriod, periodAround } from '@hansom/domain/earnings/period'
import { cityDay } from '@hansom/domain/time/city-time'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Replica, reportsFrom } from '../../platform/database/replica.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { SettingsService } from '../settings/service.ts'
import { readLines, readSums } from './read-earnings.ts'

/** The day, week or month that contains `day`, by default today. */
export interface PeriodQuery {
  by?: EarningStep | undefined
  day?: string | undefined
}

/** A driver's earnings, calculated on request: no period is longer than a month. */
export interface EarningsService {
  period(driver: string, asked: PeriodQuery): Promise<EarningPeriodView>
  /** Throws invalid_input for an invalid cursor. */
  lines(
    driver: string,
    asked: PeriodQuery & { cursor?: string | undefined; limit: number },
  ): Promise<{ items: EarningLine[]; next: string | null }>
}

export interface EarningsDeps {
  database: Database
  replica?: Replica | undefined
  clock: Clock
  settings: Pick<SettingsService, 'current'>
}

export function createEarningsService(deps: EarningsDeps): EarningsService {
  const { clock, settings } = deps
  const read = reportsFrom(deps)
  const periodOf = async ({ by = 'day', day }: PeriodQuery) => {
    const { timezone } = await settings.current()
    const today = cityDay(clock.now(), timezone)
    const days = periodAround(by, day ?? today)
    return { timezone, today, by, ...days, starts: partsOfPeriod(by, days, timezone) }
  }
  return {
    period: async (driver, asked) => {
      const { starts, ...period } = await periodOf(asked)
      return { ...period, ...(await read(({ db }) => readSums(db, { driver, starts }))) }
    },
    lines: async (driver, { cursor, limit, ...asked }) => {
      const { starts } = await periodOf(asked)
      return read(({ db }) => readLines(db, { driver, starts }, { cursor, limit }))
    },
  }
}

const pageSize = 30

/** A driver's own earnings. */
export function earningsRoutes({ earnings: os }: Os, service: EarningsService) {
  return {
    period: os.period.use(signedIn).handler(({ context, input }) => service.period(context.actor.id, input)),
    lines: os.lines
      .use(signedIn)
      .handler(({ context, input: { limit, ...asked } }) =>
        service.lines(context.actor.id, { ...asked, limit: limit ?? pageSize }),
      ),
  }
}
