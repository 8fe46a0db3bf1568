import type { FailedWork } from '@hansom/contract/failed-work'
import type { RouteName } from '@hansom/domain/access/routes'
import { Refusal } from '@hansom/domain/error-keys'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { discardEvents, releaseEvents } from '../../platform/outbox/parked-events.ts'

/** All work of one name that had failed by `until`, epoch ms. */
export type FailedWorkSelection = Pick<FailedWork, 'kind' | 'name'> & { until: number }

/** Events and jobs that failed permanently, for an admin to retry or discard. */
export interface FailedWorkService {
  list(): Promise<FailedWork[]>
  /** Retries the work; returns the number of items. Throws not_found. */
  retry(by: string, chosen: FailedWorkSelection): Promise<number>
  /** Deletes the work; returns the number of items. Throws not_found. */
  discard(by: string, chosen: FailedWorkSelection): Promise<number>
}

export interface FailedWorkDeps {
  database: Database
  clock: Clock
  jobs: Jobs
  outbox: Pick<Outbox, 'wake'>
}

export function createFailedWorkService({
  database,
  clock,
  jobs,
  outbox,
}: FailedWorkDeps): FailedWorkService {
  const command = (
    by: string,
    action: RouteName,
    { kind, name }: FailedWorkSelection,
    work: (tx: Transaction) => Promise<number>,
  ) =>
    database.withTransaction(async (tx) => {
      const count = await work(tx)
      if (count === 0) throw new Refusal('not_found')
      const before = { kind, count }
      const subject = `${kind} ${name}`
      await writeAudit(tx, {
        by,
        at: clock.now(),
        action,
        kind: 'failed_work',
        subject,
        label: name,
        before,
        after: null,
      })
      return count
    })

  return {
    async list() {
      const events = await database.pool.query<FailedWork>(
        `select 'event' as kind, kind as name, count(*)::int as count, min(failing_since) as since,
            max(failing_since) as latest, (array_agg(error order by failing_since desc))[1] as error
          from parked_events group by kind`,
      )
      const failedJobs = (await jobs.failed()).map((failed): FailedWork => ({ kind: 'job', ...failed }))
      return [...events.rows, ...failedJobs].sort((a, b) => a.since - b.since)
    },
    retry: (by, chosen) =>
      command(by, 'failedWork.retry', chosen, async (tx) => {
        const { kind, name, until } = chosen
        if (kind === 'job') return jobs.retryFailed(name, until, tx)
        tx.afterCommit(() => outbox.wake())
        return releaseEvents(tx.client, name, until)
      }),
    discard: (by, chosen) =>
      command(by, 'failedWork.discard', chosen, (tx) => {
        const { kind, name, until } = chosen
        return kind === 'job' ? jobs.discardFailed(name, until, tx) : discardEvents(tx.client, name, until)
      }),
  }
}

export function failedWorkRoutes({ failedWork: os }: Os, failedWork: FailedWorkService) {
  return {
    list: os.list.handler(async () => ({ items: await failedWork.list() })),
    retry: os.retry.use(signedIn).handler(async ({ context, input }) => ({
      count: await failedWork.retry(context.actor.id, input),
    })),
    discard: os.discard.use(signedIn).handler(async ({ context, input }) => ({
      count: await failedWork.discard(context.actor.id, input),
    })),
  }
}
