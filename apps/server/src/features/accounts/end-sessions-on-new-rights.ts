import type { Outbox } from '../../platform/outbox/outbox.ts'
import { userChanged } from '../users/user-changed.ts'
import type { Sessions } from './sessions.ts'

/** Ends a user's sessions when their rights change, so that no session outlives the rights it was opened with. */
export function endSessionsOnNewRights(outbox: Outbox, sessions: Pick<Sessions, 'endAll'>): void {
  outbox.on(userChanged, async ({ payload }, tx) => {
    const { user, rights } = payload as { user: string; rights: boolean }
    if (rights) await sessions.endAll(tx, user)
  })
}
