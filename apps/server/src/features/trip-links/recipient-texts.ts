import { cashDueAt } from '@hansom/domain/deliveries/cash'
import { expectedAt, type StopWithProofs } from '@hansom/domain/deliveries/delivery'
import type { RecipientMessage } from '@hansom/domain/deliveries/recipient-messages'
import { moneyText } from '@hansom/domain/money/amount'
import { firstCharacters } from '@hansom/domain/notifications/shortened'
import { cityDay } from '@hansom/domain/time/city-time'
import type { Writers } from '../messages/write-messages.ts'
import type { CurrentSettings } from '../settings/service.ts'
import type { LinkedBooking } from './service.ts'

/** Longest sender's name in a message, in characters, so that a text message fits into two. */
const maxSender = 24

/** A person's name in a message to others: too short for a sentence, and without what could be a link. */
export const nameInText = (name: string): string =>
  firstCharacters(name.replace(/[^\p{L}\p{M}' -]/gu, ''), maxSender)

/** What the recipient pays in cash; null if nothing. */
export function cashText(
  { booking, delivery }: LinkedBooking,
  stop: StopWithProofs,
  writer: Awaited<ReturnType<Writers['writerFor']>>,
  current: CurrentSettings,
): string | null {
  const due = delivery && cashDueAt(booking, delivery, stop)
  return due === null
    ? null
    : writer.fill('mail.parcel_cash.text', { amount: moneyText(due, booking.decimal, current) })
}

/** When the parcel is expected, with the day unless that is today. */
export function arrivalText(
  { delivery }: LinkedBooking,
  stop: StopWithProofs,
  now: number,
  { locale, timezone, isShort }: { locale: string; timezone: string; isShort: boolean },
): string {
  const at = delivery ? expectedAt(delivery, stop, now) : Math.max(now, stop.planned_at)
  const isToday = cityDay(at, timezone) === cityDay(now, timezone)
  return new Intl.DateTimeFormat(locale, {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(!isToday && { day: 'numeric', month: isShort ? 'short' : 'long' }),
    ...(!isToday && !isShort && { weekday: 'long' }),
  }).format(at)
}

/** The message's kind, which is part of its text keys. */
export function kindOf({ email, code, outcome }: StopWithProofs, message: RecipientMessage): string {
  const isText = email === null
  if (message === 'cancelled') return isText ? 'parcel_cancelled_sms' : 'parcel_cancelled_mail'
  if (message === 'outcome') {
    if (outcome !== 'failed') return 'parcel_delivered_mail'
    return isText ? 'parcel_failed_sms' : 'parcel_failed_mail'
  }
  if (code === null) return isText ? 'parcel_coming_sms' : 'parcel_coming_mail'
  return isText ? 'parcel_coming_code_sms' : 'parcel_coming_code_mail'
}
