import type { FastifyInstance } from 'fastify'
import type { DriverIndex } from './adapters/driver-index/port.ts'
import type { Maps } from './adapters/maps/port.ts'
import type { Config } from './config.ts'
import { cancelReasonsRoutes } from './features/cancel-reasons/routes.ts'
import { createCancelReasonsService } from './features/cancel-reasons/service.ts'
import { carTypesRoutes } from './features/car-types/routes.ts'
import { createCarTypesService } from './features/car-types/service.ts'
import { mountIdentityRoutes } from './features/identity/routes.ts'
import { createIdentityService } from './features/identity/service.ts'
import { languagesRoutes } from './features/languages/routes.ts'
import { createLanguagesService } from './features/languages/service.ts'
import { functionsRoutes } from './features/places/functions.ts'
import { placesRoutes } from './features/places/routes.ts'
import { createPlacesService } from './features/places/service.ts'
import { mountTiles } from './features/places/tiles.ts'
import { createPromosService } from './features/promos/service.ts'
import { settingsRoutes } from './features/settings/routes.ts'
import { createSettingsService } from './features/settings/service.ts'
import { setupRoutes } from './features/setup/routes.ts'
import { createSetupService } from './features/setup/service.ts'
import { usersRoutes } from './features/users/routes.ts'
import { createUsersService } from './features/users/service.ts'
import { pageAnswer } from './features/web/pages.ts'
import { mountStaticFiles } from './features/web/static-files.ts'
import type { WebBuild } from './features/web/web-build.ts'
import type { Clock } from './platform/clock/clock.ts'
import type { Database } from './platform/database/database.ts'
import { createServer } from './platform/http/create-server.ts'
import { mountHealth } from './platform/http/health.ts'
import { os } from './platform/http/implement.ts'
import { defaultLimits, type Limits, limitOf } from './platform/http/limits.ts'
import { type ContractRoute, mountContract } from './platform/http/mount-contract.ts'
import { mountOpenApi } from './platform/http/openapi-document.ts'
import { answerUnknownPaths } from './platform/http/unknown-paths.ts'
import type { Log } from './platform/log/log.ts'

/** What an application is made of; tests hand in their own. */
export interface AppDeps {
  config: Config
  /** Migrated. */
  database: Database
  clock: Clock
  log: Log
  maps: Maps
  driverIndex: DriverIndex
  /** Signs sessions. */
  authSecret: string
  /** The built web application; null serves the interfaces alone. */
  web: WebBuild | null
  limits?: Partial<Limits>
}

export type Services = Awaited<ReturnType<typeof createServices>>

export interface App {
  server: FastifyInstance
  services: Services
  /** Lets requests that are under way finish, then stops what the application started. The database stays open. */
  close(): Promise<void>
}

/** Everything but listening. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database, log, clock, maps, web } = deps
  const limits = { ...defaultLimits, ...deps.limits }
  const services = await createServices(deps)
  const { identity } = services
  const server = await createServer({ log, requestsPerMinute: limits.all, publicUrl: config.publicUrl })
  mountHealth(server, database)
  mountOpenApi(server)
  mountIdentityRoutes(server, identity, { signInsPerMinute: limits.signIn })
  mountTiles(server, maps, config.publicUrl)
  const router = {
    settings: settingsRoutes(os, services.settings, clock),
    languages: languagesRoutes(os, services.languages),
    carTypes: carTypesRoutes(os, services.carTypes),
    cancelReasons: cancelReasonsRoutes(os, services.cancelReasons),
    places: placesRoutes(os, services.places),
    users: usersRoutes(os, services.users, clock),
    setup: setupRoutes(os, services.setup),
    functions: functionsRoutes(os, services.places),
  }
  mountContract(server, router, {
    session: (headers) => identity.session(headers),
    limitOf: (route) => limitOf(route, limits),
    isTagged,
    log,
  })
  if (web !== null) await mountStaticFiles(server, web)
  answerUnknownPaths(server, web === null ? undefined : pageAnswer(web, services))
  await server.ready()
  return { server, services, close: () => server.close() }
}

async function createServices(deps: AppDeps) {
  const { demo, publicUrl } = deps.config
  const settings = createSettingsService({ ...deps, demo })
  const identity = await createIdentityService({ ...deps, publicUrl, settings })
  return {
    settings,
    languages: createLanguagesService(deps),
    carTypes: createCarTypesService(deps),
    cancelReasons: createCancelReasonsService(deps),
    promos: createPromosService(deps),
    users: createUsersService(deps),
    identity,
    places: createPlacesService({ ...deps, settings }),
    setup: createSetupService({ ...deps, demo, identity }),
  }
}

const tagged = ['settings.get', 'languages.list', 'languages.pack', 'carTypes.list', 'cancelReasons.list']
const isTagged = (route: ContractRoute) => tagged.includes(route.name)
