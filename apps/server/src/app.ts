import { mapServiceFacts } from '@hansom/domain/geo/map-services'
import type { FastifyInstance } from 'fastify'
import { localBus } from './adapters/server-bus/port.ts'
import type { AppDeps } from './app-deps.ts'
import { buildExports, buildRouter } from './build-router.ts'
import { createServices, type Services } from './create-services.ts'
import { mountLicenceUpload, mountSocialRoutes } from './features/accounts/routes.ts'
import { mountCalls } from './features/bookings/calls/answer-calls.ts'
import { mountCarTypeImages } from './features/car-types/image-routes.ts'
import { mountChatPhotos } from './features/chats/photos.ts'
import { mountProofImages } from './features/deliveries/image-routes.ts'
import { mountLabelFiles } from './features/deliveries/labels.ts'
import { mountExports } from './features/exports/routes.ts'
import { mountFiles } from './features/files/routes.ts'
import { mountUnsubscribePage } from './features/messages/unsubscribe-page.ts'
import { mountInboundRoutes } from './features/payments/inbound.ts'
import { mountTiles } from './features/places/tiles.ts'
import { mountReceiptFiles } from './features/receipts/service.ts'
import { registerSettingsTopic } from './features/settings/routes.ts'
import { storeInstallation } from './features/settings/service.ts'
import { mountParcelImages } from './features/trip-links/service.ts'
import { mountUserFileRoutes } from './features/users/admin/routes.ts'
import { mountPhotoUpload } from './features/users/routes.ts'
import { pageHandler } from './features/web/pages.ts'
import { mountManifest, mountStaticFiles, readWebBuild } from './features/web/web-build.ts'
import { limitMessages } from './limit-messages.ts'
import { listeningUrl } from './listen.ts'
import { mountHealth } from './platform/http/availability.ts'
import { createServer, handleUnknownPaths } from './platform/http/create-server.ts'
import { type ContractRoute, createRouteGuard, mountContract } from './platform/http/implement.ts'
import { defaultLimits, limitOf } from './platform/http/limits.ts'
import { mountOpenApi } from './platform/http/openapi.ts'
import { isSameOrigin, mayBeRemote } from './platform/http/request-guards.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import { LiveHub } from './platform/live/hub.ts'
import { TopicRegistry } from './platform/live/topics.ts'
import { createMessageCounts } from './platform/mailbox/message-counts.ts'
import { mountMetrics } from './platform/metrics/metrics-route.ts'
import { createOutbox } from './platform/outbox/outbox.ts'

export interface App {
  /** Handles requests, by `inject` or `listen`. */
  server: FastifyInstance
  services: Services
  hub: LiveHub
  /** Starts the background work: jobs, event delivery, sockets. Call once, before listening. */
  start(): Promise<void>
  /** Lets running work finish, with at most `drainMs` for open sockets, and stops. The database stays open. */
  close(drainMs?: number): Promise<void>
}

