import { createIdempotentCall } from '@hansom/client/idempotent-call'

/** Makes retries of this page's commands safe. */
export const idempotentCall = createIdempotentCall()
