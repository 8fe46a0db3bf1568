import type { ImportRow, ImportView } from '@hansom/contract/deliveries'
import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import type { Actor } from '@hansom/domain/access/relation'
import type { ImportRowState } from '@hansom/domain/deliveries/import'
import { Refusal } from '@hansom/domain/error-keys'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { type Os, type SignedInContext, signedIn } from '../../platform/http/implement.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import { bookQueuedRows, type QueueDeps } from './book-import-rows.ts'
import { type CheckDeps, checkImportRow } from './check-import-row.ts'
import {
  findImport,
  insertImport,
  listImports,
  queueGoodRows,
  readRows,
  removeOldImports,
  removeQueuedRows,
  rowsToCheck,
  sendersWithQueue,
  storeChecked,
} from './import-store.ts'
import { readImportFile, sha256 } from './read-import-file.ts'

/** Deliveries from CSV files: a dry run first, then a queue. */
export interface ImportsService {
  list(uid: string): Promise<ImportView[]>
  /** See the contract's `startImport`. `by` is an admin who does it for the sender, which is audited. */
  start(
    uid: string,
    file: { name: string; text: string; pickup?: string | undefined; vehicle?: string | undefined },
    by?: string,
  ): Promise<ImportView>
  /** Throws not_found for other users' files. */
  show(
    uid: string,
    query: { id: string; after?: number | undefined; state?: ImportRowState | undefined },
  ): Promise<ImportView & { items: ImportRow[]; next: number | null }>
  book(uid: string, id: string, by?: string): Promise<ImportView>
  stop(uid: string, id: string, by?: string): Promise<ImportView>
  /** The user's files with all rows, one at a time, for the export of their data. */
  own(uid: string, cursor: string | undefined): Promise<{ items: object[]; next: string | null }>
}

export type ImportsDeps = Omit<CheckDeps, 'bookings'> &
  QueueDeps & {
    database: Database
    clock: Clock
    jobs: Jobs
    settings: Pick<SettingsService, 'current'>
    users: Pick<UsersService, 'lock'>
    bookings: CheckDeps['bookings'] & QueueDeps['bookings']
  }

const checkJob = 'deliveries.check-import'
const bookJob = 'deliveries.book-imports'
const queueJob = 'deliveries.import-queue'
const queueEveryS = 60
const checkedAtOnce = 20
/** How long a job works before it hands over to the next one, ms. */
const turnMs = 20_000
const pageSize = 100
/** Files are removed after 30 days, with the data of recipients in them. */
const keptMs = 30 * 24 * 3_600_000

