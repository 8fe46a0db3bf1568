import { textLimits } from '@hansom/domain/languages/text-limits'
import { writeSms } from '@hansom/domain/messages/sms-length'
import { blocksOf, layoutMail, type MailBlock, withoutMarks } from '../../platform/mailbox/mail-layout.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { CurrentSettings, SettingsService } from '../settings/service.ts'

/** The parts of a mail that the port needs. */
export interface WrittenMail {
  subject: string
  text: string
  html: string
}

interface MailParts {
  subject: string
  preheader?: string
  blocks: readonly MailBlock[]
  /** Why the reader gets it, and how to stop it. */
  footer?: readonly MailBlock[]
}

/** Writes to one person: their language, and the installation's settings. */
export interface Writer {
  texts: Readonly<Record<string, string>>
  language: string
  /** The locale of dates and numbers. */
  dateLocale: string
  direction: 'ltr' | 'rtl'
  settings: CurrentSettings
  /** A text with `params`, the app's name and the limits inserted. */
  fill(key: string, params?: Readonly<Record<string, string>>): string
  /** A name and its value on one line, such as “Pickup: Plaza”. */
  labeled(name: string, value: string): string
  /** A moment (epoch ms) in the city, such as “Friday, November 27, 2026 at 18:30 (Uruguay Time)”. */
  time(at: number): string
  /** A mail in the product's layout. */
  layout(parts: MailParts): WrittenMail
  /** A mail whose texts are `mail.<kind>.subject` and `.text`, with `more` below; `params.link` becomes a button. */
  mail(kind: string, params: Readonly<Record<string, string>>, more?: readonly MailBlock[]): WrittenMail
  /** A text message, `mail.<kind>.text`, short enough for two messages. */
  sms(kind: string, params: Readonly<Record<string, string>>): string
}

/** Mails and text messages in people's languages, all mails in one layout. */
export interface Writers {
  /** `locale` null: the installation's default language. */
  writerFor(locale: string | null): Promise<Writer>
}

export function createWriters(
  languages: Pick<LanguagesService, 'choose' | 'pack'>,
  settings: Pick<SettingsService, 'current'>,
): Writers {
  return {
    writerFor: async (locale) => {
      const { langLocale, dateLocale } = await languages.choose(locale === null ? [] : [locale])
      const { keyValuePairs: texts, direction } = await languages.pack(langLocale)
      const current = await settings.current()
      return createWriter({
        texts,
        language: langLocale,
        dateLocale: dateLocale || langLocale,
        direction,
        settings: current,
      })
    },
  }
}

function createWriter(
  reader: Pick<Writer, 'texts' | 'language' | 'dateLocale' | 'direction' | 'settings'>,
): Writer {
  const { texts, language, dateLocale, direction, settings } = reader
  const fill: Writer['fill'] = (key, params = {}) => {
    const values: Record<string, string | number> = { ...textLimits, ...params, appName: settings.appName }
    return (texts[key] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  }
  const labeled: Writer['labeled'] = (name, value) => fill('common.labeled', { name, value })
  const layout: Writer['layout'] = ({ subject, footer = [], ...content }) => {
    // A line break in a subject would start another header.
    const title = withoutMarks(subject).replace(/\s+/g, ' ').trim()
    const all = { ...content, title, footer: [...footer, { text: senderOf(settings) }] }
    return {
      subject: title,
      ...layoutMail(all, { language, direction, operator: settings.appName, labeled }),
    }
  }
  return {
    ...reader,
    fill,
    labeled,
    layout,
    time: (at) => timeText(at, settings.timezone, dateLocale),
    mail: (kind, params, more = []) => {
      const { link } = params
      const label = fill(texts[`mail.${kind}.button`] ? `mail.${kind}.button` : 'mail.open')
      return layout({
        subject: fill(`mail.${kind}.subject`, params),
        blocks: [...blocksOf(fill(`mail.${kind}.text`, params), link ? { url: link, label } : null), ...more],
      })
    },
    sms: (kind, params) => writeSms((values) => fill(`mail.${kind}.text`, values), params),
  }
}

/** Who sends the mail, as mail law requires: the company, its address and contact. */
function senderOf({ CompanyName, CompanyAddress, appName, contact_email }: CurrentSettings): string {
  return [CompanyName || appName, CompanyAddress, contact_email]
    .filter((part) => part.trim() !== '')
    .join('\n')
}

function timeText(at: number, timeZone: string, locale: string): string {
  const day = new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'shortGeneric' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
  return `${day} (${zone?.value ?? timeZone})`
}
