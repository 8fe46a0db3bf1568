import { type Os, signedIn } from '../../../platform/http/implement.ts'
import type { PeopleService } from './service.ts'

const done = { ok: true } as const

/** The admin routes on users, and the deletion of one's own account. */
export function peopleRoutes(os: Os, people: PeopleService) {
  const { users } = os
  return {
    list: users.list.use(signedIn).handler(({ context, input }) => people.list(context.viewer, input)),
    count: users.count.use(signedIn).handler(({ context, input }) => people.count(context.viewer, input)),
    get: users.get.use(signedIn).handler(({ context, input }) => people.get(context.viewer, input.id)),
    create: users.create.use(signedIn).handler(({ context, input }) => people.add(context.viewer, input)),
    update: users.update
      .use(signedIn)
      .handler(({ context, input: { id, version, ...changes } }) =>
        people.change(context.viewer, id, changes, version),
      ),
    remove: users.remove.use(signedIn).handler(async ({ context, input }) => {
      await people.remove(context.viewer, input.id)
      return done
    }),
    approve: users.approve
      .use(signedIn)
      .handler(({ context, input }) => people.approve(context.viewer, input.id, input.version)),
    disapprove: users.disapprove
      .use(signedIn)
      .handler(({ context, input }) => people.disapprove(context.viewer, input.id, input.version)),
    change_type: users.change_type
      .use(signedIn)
      .handler(({ context, input: { id, usertype, version } }) =>
        people.changeType(context.viewer, id, usertype, version),
      ),
    assign_fleet: users.assign_fleet
      .use(signedIn)
      .handler(({ context, input: { id, fleetadmin, version } }) =>
        people.assignFleet(context.viewer, id, fleetadmin, version),
      ),
    correct_contact: users.correct_contact
      .use(signedIn)
      .handler(({ context, input: { id, version, ...corrected } }) =>
        people.correctContact(context.viewer, id, corrected, version),
      ),
    phoneCollisions: users.phoneCollisions
      .use(signedIn)
      .handler(({ context }) => people.phoneCollisions(context.viewer)),
    invite: users.invite.use(signedIn).handler(async ({ context, input }) => {
      await people.invite(context.viewer, input.id)
      return done
    }),
    deleteMe: users.deleteMe.use(signedIn).handler(async ({ context, input }) => {
      await people.removeOwn(context.viewer, input.password)
      return done
    }),
  }
}
