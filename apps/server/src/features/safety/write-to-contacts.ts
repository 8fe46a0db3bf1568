import type { ContactCause } from '@hansom/domain/safety/trusted-contacts'
import { cityTime } from '@hansom/domain/time/city-time'
import type { Writer } from '../messages/write-messages.ts'
import type { TimedPoint } from './store.ts'

/** What is inserted into a message to a trusted contact. */
export interface ContactParams extends Readonly<Record<string, string>> {
  sender: string
  /** Empty if there is nothing to show. */
  link: string
}

/** `shown`: the link to the trip, or where the person was at a time, which is a link to a map. */
export function paramsOf(sender: string, shown: string | TimedPoint | null, timezone: string): ContactParams {
  if (shown === null || typeof shown === 'string') return { sender, link: shown ?? '' }
  return { sender, link: mapLink(shown), time: cityTime(shown.at, timezone).slice(11, 16) }
}

const kindOf = (cause: ContactCause) => (cause === 'help' ? 'contact_help' : 'contact_trip')

export function mailOf(writer: Writer, cause: ContactCause, params: ContactParams, unsubscribe: string) {
  const kind = kindOf(cause)
  const button = writer.fill(params.time ? 'mail.contact.open_map' : 'mail.contact.open', params)
  const written = writer.layout({
    subject: writer.fill(`mail.${kind}.subject`, params),
    blocks: [
      { text: writer.fill(`mail.${kind}.text`, params) },
      ...(params.time ? [{ text: writer.fill('mail.contact.place', params) }] : []),
      ...(params.link ? [{ button, url: params.link }] : []),
    ],
    footer: [
      { text: writer.fill('mail.contact.why', params), quiet: true },
      { link: writer.fill('mail.unsubscribe.title'), url: unsubscribe },
    ],
  })
  return { ...written, kind, params }
}

export function textOf(writer: Writer, cause: ContactCause, params: ContactParams) {
  const help = params.time ? 'contact_help_place_sms' : 'contact_help_sms'
  const kind = cause === 'help' ? help : 'contact_trip_sms'
  return { text: writer.sms(kind, params).trim(), kind, params }
}

/** A short URL of a map with the place, which fits into a text message. */
const mapLink = ({ lat, lng }: TimedPoint) =>
  `https://osm.org/?mlat=${lat.toFixed(5)}&mlon=${lng.toFixed(5)}&zoom=17`
