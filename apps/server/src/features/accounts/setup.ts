import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { SetupCity } from '@hansom/contract/users'
import { starterReasons } from '@hansom/domain/cancel-reasons/reasons'
import { Refusal } from '@hansom/domain/error-keys'
import { fullName } from '@hansom/domain/users/full-name'
import { and, eq, isNull } from 'drizzle-orm'
import type { Maps, Region } from '../../adapters/maps/port.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import type { CancelReasonsService, ReasonTexts } from '../cancel-reasons/service.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { SettingsService } from '../settings/service.ts'
import { usersTable } from '../users/table.ts'
import type { AccountsService } from './service.ts'
import { setupTable } from './table.ts'

/** The maps in the data folder. */
export interface PreparedMaps {
  /** Those that can be served. */
  list(): Region[]
  /** The DATA_DIR that the commands for maps need; null: none. */
  dataDir: string | null
}

export interface SetupDeps {
  database: Database
  clock: Clock
  demo: boolean
  authSecret: string
  accounts: AccountsService
  languages: Pick<LanguagesService, 'choose' | 'list' | 'pack'>
  cancelReasons: Pick<CancelReasonsService, 'fillEmpty'>
  maps: Pick<Maps, 'region'>
  settings: Pick<SettingsService, 'followRegion'>
  preparedMaps?: PreparedMaps
}

export interface FirstAdmin {
  token: string
  firstName: string
  lastName: string
  email: string
  password: string
}

export interface SetupService {
  /** `open` until the first admin is created; `city` only for the token of the current link. */
  state(token: string | undefined): Promise<{ open: boolean; city: SetupCity | null }>
  /**
   * Opens the one-time link and returns its path, `/setup?token=…`: on one day (UTC) the same for all servers that share the
   * secret, so that none closes the link of another one. It ends with the next day, or when a server
   * opens that of a later day, so that an old log opens nothing. The
   * currency, country and time zone become those of the map. Null when an admin exists or ever existed, or on a demo.
   */
  openLink(): Promise<string | null>
  /**
   * Creates the first admin: approved, with no email verification. Throws not_found once an admin was created,
   * forbidden for another token, and the password's errors. Of concurrent calls one succeeds.
   */
  createFirstAdmin(input: FirstAdmin): Promise<string>
}

const dayMs = 86_400_000

export function createSetupService(deps: SetupDeps): SetupService {
  const { database, clock, demo, authSecret, accounts, languages, cancelReasons, settings } = deps
  const tokenOf = (day: number) =>
    createHmac('sha256', authSecret).update(`first admin ${day}`).digest('base64url')
  const today = () => Math.floor(clock.now() / dayMs)
  /** True for the token of the link that was opened last, on the day of its opening and the next one. */
  const isCurrent = (token: string, hash: string) =>
    isSame(hashed(token), hash) && [0, 1].some((ago) => isSame(token, tokenOf(today() - ago)))
  const readOpen = async (db: Queries) => {
    const [row] = await db.select().from(setupTable).where(isNull(setupTable.done_at))
    if (demo || row === undefined || (await hasAdmin(db))) return null
    return row
  }

  return {
    state: async (token) => {
      const open = await readOpen(database.db)
      const isTheirs = open !== null && token !== undefined && isCurrent(token, open.token_hash)
      return { open: open !== null, city: isTheirs ? cityOf(deps) : null }
    },
    openLink: async () => {
      if (demo || (await hasAdmin(database.db))) return null
      const token = tokenOf(today())
      const token_hash = hashed(token)
      const isWritten = await database.withTransaction(async (tx) => {
        const written = await tx.db
          .insert(setupTable)
          .values({ token_hash })
          .onConflictDoUpdate({
            target: setupTable.only,
            set: { token_hash },
            setWhere: isNull(setupTable.done_at),
          })
          .returning({ only: setupTable.only })
        if (written.length > 0) await settings.followRegion(tx)
        return written.length > 0
      })
      return isWritten ? `/setup?token=${token}` : null
    },
    createFirstAdmin: async (input) => {
      const open = await readOpen(database.db)
      if (open === null) throw new Refusal('not_found')
      if (!isCurrent(input.token, open.token_hash)) throw new Refusal('forbidden')
      accounts.checkPassword(input.password)
      const reasons = await starterTexts(languages)
      const passwordHash = await accounts.hashPassword(input.password)
      return database.withTransaction(async (tx) => {
        const done = await tx.db
          .update(setupTable)
          .set({ done_at: clock.now() })
          .where(and(isNull(setupTable.done_at), eq(setupTable.token_hash, hashed(input.token))))
          .returning({ only: setupTable.only })
        if (done.length === 0 || (await hasAdmin(tx.db))) throw new Refusal('not_found')
        const { firstName, lastName, email } = input
        const at = clock.now()
        const user = { firstName, lastName, email, usertype: 'admin', approved: true } as const
        const uid = await accounts.createAccount(tx, {
          user: { ...user, createdAt: at },
          passwordHash,
          emailVerified: true,
        })
        await writeAudit(tx, {
          by: uid,
          at,
          action: 'setup.create',
          kind: 'user',
          subject: uid,
          label: fullName({ firstName, lastName }),
          before: null,
          after: user,
        })
        await cancelReasons.fillEmpty(tx, reasons)
        return uid
      })
    },
  }
}

function cityOf({ maps, preparedMaps }: SetupDeps): SetupCity {
  const named = ({ id, name, countryCode }: Region) => ({ id, name, countryCode })
  const { region } = maps
  const others = preparedMaps?.list().filter(({ id }) => id !== region.id) ?? []
  return {
    ...named(region),
    languages: region.languages,
    others: others.map(named),
    dataDir: preparedMaps?.dataDir ?? null,
  }
}

/** The first cancel reasons, in the default language with the others as translations. Admins can edit them later. */
async function starterTexts(languages: SetupDeps['languages']): Promise<ReasonTexts[]> {
  const packOf = ({ langLocale }: { langLocale: string }) => languages.pack(langLocale)
  const { keyValuePairs: texts, langLocale } = await packOf(await languages.choose([]))
  const packs = await Promise.all((await languages.list()).map(packOf))
  const others = packs.filter((pack) => pack.langLocale !== langLocale)
  return starterReasons.map((key) => ({
    label: texts[key] ?? key,
    translations: Object.fromEntries(
      others.map((pack) => [pack.langLocale, { label: pack.keyValuePairs[key] ?? '' }]),
    ),
  }))
}

async function hasAdmin(db: Queries): Promise<boolean> {
  const found = await db
    .select({ id: usersTable.id })
    .from(usersTable)
    // The demo's admin does not count, because its password is public.
    .where(and(eq(usersTable.usertype, 'admin'), eq(usersTable.demo, false)))
    .limit(1)
  return found.length > 0
}

const hashed = (token: string) => createHash('sha256').update(token).digest('hex')

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
