import { ownDataFields } from '@hansom/domain/users/field-views'
import type { Role } from '@hansom/domain/users/roles'
import type { Pool } from 'pg'
import { ownSignInData } from '../../accounts/sessions.ts'
import type { BookingsService } from '../../bookings/service.ts'
import type { OwnChats } from '../../chats/own-chats.ts'
import type { AddressBook } from '../../deliveries/address-book.ts'
import type { ImportsService } from '../../deliveries/imports.ts'
import type { DevicesService } from '../../devices/service.ts'
import type { MessagesService } from '../../messages/service.ts'
import type { PaymentsService } from '../../payments/service.ts'
import type { ContactsService } from '../../safety/contacts.ts'
import { ownSafetyEvents } from '../../safety/own-events.ts'
import type { WalletService } from '../../wallet/service.ts'
import type { WithdrawsService } from '../../withdraws/service.ts'
import type { UsersService } from '../service.ts'

export interface OwnDataDeps {
  pool: Pool
  users: Pick<UsersService, 'find' | 'savedAddresses' | 'alertMails' | 'notifications'>
  wallet: Pick<WalletService, 'history'>
  withdraws: Pick<WithdrawsService, 'own'>
  payments: Pick<PaymentsService, 'own'>
  bookings: Pick<BookingsService, 'views'>
  addressBook: Pick<AddressBook, 'list'>
  imports: Pick<ImportsService, 'own'>
  devices: Pick<DevicesService, 'own'>
  ownChats: Pick<OwnChats, 'list' | 'reports'>
  messagePreferences: MessagesService['preferences']
  trustedContacts: ContactsService['contacts']
}

/**
 * Streams all data about a user as the text of one JSON object, so that long histories are never held in memory.
 * Bookings are as the user sees them, as a rider and as a driver.
 */
export async function* ownData(deps: OwnDataDeps, uid: string, now: number): AsyncGenerator<string> {
  const { pool, users, wallet, withdraws, payments, bookings, addressBook, imports, devices, ownChats } = deps
  yield `{"exportedAt":${now},"profile":${JSON.stringify(await profileOf(users, uid))}`
  yield `,"savedAddresses":${JSON.stringify(await users.savedAddresses(uid))}`
  yield ',"addressBook":'
  yield* list((cursor) => addressBook.list(uid, { cursor }))
  yield ',"deliveryImports":'
  yield* list((cursor) => imports.own(uid, cursor))
  yield `,"messagePreferences":${JSON.stringify(await deps.messagePreferences(uid))}`
  yield `,"trustedContacts":${JSON.stringify(await deps.trustedContacts(uid))}`
  yield `,"alertMails":${JSON.stringify(await users.alertMails(uid))}`
  const { devices: registered, muted } = await devices.own(uid)
  yield `,"devices":${JSON.stringify(registered)},"mutedNotifications":${JSON.stringify(muted)}`
  const { sessions, methods } = await ownSignInData(pool, uid)
  yield `,"sessions":${JSON.stringify(sessions)}`
  yield `,"waysToSignIn":${JSON.stringify(methods)}`
  const { rows: ratings } = await pool.query(
    'select booking_id as booking, rate, at from user_ratings where user_id = $1 order by at',
    [uid],
  )
  yield `,"safetyEvents":${JSON.stringify(await ownSafetyEvents(pool, uid))}`
  yield `,"ratings":${JSON.stringify(ratings)}`
  yield ',"notifications":'
  yield* list((cursor) => users.notifications(uid, { cursor }))
  yield ',"walletHistory":'
  yield* list((cursor) => wallet.history(uid, cursor))
  yield ',"withdraws":'
  yield* list((cursor) => withdraws.own(uid, cursor))
  yield ',"payments":'
  yield* list((cursor) => payments.own(uid, cursor))
  yield ',"chatMessages":'
  yield* list((cursor) => ownChats.list(uid, cursor))
  yield `,"chatReports":${JSON.stringify(await ownChats.reports(uid))}`
  for (const usertype of ['rider', 'driver'] as const satisfies readonly Role[]) {
    yield `,"bookingsAs${usertype === 'rider' ? 'Rider' : 'Driver'}":`
    yield* list((cursor) =>
      bookings.views({ id: uid, role: usertype, approved: true }, { limit: 100, cursor }),
    )
  }
  yield '}\n'
}

async function profileOf(users: OwnDataDeps['users'], uid: string) {
  const row = await users.find(uid)
  if (row === null) return null
  return Object.fromEntries(ownDataFields.map((field) => [field, row[field]]))
}

async function* list(
  page: (cursor: string | undefined) => Promise<{ items: readonly unknown[]; next: string | null }>,
): AsyncGenerator<string> {
  let separator = '['
  let cursor: string | undefined
  do {
    const { items, next } = await page(cursor)
    for (const item of items) {
      yield separator + JSON.stringify(item)
      separator = ','
    }
    cursor = next ?? undefined
  } while (cursor !== undefined)
  yield separator === '[' ? '[]' : ']'
}
