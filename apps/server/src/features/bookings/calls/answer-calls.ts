import { mayCallStop } from '@hansom/domain/bookings/call-number'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance } from 'fastify'
import type { CallAnswer, IncomingCall, Voice } from '../../../adapters/voice/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Writers } from '../../messages/write-messages.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { parsePhone } from '../../users/phone-number.ts'
import type { UsersService } from '../../users/service.ts'
import { type BookingWithRequests, readBooking } from '../store/read-bookings.ts'
import type { callLinesTable } from './table.ts'

interface CallsDeps {
  database: Pick<Database, 'pool'>
  clock: Clock
  log: Log
  voice: Voice | null
  writers: Writers
  users: Pick<UsersService, 'find'>
  settings: { current(): Promise<CurrentSettings> }
  siteUrl(): string
}

/** Where the voice service asks what to do with a call. */
export const callsPath = '/api/v1/voice/calls'

/** Most calls of one person on one trip. */
export const mostCalls = 30

type Line = Pick<typeof callLinesTable.$inferSelect, 'side'> & { booking_id: string; within: boolean }

/**
 * What happens to a call of a number of the pool: it reaches the other person of the caller's trip, or a text is read. Couriers
 * reach only the person of the stop that they dialed. Both have the numbers of their accounts at the time of the call.
 */
export async function answerCall(deps: CallsDeps, { from, to, digits }: IncomingCall): Promise<CallAnswer> {
  const { database, clock, settings, users } = deps
  const reply = await database.pool.query<Line>({
    name: 'take-call-line',
    // The request with the number of a stop belongs to a call that was counted. The indexes of numbers are partial.
    text: `with callers as (
        select id from user_facts where mobile = $1 and email is not null
        union all select id from user_facts where mobile = $1 and email is null)
      update call_lines l set calls = least(l.calls + $3, $4 + 1) from callers c where l.user_id = c.id and l.number = $2
        returning l.booking_id, l.side, l.calls <= $4 as within`,
    values: [from, to, digits === null ? 1 : 0, mostCalls],
  })
  const [line, second] = reply.rows
  // Someone who changed their phone during a trip can have that of another person with the same line: no one is connected.
  if (line === undefined || second !== undefined) return say(deps, 'call_outside', null)
  const record = await readBooking(database.pool, line.booking_id, clock.now())
  const locale = await localeOf(deps, line, record)
  if (record === null || !line.within) return say(deps, 'call_limit', locale)
  const { country } = await settings.current()
  const refusal = await say(deps, 'call_stop', locale)
  const connect = (number: string | null | undefined): CallAnswer => {
    const phone = number ? parsePhone(number, country) : null
    return phone === null ? refusal : { kind: 'connect', to: phone, shown: to }
  }
  const other = line.side === 'rider' ? record.booking.driver : record.booking.customer
  const connectOther = async () => connect(other && (await users.find(other))?.mobile)
  if (line.side === 'rider' || record.delivery === null) return connectOther()
  if (digits === null) return { ...refusal, kind: 'ask' }
  const stop = /^\d{1,2}$/.test(digits)
    ? record.delivery.stops.find(({ n }) => n === Number(digits))
    : undefined
  if (stop === undefined || !mayCallStop(stop)) return refusal
  return stop.kind === 'drop' ? connect(stop.phone) : connectOther()
}

async function localeOf({ users }: CallsDeps, { side }: Line, record: BookingWithRequests | null) {
  const id = side === 'rider' ? record?.booking.customer : record?.booking.driver
  return (id && (await users.find(id))?.locale) || null
}

async function say({ writers }: CallsDeps, kind: string, locale: string | null) {
  const { fill, language } = await writers.writerFor(locale)
  return { kind: 'say' as const, text: fill(`mail.${kind}.text`), language }
}

const formType = 'application/x-www-form-urlencoded'

/** The endpoint of the voice service; requests that it did not sign are refused with 403. */
export function mountCalls(server: FastifyInstance, deps: CallsDeps & { limit: number }): void {
  const { voice, log, siteUrl, limit } = deps
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(formType, { bodyLimit: 16_384, parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    const config = { rateLimit: { max: limit, groupId: 'voice' }, fromAnyPage: true }
    scope.post(callsPath, { config }, async (request, reply) => {
      if (voice === null) throw new Refusal('not_found')
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
      const signature = String(request.headers[voice.signatureHeader] ?? '')
      const call = voice.readCall({ url: `${siteUrl()}${callsPath}`, form, signature })
      if (call === null) {
        log.warn('a call of the voice service failed verification')
        return reply.code(403).type('text/plain; charset=utf-8').send('wrong signature')
      }
      const { type, body } = voice.write(await answerCall(deps, call))
      return reply.header('cache-control', 'no-store').type(type).send(body)
    })
  })
}