/** Builds the application without listening. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database, log, clock, maps } = deps
  const { publicUrl, trustedProxies } = config
  const limits = { ...defaultLimits, ...deps.limits }
  const { places, routes } = deps.mapServices?.status() ?? {}
  const mapsAreBilled = [places, routes].some((one) => one && mapServiceFacts[one.service].isBilled)
  const topics = new TopicRegistry()
  const bus = deps.bus ?? localBus()
  const outbox = createOutbox({ database, log, flush: () => bus.flush() })
  const jobs = createJobs(database, clock, log)
  const hub: LiveHub = new LiveHub({
    bus,
    topics,
    clock,
    log,
    authenticate: (by) => services.accounts.authenticate(by),
    originAllowed: (origin, { headers }) => isSameOrigin(origin, headers.host ?? '', publicUrl),
    refuses: (request) => config.demo && mayBeRemote(request),
    trustedProxies,
    counts: deps.sharedCounts,
  })
  const siteUrl = () => publicUrl ?? listeningUrl(server)
  const messageCounts = createMessageCounts({ ...deps, limits: config.messageLimits })
  const services = await createServices({
    ...deps,
    ...limitMessages({ ...deps, counts: messageCounts, common: deps.sharedCounts }),
    messageCounts,
    bus,
    topics,
    outbox,
    jobs,
    hub,
    siteUrl,
  })
  const { accounts, settings } = services
  registerSettingsTopic(topics, hub, settings)
  let stopWatching = () => {}

  const isServing = deps.isServing ?? (() => true)
  const server: FastifyInstance = await createServer({
    log,
    isServing,
    limits,
    counts: deps.sharedCounts,
    userOf: (headers) => accounts.userOf(headers),
    publicUrl,
    trustedProxies,
    demo: config.demo,
    mapOrigins: config.baseMap?.origins ?? [],
  })
  mountHealth(server, database, isServing)
  mountMetrics(
    server,
    {
      log,
      database,
      replica: deps.replica,
      jobs,
      hub,
      bus,
      driverIndex: deps.driverIndex,
      lastLedgerCheck: () => services.ledgerCheck.last(),
    },
    { token: config.metricsToken, demo: config.demo, perMinute: limits.metrics },
  )
  mountOpenApi(server)
  mountTiles(server, maps, publicUrl, limits.tiles)
  mountFiles(server, deps.storage)
  mountLicenceUpload(server, accounts)
  mountSocialRoutes(server, accounts, limits.signIn)
  mountUnsubscribePage(server, { ...services, limit: limits.signIn, siteUrl })
  mountCalls(server, { ...deps, ...services, siteUrl, limit: limits.webhooks })
  const session: typeof accounts.session = (headers) => accounts.session(headers)
  const authorize = createRouteGuard({ session, settings: settings.current })
  mountPhotoUpload(server, { profile: services.profile, authorize })
  mountCarTypeImages(server, { ...deps, admin: services.carTypesAdmin, authorize })
  mountProofImages(server, { proofs: services.proofs, authorize })
  mountChatPhotos(server, { chats: services.chats, photos: services.chatPhotos, authorize })
  mountParcelImages(server, services.tripLinks, limits.parcelImages)
  mountUserFileRoutes(server, { admin: services.userAdmin, storage: deps.storage, authorize })
  mountInboundRoutes(server, {
    payments: services.payments,
    languages: services.languages,
    authorize,
    log,
    limits,
    worldNow: () => Date.now(),
  })
  mountReceiptFiles(server, { receipts: services.receipts, authorize, limits })
  mountLabelFiles(server, { labels: services.labels, authorize, limits })
  mountExports(server, { ...services, clock, session, limits, tables: buildExports(services) })
  mountContract(server, buildRouter(services, deps), {
    session,
    settings: settings.current,
    limitOf: (route) => limitOf(route, limits, mapsAreBilled),
    isTagged,
    log,
  })
  const web = deps.webFolder === null ? null : readWebBuild(deps.webFolder)
  if (web !== null) await mountStaticFiles(server, web)
  mountManifest(server, services)
  handleUnknownPaths(
    server,
    limits.pages,
    web === null ? undefined : pageHandler(web, { ...services, clock, publicUrl, topics }),
  )
  await server.ready()

  return {
    server,
    services,
    hub,
    start: async () => {
      await storeInstallation({ database, settings, maps: deps.maps, log }, config.category)
      await jobs.start()
      await services.bookingsFeature.start()
      services.reports.start()
      outbox.start()
      services.devices.sender.start()
      stopWatching = settings.watch()
      hub.attach(server.server)
    },
    close: async (drainMs = 1_000) => {
      stopWatching()
      await hub.close(drainMs)
      await server.close()
      services.receipts.close()
      await services.devices.sender.stop()
      await services.payments.stop()
      await deps.mapServices
        ?.flush()
        .catch((error: unknown) => log.warn({ err: error }, 'map calls not stored'))
      // Positions first, concurrently with the jobs: little time is left to stop.
      await Promise.all([services.bookingsFeature.stop(), outbox.stop().then(() => jobs.stop())])
      await services.reports.stop()
    },
  }
}

const tagged = ['settings.get', 'languages.list', 'languages.pack', 'carTypes.list', 'cancelReasons.list']
const isTagged = (route: ContractRoute) => tagged.includes(route.name)
