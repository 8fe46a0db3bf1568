import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Mail, MailError } from '../../adapters/mail/port.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { SettingsService } from '../settings/service.ts'
import { usersTable } from '../users/table.ts'
import type { LinkKind, Links } from './links.ts'

const uid = z.uuid()
const order = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reset'), email: z.string() }),
  z.object({ kind: z.literal('verify_email'), uid }),
  z.object({ kind: z.literal('invitation'), uid }),
  z.object({ kind: z.literal('prove_mobile'), uid }),
  z.object({ kind: z.literal('change_email'), uid, email: z.string() }),
  z.object({ kind: z.literal('email_changed'), uid, email: z.string() }),
  z.object({ kind: z.literal('contact_corrected'), uid, email: z.string() }),
  z.object({ kind: z.literal('password_changed'), uid }),
])
export type MailOrder = z.infer<typeof order>

/** Queues emails. A job looks up the recipient later, so an unknown user takes as long as a known one. */
export interface Mails {
  /** With `tx` the email is sent if and when that transaction commits. */
  order(order: MailOrder, tx?: Transaction): Promise<void>
}

export interface MailsDeps {
  database: Database
  jobs: Jobs
  links: Links
  mail: Mail
  messages: Messages
  log: Log
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

const job = 'identity.mail'
const pages: Record<LinkKind, string> = {
  reset: '/reset-password',
  verify_email: '/verify-email',
  invitation: '/invitation',
  change_email: '/confirm-email',
  prove_mobile: '/confirm-mobile',
}

export function createMails(deps: MailsDeps): Mails {
  const { database, jobs, links, mail, messages, log } = deps

  const find = async (wanted: MailOrder) => {
    const by = wanted.kind === 'reset' ? eq(usersTable.email, wanted.email) : eq(usersTable.id, wanted.uid)
    const [person] = await database.db
      .select({
        uid: usersTable.id,
        email: usersTable.email,
        firstName: usersTable.firstName,
        locale: usersTable.locale,
      })
      .from(usersTable)
      .where(by)
    return person
  }

  jobs.define(job, { schema: order, concurrency: 4 }, async (wanted) => {
    const person = await find(wanted)
    if (person === undefined) return
    const { kind } = wanted
    const to = 'email' in wanted ? wanted.email : person.email
    const params: Record<string, string> = { name: nameIn(person.firstName) }
    if (kind !== 'email_changed' && kind !== 'contact_corrected' && kind !== 'password_changed') {
      const token = await links.make(database.db, kind, person.uid, to)
      params.link = `${deps.siteUrl()}${pages[kind]}?token=${token}`
    }
    const { subject, text } = await messages.write(kind, params, person.locale)
    await mail.send({ to, subject, text, kind, params }).catch((error: unknown) => {
      if (!(error instanceof MailError && error.permanent)) throw error
      log.warn({ err: error, kind }, 'email could not be sent')
    })
  })

  return {
    order: async (wanted, tx) => {
      await jobs.send(job, wanted, tx === undefined ? {} : { tx })
    },
  }
}

/** Removes URLs and line breaks from a name: someone may have signed up with a stranger's address to send them spam. */
function nameIn(firstName: string): string {
  return firstName.replace(/[^\p{L}\p{M}' -]/gu, '').slice(0, 40)
}

/** Texts of emails and text messages in the user's language. */
export interface Messages {
  /** Fills `params` and the service's name into the texts. */
  write(
    kind: string,
    params: Readonly<Record<string, string>>,
    locale: string | null,
  ): Promise<{ subject: string; text: string }>
}

export function createMessages(languages: LanguagesService, settings: SettingsService): Messages {
  return {
    write: async (kind, params, locale) => {
      const { langLocale } = await languages.choose(locale === null ? [] : [locale])
      const { keyValuePairs: texts } = await languages.pack(langLocale)
      const { appName } = await settings.current()
      const values: Record<string, string> = { ...params, appName }
      const filled = (key: string) =>
        (texts[key] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
      // A line break in a subject would start another header.
      const subject = filled(`mail.${kind}.subject`).replace(/[\r\n]+/g, ' ')
      return { subject, text: filled(`mail.${kind}.text`) }
    },
  }
}
