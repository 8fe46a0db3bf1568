import { oc } from '@orpc/contract'

/** Base of every route: REST paths under /api/v1, with exceptions noted at the route. */
export const base = oc

/** Name of the request header that makes a repeated command return the first response. */
export const idempotencyHeader = 'idempotency-key'
