import { alertPath } from '@hansom/domain/alerts/alerts'
import { z } from 'zod'
import type { Mail } from '../../adapters/mail/port.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import { ignorePermanent } from '../messages/ignore-permanent.ts'
import type { Writers } from '../messages/write-messages.ts'
import type { UsersService } from '../users/service.ts'

export interface AlertMailDeps {
  database: Database
  jobs: Jobs
  mail: Mail
  log: Log
  writers: Writers
  users: Pick<UsersService, 'find' | 'alertReaders' | 'takeUnmailedAlerts' | 'unreadOf'>
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

const job = 'alerts.send-mail'
const order = z.object({ uid: z.uuid(), ids: z.array(z.uuid()) })

/**
 * Returns a function that mails everyone their unread alerts, those of one user in one email. What was taken and its job
 * commit together, so a crash neither loses nor repeats an alert.
 */
export function createAlertMails(deps: AlertMailDeps): () => Promise<void> {
  const { database, jobs, users } = deps
  jobs.define(job, { schema: order, concurrency: 2 }, ({ uid, ids }) => send(deps, uid, ids))
  return async () => {
    for (const uid of await users.alertReaders()) {
      await database.withTransaction(async (tx) => {
        const ids = await users.takeUnmailedAlerts(tx, uid)
        if (ids.length > 0) await jobs.send(job, { uid, ids }, { tx })
      })
    }
  }
}

async function send(deps: AlertMailDeps, uid: string, ids: readonly string[]): Promise<void> {
  const user = await deps.users.find(uid)
  if (user === null || user.email === null || !user.approved) return
  // They may have read them since.
  const alerts = await deps.users.unreadOf(uid, ids)
  if (alerts.length === 0) return
  const writer = await deps.writers.writerFor(user.locale)
  const site = deps.siteUrl()
  const params = { name: user.firstName }
  const written = writer.layout({
    subject: writer.fill('mail.alerts.subject', params),
    blocks: [
      { text: writer.fill('mail.alerts.text', params) },
      ...alerts.flatMap((alert) => [
        {
          link: writer.fill(alert.title, alert.params),
          url: `${site}${alertPath(alert, user.usertype) ?? ''}`,
        },
        { text: writer.fill(alert.msg, alert.params), quiet: true },
      ]),
    ],
    footer: [{ link: writer.fill('mail.alerts.choice'), url: `${site}/profile` }],
  })
  await deps.mail
    .send({
      to: user.email,
      ...written,
      kind: 'alerts',
      params: { count: String(alerts.length), link: site },
      person: uid,
    })
    .catch(ignorePermanent(deps.log, 'alerts'))
}
