import { MessageError } from '@hansom/domain/messages/message-error'
import type { Log } from '../../platform/log/log.ts'

/** For `catch` after sending: logs a permanent failure, so that its job ends, and throws any other error. */
export const ignorePermanent =
  (log: Pick<Log, 'warn'>, kind: string) =>
  (error: unknown): void => {
    if (!(error instanceof MessageError && error.permanent)) throw error
    log.warn({ err: error, kind }, 'message could not be sent')
  }
