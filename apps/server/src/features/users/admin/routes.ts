import type { Person } from '@hansom/domain/access/relation'
import { type Os, signedIn } from '../../../platform/http/implement.ts'
import type { SignedInContext } from '../../../platform/http/request-context.ts'
import type { PeopleService } from './service.ts'

const done = { ok: true } as const

/** The admin routes on users, and the deletion of one's own account. */
export function peopleRoutes(os: Os, people: PeopleService) {
  const { users } = os
  const person = ({ viewer }: SignedInContext): Person => ({ id: viewer.uid, usertype: viewer.role })
  return {
    list: users.list.use(signedIn).handler(({ context, input }) => people.list(person(context), input)),
    count: users.count.use(signedIn).handler(({ context, input }) => people.count(person(context), input)),
    get: users.get.use(signedIn).handler(({ context, input }) => people.get(person(context), input.id)),
    create: users.create.use(signedIn).handler(({ context, input }) => people.add(person(context), input)),
    update: users.update
      .use(signedIn)
      .handler(({ context, input: { id, version, ...changes } }) =>
        people.change(person(context), id, changes, version),
      ),
    remove: users.remove.use(signedIn).handler(async ({ context, input }) => {
      await people.remove(person(context), input.id)
      return done
    }),
    approve: users.approve
      .use(signedIn)
      .handler(({ context, input }) => people.approve(person(context), input.id, input.version)),
    disapprove: users.disapprove
      .use(signedIn)
      .handler(({ context, input }) => people.disapprove(person(context), input.id, input.version)),
    change_type: users.change_type
      .use(signedIn)
      .handler(({ context, input: { id, usertype, version } }) =>
        people.changeType(person(context), id, usertype, version),
      ),
    assign_fleet: users.assign_fleet
      .use(signedIn)
      .handler(({ context, input: { id, fleetadmin, version } }) =>
        people.assignFleet(person(context), id, fleetadmin, version),
      ),
    correct_contact: users.correct_contact
      .use(signedIn)
      .handler(({ context, input: { id, version, ...corrected } }) =>
        people.correctContact(person(context), id, corrected, version),
      ),
    phoneCollisions: users.phoneCollisions
      .use(signedIn)
      .handler(({ context }) => people.phoneCollisions(person(context))),
    invite: users.invite.use(signedIn).handler(async ({ context, input }) => {
      await people.invite(person(context), input.id)
      return done
    }),
    deleteMe: users.deleteMe.use(signedIn).handler(async ({ context, input }) => {
      await people.removeOwn(context.viewer, input.password)
      return done
    }),
  }
}
