import { createPublicKey } from 'node:crypto'
import type { DeviceView, NewDevice } from '@hansom/contract/devices'
import {
  kindOfToken,
  maxDevices,
  needsVisibleMessages,
  platformOfSubscription,
  subscriptionProblems,
} from '@hansom/domain/devices/device'
import { Refusal } from '@hansom/domain/error-keys'
import type { PushPlatform } from '@hansom/domain/push-notifications/push-notification'
import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { SessionActor } from '../../platform/http/implement.ts'
import type { UsersService } from '../users/service.ts'
import { readMuted } from './preferences.ts'
import { pushDevicesTable, pushPreferencesTable } from './table.ts'

export type DeviceRow = typeof pushDevicesTable.$inferSelect

export interface RegistryDeps {
  database: Database
  users: Pick<UsersService, 'lock'>
  clock: { now(): number }
  /** Hosts of push services in addition to the known ones. */
  pushHosts: readonly string[]
}

type Owner = Pick<SessionActor, 'id' | 'sessionId'>
type Described = Pick<DeviceRow, 'kind' | 'token' | 'p256dh' | 'auth' | 'platform' | 'locale' | 'closable'>

/** The columns of a device as it was sent. Throws invalid_input. */
function describe(device: NewDevice, pushHosts: readonly string[]): Described {
  const locale = device.locale ?? null
  if (device.kind !== 'web') {
    const { kind, token, platform } = device
    return { kind, token, platform, locale, p256dh: null, auth: null, closable: kind === 'fcm' }
  }
  const { endpoint, keys } = device
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  const fields = subscriptionProblems({ url, keys }, pushHosts)
  if (fields.length === 0 && !isPoint(keys.p256dh)) fields.push({ field: 'keys.p256dh', error: 'wrong_type' })
  if (url === null || fields.length > 0) throw new Refusal('invalid_input', { fields })
  return {
    kind: 'web',
    token: endpoint,
    p256dh: keys.p256dh.replace(/=+$/, ''),
    auth: keys.auth.replace(/=+$/, ''),
    platform: platformOfSubscription(url, device.platform),
    locale,
    closable: !needsVisibleMessages(url),
  }
}

/** True for an uncompressed point of P-256, base64url: another one could not be encrypted for. */
function isPoint(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url')
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((half) => half.toString('base64url'))
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

/** Registers a device with its owner's session. See the contract. */
export async function registerDevice(
  deps: RegistryDeps,
  owner: Owner,
  device: NewDevice,
): Promise<DeviceView> {
  const described = describe(device, deps.pushHosts)
  return deps.database.withTransaction(async (tx) => viewOf(await store(tx, deps, owner, described), owner))
}

/** Registers the token of a mobile app, replacing the earlier one of the session. */
export async function setPushToken(
  deps: RegistryDeps,
  owner: Owner,
  { token, platform }: { token: string; platform: PushPlatform },
): Promise<void> {
  const described = describe({ kind: kindOfToken(token), token, platform }, deps.pushHosts)
  await deps.database.withTransaction(async (tx) => {
    await store(tx, deps, owner, described)
    await removeTokens(tx.db, owner, token)
  })
}

/** Removes the app tokens of the session, except `but`. */
export async function removeTokens(db: Queries, { id, sessionId }: Owner, but = ''): Promise<void> {
  const table = pushDevicesTable
  const isOfSession = and(eq(table.user_id, id), eq(table.session_id, sessionId))
  await db.delete(table).where(and(isOfSession, ne(table.kind, 'web'), ne(table.token, but)))
}

/** Adds the device or renews it. The user's row is locked, so that the limit holds for concurrent registrations. */
async function store(
  tx: Transaction,
  { users, clock }: RegistryDeps,
  { id: uid, sessionId }: Owner,
  described: Described,
): Promise<DeviceRow> {
  const user = (await users.lock(tx, [uid])).get(uid)
  if (user === undefined || user.deleted_at !== null) throw new Refusal('not_found')
  const table = pushDevicesTable
  const now = clock.now()
  for (;;) {
    // Of another user: removed with the messages that wait for it.
    await tx.db.delete(table).where(and(eq(table.token, described.token), ne(table.user_id, uid)))
    const renewed = { ...described, session_id: sessionId, seen_at: now }
    const [row] = await tx.db
      .insert(table)
      .values({ id: uuidv7(), user_id: uid, created_at: now, ...renewed })
      .onConflictDoUpdate({ target: table.token, set: renewed, setWhere: eq(table.user_id, uid) })
      .returning()
    // Another user registered it concurrently.
    if (row === undefined) continue
    const kept = tx.db
      .select({ id: table.id })
      .from(table)
      .where(eq(table.user_id, uid))
      .orderBy(desc(table.seen_at), desc(table.id))
      .limit(maxDevices)
    await tx.db.delete(table).where(and(eq(table.user_id, uid), sql`${table.id} not in ${kept}`))
    return row
  }
}

function viewOf(row: DeviceRow, { sessionId }: Pick<Owner, 'sessionId'>): DeviceView {
  const { id, kind, platform, created_at: createdAt, seen_at: seenAt } = row
  return { id, kind, platform, createdAt, seenAt, current: row.session_id === sessionId }
}

/** Newest first. */
export async function listDevices(db: Queries, owner: Owner): Promise<DeviceView[]> {
  const table = pushDevicesTable
  const rows = await db
    .select()
    .from(table)
    .where(eq(table.user_id, owner.id))
    .orderBy(desc(table.seen_at), desc(table.id))
  return rows.map((row) => viewOf(row, owner))
}

/** Removes one of the user's devices, by its id or token; the number removed. */
export async function removeDevice(
  db: Queries,
  uid: string,
  device: { id: string } | { token: string },
): Promise<number> {
  const table = pushDevicesTable
  const isIt = 'id' in device ? eq(table.id, device.id) : eq(table.token, device.token)
  const removed = await db.delete(table).where(and(eq(table.user_id, uid), isIt))
  return removed.rowCount ?? 0
}

/** The device with a token and its user; null if there is none. */
export async function readTokenOwner(
  db: Queries,
  token: string,
): Promise<{ device: string; user: string } | null> {
  const { id, user_id } = pushDevicesTable
  const [row] = await db
    .select({ device: id, user: user_id })
    .from(pushDevicesTable)
    .where(eq(pushDevicesTable.token, token))
  return row ?? null
}

/** Removes all of a user's devices and preferences. */
export async function eraseDevices({ db }: Pick<Transaction, 'db'>, uid: string): Promise<void> {
  await db.delete(pushDevicesTable).where(eq(pushDevicesTable.user_id, uid))
  await db.delete(pushPreferencesTable).where(eq(pushPreferencesTable.user_id, uid))
}

/** A user's devices and muted kinds for the export of their data, without tokens. */
export async function ownDevices(db: Queries, uid: string) {
  const { kind, platform, locale, created_at: createdAt, seen_at: seenAt, user_id } = pushDevicesTable
  const devices = await db
    .select({ kind, platform, locale, createdAt, seenAt })
    .from(pushDevicesTable)
    .where(eq(user_id, uid))
    .orderBy(asc(createdAt))
  return { devices, muted: await readMuted(db, uid) }
}
