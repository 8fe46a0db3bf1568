import type {
  Integration,
  IntegrationTest,
  MapServicesView,
  MapServiceTest,
  MessageUsage,
  testableIntegrations,
} from '@hansom/contract/integrations'
import { Refusal } from '@hansom/domain/error-keys'
import { MessageError } from '@hansom/domain/messages/message-error'
import { eq } from 'drizzle-orm'
import type { Mail } from '../../adapters/mail/port.ts'
import type { MapServices, Maps, RegionContents } from '../../adapters/maps/port.ts'
import type { Sms } from '../../adapters/sms/port.ts'
import { type Voice, VoiceError } from '../../adapters/voice/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { MessageCounts } from '../../platform/mailbox/message-counts.ts'
import type { Writers } from '../messages/write-messages.ts'
import { usersTable } from '../users/table.ts'

/** Whether each outside service is configured. */
export type ConfiguredIntegrations = Readonly<Record<Integration['name'], boolean>>

/** Admin operations on outside services. */
export interface IntegrationsService {
  list(): Integration[]
  /**
   * Sends a message to the admin's own email address, number or newest device. Throws mobile_no_blank_error or
   * no_user_match when it is missing. For `voice`, checks the numbers of masked calls; throws not_found without them.
   */
  test(uid: string, name: (typeof testableIntegrations)[number]): Promise<IntegrationTest>
  /** Who answers searches and routes, with the calls of today. */
  maps(): MapServicesView
  /** The messages of today and their limits. */
  messages(): Promise<MessageUsage[]>
  /** Calls an outside map service once for each kind. Throws not_found if there is none. */
  testMaps(role: 'places' | 'routes'): Promise<MapServiceTest[]>
}

export interface IntegrationsDeps {
  database: Database
  clock: Pick<Clock, 'now'>
  mail: Mail
  sms: Sms
  writers: Writers
  messageCounts: Pick<MessageCounts, 'today'>
  configured: ConfiguredIntegrations
  /** Sends a test to the newest device of a user. Throws no_user_match. */
  testPush(uid: string): Promise<IntegrationTest>
  voice: Voice | null
  /** The URL that numbers of masked calls send their calls to. */
  callsUrl(): string
  mapServices: MapServices | null
  maps: Pick<Maps, 'contents'>
}

const kind = 'provider_test'

const embeddedOnly: Omit<MapServicesView, 'regions'> = {
  places: null,
  routes: null,
  day: '',
  calls: [],
  total: { calls: 0, microUsd: 0 },
  cap: { calls: null, microUsd: null },
}

function regionView({ region, ...contents }: RegionContents): MapServicesView['regions'][number] {
  const { id, name, countryCode, timezone, currency, languages } = region
  const { extract, streets, houseNumbers, places } = contents
  return { id, name, countryCode, timezone, currency, languages, extract, streets, houseNumbers, places }
}

export function createIntegrationsService(deps: IntegrationsDeps): IntegrationsService {
  const { database, configured, mapServices, maps } = deps

  const recipient = async (uid: string) => {
    const [user] = await database.db
      .select({ email: usersTable.email, mobile: usersTable.mobile, locale: usersTable.locale })
      .from(usersTable)
      .where(eq(usersTable.id, uid))
    if (user === undefined) throw new Refusal('not_found')
    return user
  }

  const testVoice = async (): Promise<IntegrationTest> => {
    if (deps.voice === null) throw new Refusal('not_found')
    try {
      await deps.voice.check(deps.callsUrl())
      return { outcome: 'checked', to: '', detail: '' }
    } catch (error) {
      if (!(error instanceof VoiceError)) throw error
      return { outcome: 'failed', to: '', detail: error.message }
    }
  }

  return {
    messages: () => deps.messageCounts.today(),
    maps: () => ({ ...(mapServices?.status() ?? embeddedOnly), regions: maps.contents.map(regionView) }),
    testMaps: async (role) => {
      const tests = await mapServices?.test(role)
      if (!tests?.length) throw new Refusal('not_found')
      return tests
    },
    list: () =>
      Object.entries(configured).map(([name, is]) => ({ name: name as Integration['name'], configured: is })),
    test: async (uid, name) => {
      if (name === 'push') return deps.testPush(uid)
      if (name === 'voice') return testVoice()
      const { email, mobile, locale } = await recipient(uid)
      const to = name === 'mail' ? email : mobile
      if (to === null || to === '') throw new Refusal('mobile_no_blank_error')
      const writer = await deps.writers.writerFor(locale)
      const params = { time: writer.time(deps.clock.now()) }
      const message = { to, kind, params, person: uid }
      try {
        await (name === 'mail'
          ? deps.mail.send({ ...message, ...writer.mail(kind, params) })
          : deps.sms.send({ ...message, text: writer.sms(kind, params) }))
        return { outcome: configured[name] ? 'sent' : 'kept', to, detail: '' }
      } catch (error) {
        if (!(error instanceof MessageError)) throw error
        return { outcome: 'failed', to, detail: error.message }
      }
    },
  }
}

/** Admins only; the route table enforces it. */
export function integrationsRoutes(os: Os, providers: IntegrationsService) {
  return {
    list: os.integrations.list.handler(() => providers.list()),
    messages: os.integrations.messages.handler(() => providers.messages()),
    maps: os.integrations.maps.handler(() => providers.maps()),
    testMaps: os.integrations.testMaps.handler(({ input }) => providers.testMaps(input.role)),
    test: os.integrations.test
      .use(signedIn)
      .handler(({ context, input }) => providers.test(context.actor.id, input.name)),
  }
}
