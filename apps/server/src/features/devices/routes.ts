import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { DevicesService } from './service.ts'

const ok = { ok: true } as const

export function devicesRoutes({ devices: os }: Os, devices: DevicesService) {
  return {
    key: os.key.handler(() => ({ key: devices.key() })),
    list: os.list.use(signedIn).handler(({ context }) => devices.list(context.actor)),
    register: os.register
      .use(signedIn)
      .handler(({ context, input }) => devices.register(context.actor, input)),
    forget: os.forget.use(signedIn).handler(async ({ context, input }) => {
      await devices.forget(context.actor, input.token)
      return ok
    }),
    remove: os.remove.use(signedIn).handler(async ({ context, input }) => {
      await devices.remove(context.actor, input.id)
      return ok
    }),
    preferences: os.preferences.use(signedIn).handler(({ context }) => devices.preferences(context.actor)),
    setPreferences: os.setPreferences
      .use(signedIn)
      .handler(({ context, input }) => devices.setPreferences(context.actor, input.muted)),
    test: os.test.use(signedIn).handler(({ context }) => devices.test(context.actor)),
  }
}

/** The routes of mobile apps below `/api/v1/me`. */
export function pushTokenRoutes({ users: os }: Os, devices: DevicesService) {
  return {
    setPushToken: os.setPushToken.use(signedIn).handler(async ({ context, input }) => {
      await devices.setToken(context.actor, input)
      return ok
    }),
    removePushToken: os.removePushToken.use(signedIn).handler(async ({ context }) => {
      await devices.removeTokens(context.actor)
      return ok
    }),
  }
}
