import { oc } from '@orpc/contract'

/** Every route starts here: plain REST paths under /api/v1 (the exceptions say so themselves). */
export const base = oc

/** Name of the request header that makes a repeated command answer as the first one did. */
export const idempotencyHeader = 'idempotency-key'
