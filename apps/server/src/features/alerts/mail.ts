import { alertPath } from '@hansom/domain/alerts/alerts'
import { z } from 'zod'
import { type Mail, MailError } from '../../adapters/mail/port.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import { escaped, mailLink, mailPage, withoutMarks } from '../../platform/mailbox/mail-page.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'

export interface AlertMailDeps {
  database: Database
  jobs: Jobs
  mail: Mail
  log: Log
  settings: Pick<SettingsService, 'current'>
  languages: Pick<LanguagesService, 'choose' | 'pack'>
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
  const { langLocale } = await deps.languages.choose(user.locale === null ? [] : [user.locale])
  const { keyValuePairs: texts, direction } = await deps.languages.pack(langLocale)
  const { appName } = await deps.settings.current()
  const text = (key: string, params: Readonly<Record<string, string>>) =>
    withoutMarks((texts[key] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? ''))
  const site = deps.siteUrl()
  const params = { appName, name: user.firstName }
  const subject = text('mail.alerts.subject', params).replace(/[\r\n]+/g, ' ')
  const intro = text('mail.alerts.text', params)
  const choice = text('mail.alerts.choice', params)
  const profile = `${site}/profile`
  const items = alerts.map((alert) => ({
    title: text(alert.title, alert.params),
    msg: text(alert.msg, alert.params),
    link: `${site}${alertPath(alert, user.usertype) ?? ''}`,
  }))
  const paragraphs = [
    `<p>${escaped(intro).replaceAll('\n', '<br>')}</p>`,
    ...items.map(
      ({ title, msg, link }) =>
        `<p><strong>${escaped(title)}</strong><br>${escaped(msg)}<br>${mailLink(link)}</p>`,
    ),
    `<p style="color:#5b6068">${escaped(choice)}<br>${mailLink(profile)}</p>`,
  ]
  await deps.mail
    .send({
      to: user.email,
      subject,
      text: [
        intro,
        ...items.map(({ title, msg, link }) => `${title}\n${msg}\n${link}`),
        `${choice}\n${profile}`,
      ].join('\n\n'),
      html: mailPage({ title: subject, operator: appName, direction, body: paragraphs.join('\n') }),
      kind: 'alerts',
      params: { count: String(items.length), link: site },
    })
    .catch((error: unknown) => {
      if (!(error instanceof MailError && error.permanent)) throw error
      deps.log.warn({ err: error }, 'alerts could not be sent')
    })
}
