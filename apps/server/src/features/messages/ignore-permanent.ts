import { MessageError, MessageLimitError } from '@hansom/domain/messages/message-error'
import type { Log } from '../../platform/log/log.ts'

/** For `catch` after sending: logs a permanent failure, so that its job ends, and throws any other error. */
export const ignorePermanent =
  (log: Pick<Log, 'warn'>, kind: string) =>
  (error: unknown): void => {
    if (!(error instanceof MessageError && error.permanent)) throw error
    // A limit is no fault, and after it is reached there are many.
    const why = error instanceof MessageLimitError ? { reason: error.message } : { err: error }
    log.warn({ ...why, kind }, 'message could not be sent')
  }
