import type { FastifyInstance } from 'fastify'
import type { DriverIndex } from './adapters/driver-index/port.ts'
import type { Maps } from './adapters/maps/port.ts'
import type { Config } from './config.ts'
import { cancelReasonsRoutes } from './features/cancel-reasons/routes.ts'
import { createCancelReasonsService } from './features/cancel-reasons/service.ts'
import { carTypesRoutes } from './features/car-types/routes.ts'
import { createCarTypesService } from './features/car-types/service.ts'
import { createPromosService } from './features/promos/service.ts'
import { settingsRoutes } from './features/settings/routes.ts'
import { createSettingsService } from './features/settings/service.ts'
import { usersRoutes } from './features/users/routes.ts'
import { createUsersService } from './features/users/service.ts'
import type { Clock } from './platform/clock/clock.ts'
import type { Database } from './platform/database/database.ts'
import { createServer } from './platform/http/create-server.ts'
import { mountHealth } from './platform/http/health.ts'
import { os } from './platform/http/implement.ts'
import { defaultLimits, type Limits, limitOf } from './platform/http/limits.ts'
import { mountContract } from './platform/http/mount-contract.ts'
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
  limits?: Partial<Limits>
}

export type Services = ReturnType<typeof createServices>

export interface App {
  server: FastifyInstance
  services: Services
  /** Lets requests that are under way finish, then stops what the application started. The database stays open. */
  close(): Promise<void>
}

/** Everything but listening. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database, log, clock } = deps
  const limits = { ...defaultLimits, ...deps.limits }
  const services = createServices(deps)
  const server = await createServer({ log, requestsPerMinute: limits.all, publicUrl: config.publicUrl })
  mountHealth(server, database)
  const router = {
    settings: settingsRoutes(os, services.settings, clock),
    carTypes: carTypesRoutes(os, services.carTypes),
    cancelReasons: cancelReasonsRoutes(os, services.cancelReasons),
    users: usersRoutes(os, services.users, clock),
  }
  mountContract(server, router, {
    authenticate: async () => null,
    limitOf: (route) => limitOf(route, limits),
    log,
  })
  answerUnknownPaths(server)
  await server.ready()
  return { server, services, close: () => server.close() }
}

function createServices(deps: AppDeps) {
  return {
    settings: createSettingsService(deps),
    carTypes: createCarTypesService(deps),
    cancelReasons: createCancelReasonsService(deps),
    promos: createPromosService(deps),
    users: createUsersService(deps),
  }
}
