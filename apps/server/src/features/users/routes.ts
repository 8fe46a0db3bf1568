import type { Clock } from '../../platform/clock/clock.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { UsersService } from './service.ts'

export function usersRoutes(os: Os, users: UsersService, clock: Clock) {
  return {
    me: os.users.me.handler(({ context }) => (context.viewer === null ? null : users.me(context.viewer.uid))),
    savedAddresses: os.users.savedAddresses
      .use(signedIn)
      .handler(({ context }) => users.savedAddresses(context.viewer.uid)),
    notifications: os.users.notifications
      .use(signedIn)
      .handler(({ context, input }) => users.notifications(context.viewer.uid, input.cursor)),
    readNotifications: os.users.readNotifications.use(signedIn).handler(async ({ context }) => ({
      read: await users.readNotifications(context.viewer.uid, clock.now()),
    })),
  }
}
