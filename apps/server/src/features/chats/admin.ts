import type { ChatReport, ReadChats } from '@hansom/contract/chats'
import type { Actor } from '@hansom/domain/access/relation'
import { readingMs } from '@hansom/domain/chats/chat'
import { Refusal } from '@hansom/domain/error-keys'
import { type AuditRecord, writeAudit, writeAuditOnce } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import { type BookingPeople, readPeople } from '../bookings/service.ts'
import type { CurrentSettings } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import type { ChatsService } from './service.ts'
import { type ChatRow, type MessageRow, messageView, reportView, standingOf } from './store.ts'
import type { chatReportsTable } from './table.ts'

type ReportRow = typeof chatReportsTable.$inferSelect

export interface ChatsAdminService {
  /** Everything that was written about a booking, and its reports. Audited. Throws chat_not_found. */
  read(actor: Actor, booking: string): Promise<ReadChats>
  /** Settles a report with a note. Audited. Throws not_found, conflict if another admin has settled it. */
  settleReport(actor: Actor, report: string, note: string): Promise<ChatReport>
}

export interface ChatsAdminDeps {
  database: Pick<Database, 'withTransaction'>
  clock: Pick<Clock, 'now'>
  settings: { current(): Promise<CurrentSettings> }
  users: Pick<UsersService, 'names'>
}

/** That an admin has read messages of a booking, for the audit log. */
const reading = (
  actor: Actor,
  booking: Pick<BookingPeople, 'id' | 'booking_id'>,
  count: number,
  at: number,
): AuditRecord => ({
  by: actor.id,
  at,
  action: 'chats.read',
  kind: 'booking',
  subject: booking.id,
  label: booking.booking_id,
  before: null,
  after: { chat_messages: count },
})

/** Audits an admin who opens a photo, unless they have read the booking's messages a short time before. */
export const auditPhoto = (
  tx: Transaction,
  actor: Actor,
  booking: Pick<BookingPeople, 'id' | 'booking_id'>,
  at: number,
): Promise<void> => writeAuditOnce(tx, reading(actor, booking, 1, at), at - readingMs)

export function createChatsAdmin({ database, clock, settings, users }: ChatsAdminDeps): ChatsAdminService {
  return {
    read: async (actor, booking) => {
      const { timezone } = await settings.current()
      const found = await database.withTransaction(async (tx) => {
        const { client } = tx
        const people = (await readPeople(client, [booking])).get(booking)
        const chats = await client.query<ChatRow>(
          'select * from chats where booking_id = $1 order by created_at',
          [booking],
        )
        if (people === undefined || chats.rows.length === 0) throw new Refusal('chat_not_found')
        const { rows: messages } = await client.query<MessageRow>(
          'select * from chat_messages where booking_id = $1 order by seq',
          [booking],
        )
        const { rows: reports } = await client.query<ReportRow>(
          'select * from chat_reports where booking_id = $1 order by at, id',
          [booking],
        )
        await writeAudit(tx, reading(actor, people, messages.length, clock.now()))
        return { people, chats: chats.rows, messages, reports }
      })
      const { people, chats, messages, reports } = found
      const names = await users.names(chats.map(({ driver_id }) => driver_id))
      return {
        conversations: chats.map((chat) => ({
          driver: chat.driver_id,
          driver_name: names.get(chat.driver_id) ?? '',
          rider_name: people.customer_name,
          // An earlier driver has left the trip.
          ...standingOf(chat, chat.driver_id === people.driver ? people.status : 'COMPLETE'),
          messages: messages
            .filter(({ driver_id }) => driver_id === chat.driver_id)
            .map((row) => messageView(row, timezone)),
        })),
        reports: reports.map(reportView),
      }
    },

    settleReport: (actor, report, note) =>
      database.withTransaction(async (tx) => {
        const { client } = tx
        const { rows } = await client.query<ReportRow>(
          'select * from chat_reports where id = $1 for update',
          [report],
        )
        const [found] = rows
        if (found === undefined) throw new Refusal('not_found')
        if (found.settled_at !== null) throw new Refusal('conflict')
        const at = clock.now()
        await client.query(
          'update chat_reports set settled_at = $2, settled_by = $3, settled_note = $4 where id = $1',
          [report, at, actor.id, note],
        )
        const people = (await readPeople(client, [found.booking_id])).get(found.booking_id)
        await writeAudit(tx, {
          by: actor.id,
          at,
          action: 'chats.settleReport',
          kind: 'booking',
          subject: found.booking_id,
          label: people?.booking_id ?? found.booking_id,
          // The note is about people: it stays with the report, and goes with it.
          before: { chat_report: found.reason },
          after: { chat_report: null },
        })
        return reportView({ ...found, settled_at: at, settled_by: actor.id, settled_note: note })
      }),
  }
}

export function chatsRoutes({ chats: os }: Os, chats: ChatsService, admin: ChatsAdminService) {
  return {
    show: os.show
      .use(signedIn)
      .handler(({ context: { actor }, input: { id, cursor } }) => chats.show(actor, id, cursor)),
    send: os.send
      .use(signedIn)
      .handler(({ context: { actor }, input: { id, ...outgoing } }) => chats.send(actor, id, outgoing)),
    mark: os.mark
      .use(signedIn)
      .handler(({ context: { actor }, input: { id, delivered = 0, read = 0 } }) =>
        chats.mark(actor, id, { delivered, read }),
      ),
    typing: os.typing.use(signedIn).handler(async ({ context: { actor }, input }) => {
      await chats.typing(actor, input.id)
      return {}
    }),
    block: os.block
      .use(signedIn)
      .handler(({ context: { actor }, input }) => chats.setBlocked(actor, input.id, true)),
    unblock: os.unblock
      .use(signedIn)
      .handler(({ context: { actor }, input }) => chats.setBlocked(actor, input.id, false)),
    report: os.report.use(signedIn).handler(async ({ context: { actor }, input: { id, ...report } }) => ({
      at: await chats.report(actor, id, report),
    })),
    read: os.read.use(signedIn).handler(({ context: { actor }, input }) => admin.read(actor, input.id)),
    settleReport: os.settleReport
      .use(signedIn)
      .handler(({ context: { actor }, input }) => admin.settleReport(actor, input.id, input.note)),
  }
}
