import type { NewEvent } from '../../platform/outbox/event.ts'

/** The kind of event that tells that a person's own record has changed. */
export const userChanged = 'user.changed'

/**
 * News of a changed person for the outbox, written in the transaction that changed the row. `rights` says that what
 * the person may do has changed too (approval, user type, deletion), so that open connections are looked at again.
 * `left` is the fleet admin whose driver this was until now.
 */
export function userChangedEvent(user: string, rights = false, left: string | null = null): NewEvent {
  return { kind: userChanged, stream: user, payload: { user, rights, left } }
}
