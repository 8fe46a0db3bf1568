import type { Transaction } from '../../platform/database/transaction.ts'

/** Placeholder name of a deleted user. */
export const deletedUser = { first: 'Deleted', last: 'user', name: 'Deleted user' } as const

/** Returns the placeholder email of a deleted user. */
export const deletedEmail = (id: string) => `deleted-${id}@deleted.invalid`

/**
 * Removes copies of a deleted user's name and contacts from at most `limit` rows; returns the number of changed rows. A
 * step searches for what is left, so it can be repeated. Each feature exports the steps for its own tables.
 */
export type EraseStep = (tx: Transaction, uid: string, limit: number) => Promise<number>

/** A step of one statement; its parameters are the id, the placeholder name, and the maximum number of rows. */
export const eraseBy =
  (text: string): EraseStep =>
  async ({ client }, uid, limit) =>
    (await client.query(text, [uid, deletedUser.name, limit])).rowCount ?? 0
