import type { IntegrationTest } from '@hansom/contract/integrations'
import { Refusal } from '@hansom/domain/error-keys'
import { pushRules } from '@hansom/domain/notifications/kinds'
import { desc, eq } from 'drizzle-orm'
import { type Push, PushError } from '../../adapters/push/port.ts'
import type { Database } from '../../platform/database/database.ts'
import type { createComposer } from './compose.ts'
import type { NewPush } from './queue.ts'
import { pushDevicesTable } from './table.ts'

/** A test notification to a user's devices. */
export const testPush = (user: string, at: number): NewPush => ({
  user,
  tag: 'test',
  urgent: true,
  ttlMs: pushRules.test.ttlS * 1_000,
  content: {
    kind: 'test',
    id: null,
    at,
    title: 'notification.test_title',
    msg: 'notification.test_msg',
    params: {},
    screen: 'profile',
    booking: null,
    expiresAt: null,
  },
})

export interface ProbeDeps {
  database: Pick<Database, 'db'>
  clock: { now(): number }
  push: Pick<Push, 'send' | 'isStored'>
  compose: ReturnType<typeof createComposer>
}

/** Sends a test to the user's newest device, and reports what the push service responded. Throws no_user_match. */
export async function probe(
  { database, clock, push, compose }: ProbeDeps,
  uid: string,
): Promise<IntegrationTest> {
  const { user_id, seen_at, id } = pushDevicesTable
  const [device] = await database.db
    .select()
    .from(pushDevicesTable)
    .where(eq(user_id, uid))
    .orderBy(desc(seen_at), desc(id))
    .limit(1)
  if (device === undefined) throw new Refusal('no_user_match')
  const { kind, token, platform, p256dh, auth, locale } = device
  const { content, tag } = testPush(uid, clock.now())
  const locales = locale === null ? [] : [locale]
  const message = await compose({ content, tag, locales, role: 'admin' })
  const to = kind === 'web' ? new URL(token).host : (platform ?? kind)
  const target = { kind, token, platform, p256dh, auth }
  try {
    await push.send({ target, ...message, tag, ttlS: pushRules.test.ttlS })
    return { outcome: push.isStored(kind) ? 'kept' : 'sent', to, detail: '' }
  } catch (error) {
    if (!(error instanceof PushError)) throw error
    return { outcome: 'failed', to, detail: error.message }
  }
}
