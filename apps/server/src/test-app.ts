import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedDriverIndex } from './adapters/driver-index/embedded.ts'
import { embeddedMail } from './adapters/mail/embedded.ts'
import { testMaps } from './adapters/maps/test-maps.fixture.ts'
import { noLicence } from './adapters/product-licence/http.ts'
import { openPush } from './adapters/push/open-push.ts'
import { embeddedSms } from './adapters/sms/embedded.ts'
import { embeddedStorage } from './adapters/storage/embedded.ts'
import { createImages } from './adapters/storage/images.ts'
import { createSignedLinks } from './adapters/storage/signed-links.ts'
import { type App, buildApp } from './app.ts'
import type { AppDeps } from './app-deps.ts'
import { loadConfig } from './config.ts'
import type { NewUserRow } from './features/accounts/service.ts'
import { systemClock } from './platform/clock/clock.ts'
import { createTestDatabase, type TestDatabase } from './platform/database/test-database.ts'
import { defaultLimits } from './platform/http/limits.ts'
import { silentLog } from './platform/log/log.ts'
import { createMessageLog } from './platform/mailbox/message-log.ts'

/** An application with its own database, for one test file. */
export interface TestApp extends App {
  database: TestDatabase
  storage: AppDeps['storage']
  /** Creates an approved, verified user with the password `testPassword`; returns the id. */
  addUser(user: Partial<NewUserRow> & Pick<NewUserRow, 'email' | 'usertype'>): Promise<string>
  /** Opens a session for a user and returns an authorization header value. */
  bearer(email: string): Promise<string>
  /** Stops the application and drops the database. */
  close(): Promise<void>
}

export const testPassword = 'test2026'
/** Keys that are only used by tests. */
export const vapid = {
  publicKey: 'BLNWT760nhd0btqOrQ_2KWmczKML9CWUjmrZNDLG3G5sp0oWEgUUNKJN-66FGvkUTa1-mKlixkpUAF1qaynBBCc',
  privateKey: 'pKuG8YWbqoMYWvTDy0347GA59N-kugIAzcx_Dgt9V3U',
}
export const secret = 'a secret that is only used by tests, long enough'

/** The configuration of an application without external services. */
export const loadTestConfig = () => ({ ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: false })

/** Tests send more requests than users do. */
const noLimits = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, 1e9]))

/** The same in every test file of a worker, since it takes a tenth of a second. */
let passwordHash: Promise<string> | undefined

type Changes = Partial<Omit<AppDeps, 'payments'>> & {
  /** Providers, or a function that creates providers with the database. */
  payments?: AppDeps['payments'] | ((database: TestDatabase) => AppDeps['payments'])
  /** The category of the installation, stored without `start`; taxi when omitted. */
  category?: 'delivery'
}

/**
 * Call in beforeAll, and `close` in afterAll. Without `maps` the real city is used; by default no card provider is
 * configured.
 */
export async function createTestApp({ payments = [], category, ...changes }: Changes = {}): Promise<TestApp> {
  // A database passed in has its URL elsewhere.
  const database: TestDatabase =
    changes.database === undefined ? await createTestDatabase() : { url: '', ...changes.database }
  const clock = changes.clock ?? systemClock
  const dataDir = await mkdtemp(join(tmpdir(), 'hansom-test-app-'))
  const messages = createMessageLog({ database, clock })
  const links = createSignedLinks({ secret, now: () => clock.now() })
  const storage = changes.storage ?? (await embeddedStorage({ dataDir, links }))
  const app = await buildApp({
    config: loadTestConfig(),
    database,
    clock,
    log: silentLog(),
    maps: changes.maps ?? (await testMaps()),
    mapServices: null,
    driverIndex: embeddedDriverIndex(),
    messages,
    mail: embeddedMail(messages.store),
    sms: embeddedSms(messages.store),
    mailbox: { mail: embeddedMail(messages.store), sms: embeddedSms(messages.store) },
    voice: null,
    push: openPush({
      web: { keys: vapid, subject: 'https://rides.test', hosts: [] },
      fcm: null,
      expo: null,
      store: messages.store,
    }),
    licence: noLicence,
    payments: typeof payments === 'function' ? payments(database) : payments,
    storage,
    images: createImages(),
    authSecret: secret,
    webFolder: null,
    // A real proof of work takes a busy machine 0.1 s or more.
    workBits: 4,
    ...changes,
    limits: { ...noLimits, ...changes.limits },
  })
  const { accounts, settings } = app.services
  if (category) await database.withTransaction((tx) => settings.update(tx, { category }))
  return {
    ...app,
    database,
    storage,
    addUser: async (user) => {
      passwordHash ??= accounts.hashPassword(testPassword)
      const hash = await passwordHash
      return database.withTransaction((tx) =>
        accounts.createAccount(tx, {
          user: {
            firstName: 'Test',
            lastName: 'Person',
            approved: true,
            createdAt: clock.now(),
            ...user,
          },
          passwordHash: hash,
          emailVerified: true,
        }),
      )
    },
    bearer: async (email) => {
      // A sign-in would take a tenth of a second for its hash.
      const [user] = (
        await database.pool.query<{ id: string }>('select id from auth_users where email = $1', [
          email.toLowerCase(),
        ])
      ).rows
      if (user === undefined) throw new Error(`${email} has no account`)
      const { token } = await accounts.sessions.open(user.id, accounts.visitor({ ip: '::1', headers: {} }))
      return `Bearer ${token}`
    },
    close: async () => {
      await app.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
