import type { NewEvent } from '../../platform/outbox/event.ts'

/** The kind of event for a changed user record. */
export const userChanged = 'user.changed'

/**
 * Creates the event of a changed user, written in the transaction that changed the row. `rights` means that the user's
 * permissions changed too (approval, user type, deletion), so open connections are reauthorized. `left` is the driver's
 * previous fleet admin.
 */
export function userChangedEvent(user: string, rights = false, left: string | null = null): NewEvent {
  return { kind: userChanged, stream: user, payload: { user, rights, left } }
}
