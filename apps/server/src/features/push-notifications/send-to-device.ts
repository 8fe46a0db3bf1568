import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import type { PushPlatform } from '@hansom/domain/push-notifications/push-notification'
import { and, eq, isNull } from 'drizzle-orm'
import { type Push, PushError } from '../../adapters/push/port.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import { usersTable } from '../users/table.ts'

export interface SendToDeviceDeps {
  database: Database
  push: Push
}

export interface DeviceMessage {
  token: string
  title: string
  msg: string
  screen?: string | undefined
}

const defaultScreen = 'BookedCab'

/**
 * Sends a notification to one device: admins to any, everyone else to their own. Throws no_user_match for a token of no
 * user or of another one, and unavailable when the push service fails.
 */
export async function sendToDevice(
  { database, push }: SendToDeviceDeps,
  sender: Actor,
  { token, title, msg, screen = defaultScreen }: DeviceMessage,
): Promise<void> {
  const isOwn = sender.role === 'admin' ? undefined : eq(usersTable.id, sender.id)
  const [receiver] = await database.db
    .select({ platform: usersTable.userPlatform })
    .from(usersTable)
    .where(and(eq(usersTable.pushToken, token), isNull(usersTable.deleted_at), isOwn))
    .limit(1)
  if (receiver === undefined) throw new Refusal('no_user_match')
  try {
    await push.send({ token, platform: receiver.platform as PushPlatform, title, body: msg, screen })
  } catch (error) {
    if (!(error instanceof PushError)) throw error
    throw new Refusal(error.isUnregistered ? 'no_user_match' : 'unavailable')
  }
}

/** The function at its specified path. */
export function sendNotificationFunction({ functions }: Os, deps: SendToDeviceDeps) {
  return {
    sendNotification: functions.sendNotification.use(signedIn).handler(async ({ context, input }) => {
      await sendToDevice(deps, context.viewer, input)
      return { success: true } as const
    }),
  }
}