export function createImportsService(deps: ImportsDeps): ImportsService {
  const { database, clock, jobs, settings } = deps
  const { pool } = database

  jobs.define(
    checkJob,
    { schema: z.object({ id: z.uuid() }), concurrency: 2, timeoutS: 60 },
    async ({ id }) => {
      const begun = performance.now()
      const { timezone } = await settings.current()
      const found = new Map()
      for (;;) {
        const rows = await rowsToCheck(pool, id, checkedAtOnce)
        if (rows.length === 0) return
        for (const { n, data } of rows) {
          await storeChecked(
            pool,
            id,
            n,
            await checkImportRow(deps, data, { now: clock.now(), timezone, found }),
          )
        }
        if (performance.now() - begun > turnMs) {
          await jobs.send(checkJob, { id }, { singletonKey: id })
          return
        }
      }
    },
  )
  jobs.define(
    bookJob,
    { schema: z.object({ uid: z.uuid() }), concurrency: 2, timeoutS: 60 },
    async ({ uid }) => {
      const isDone = await bookQueuedRows(deps, uid, performance.now() + turnMs)
      if (!isDone) await jobs.send(bookJob, { uid }, { singletonKey: uid })
    },
  )
  // Room and money come with time: tries the queues again.
  jobs.define(queueJob, { schema: z.object({}), repeat: { everyS: queueEveryS, data: {} } }, async () => {
    for (const uid of await sendersWithQueue(pool)) await jobs.send(bookJob, { uid }, { singletonKey: uid })
    await removeOldImports(pool, clock.now() - keptMs)
  })

  /** What an admin did with a sender's file, and the number of its rows concerned. */
  const audit = async (
    tx: Transaction,
    command: 'startImport' | 'bookImport' | 'stopImport',
    { id, uid, by, name, rows }: { id: string; uid: string; by: string; name: string; rows: number },
  ) => {
    if (by === uid || rows === 0) return
    const action = `deliveries.${command}` as const
    const record = { by, at: clock.now(), action, kind: 'delivery', subject: id, label: name } as const
    await writeAudit(tx, { ...record, person: uid, before: null, after: { rows } })
  }
  const view = async (uid: string, id: string): Promise<ImportView> => {
    const found = await findImport(pool, uid, id)
    if (!found) throw new Refusal('not_found')
    return found
  }

  return {
    list: (uid) => listImports(pool, uid),

    async start(uid, { name, text, pickup, vehicle }, by = uid) {
      const rows = await readImportFile(text, { ...(pickup && { pickup }), ...(vehicle && { vehicle }) })
      const hash = sha256(rows.map(({ key }) => key).join())
      const id = await database.withTransaction(async (tx) => {
        // No file is stored for a user who is deleted at the same time.
        const user = (await deps.users.lock(tx, [uid])).get(uid)
        if (user?.usertype !== 'rider' || user.deleted_at !== null) throw new Refusal('not_found')
        const file = { id: uuidv7(), uid, by, name, hash, at: clock.now() }
        const stored = await insertImport(tx, file, rows)
        if (stored === file.id) {
          await jobs.send(checkJob, { id: stored }, { tx, singletonKey: stored })
          await audit(tx, 'startImport', { ...file, rows: rows.length })
        }
        return stored
      })
      return view(uid, id)
    },

    async show(uid, { id, after = 0, state }) {
      const found = await view(uid, id)
      const rows = await readRows(pool, id, { after, state, limit: pageSize + 1 })
      const items = rows.slice(0, pageSize)
      return { ...found, items, next: rows.length > pageSize ? (items.at(-1)?.n ?? null) : null }
    },

    async book(uid, id, by = uid) {
      const { counts, name } = await view(uid, id)
      if (counts.new) throw new Refusal('wrong_status')
      await database.withTransaction(async (tx) => {
        // One at a time per sender, so that a row of two files is queued once.
        await deps.users.lock(tx, [uid])
        const rows = await queueGoodRows(tx, uid, id, clock.now())
        await audit(tx, 'bookImport', { id, uid, by, name, rows })
        await jobs.send(bookJob, { uid }, { tx, singletonKey: uid })
      })
      return view(uid, id)
    },

    async stop(uid, id, by = uid) {
      const { name } = await view(uid, id)
      await database.withTransaction(async (tx) => {
        const rows = await removeQueuedRows(tx, id)
        await audit(tx, 'stopImport', { id, uid, by, name, rows })
      })
      return view(uid, id)
    },

    async own(uid, cursor) {
      const files = await listImports(pool, uid)
      const index = cursor === undefined ? 0 : Number(cursor)
      const file = files[index]
      if (!file) return { items: [], next: null }
      const rows = await readRows(pool, file.id, { after: 0, limit: 10_000 })
      return { items: [{ ...file, rows }], next: index + 1 < files.length ? String(index + 1) : null }
    },
  }
}

/** Whose files a caller asks for: their own, or those of the sender that an admin names. */
function senderOf({ id, role }: Actor, sender = id): string {
  if (sender !== id && role !== 'admin') throw new Refusal('not_found')
  return sender
}

/** True for an admin of a demo that blocks critical edits, where the public signs in as admin. */
async function isCovered({ actor, settings }: SignedInContext): Promise<boolean> {
  return actor.role === 'admin' && !(await settings()).AllowCriticalEditsAdmin
}

/** Throws demo_mode for such an admin, once `find` has found the file that they would change. */
async function refuseCovered(context: SignedInContext, find?: () => Promise<unknown>): Promise<void> {
  if (!(await isCovered(context))) return
  await find?.()
  throw new Refusal('demo_mode')
}

/** A row without the recipient's phone number and email address. */
function maskedRow<R extends Pick<ImportRow, 'data'>>(row: R): R {
  const hidden = (text: string) => (text === '' ? '' : hiddenForDemo)
  const { phone, email } = row.data
  return { ...row, data: { ...row.data, phone: hidden(phone), email: hidden(email) } }
}

export function importsRoutes({ deliveries: os }: Os, imports: ImportsService) {
  return {
    imports: os.imports
      .use(signedIn)
      .handler(({ context: { actor }, input }) => imports.list(senderOf(actor, input.sender))),
    startImport: os.startImport.use(signedIn).handler(async ({ context, input: { sender, ...file } }) => {
      await refuseCovered(context)
      return imports.start(senderOf(context.actor, sender), file, context.actor.id)
    }),
    showImport: os.showImport.use(signedIn).handler(async ({ context, input: { sender, ...query } }) => {
      const file = await imports.show(senderOf(context.actor, sender), query)
      return (await isCovered(context)) ? { ...file, items: file.items.map(maskedRow) } : file
    }),
    bookImport: os.bookImport.use(signedIn).handler(async ({ context, input: { id, sender } }) => {
      const uid = senderOf(context.actor, sender)
      await refuseCovered(context, () => imports.show(uid, { id }))
      return imports.book(uid, id, context.actor.id)
    }),
    stopImport: os.stopImport.use(signedIn).handler(async ({ context, input: { id, sender } }) => {
      const uid = senderOf(context.actor, sender)
      await refuseCovered(context, () => imports.show(uid, { id }))
      return imports.stop(uid, id, context.actor.id)
    }),
  }
}
