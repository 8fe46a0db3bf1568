import { contract } from '@hansom/contract/contract'
import { Refusal } from '@hansom/domain/error-keys'
import type { Role } from '@hansom/domain/users/roles'
import { implement } from '@orpc/server'
import type { RequestContext } from './request-context.ts'

/**
 * Implements the contract. Who may ask is decided before the input is looked at, so a stranger learns nothing of
 * a route from its refusals.
 */
export const os = implement(contract)
  .$config({ initialInputValidationIndex: Number.POSITIVE_INFINITY })
  .$context<RequestContext>()
export type Os = typeof os

/** Lets in everybody who is signed in; others get not_logged_in. */
export const signedIn = os.middleware(({ context, next }) => {
  if (context.viewer === null) throw new Refusal('not_logged_in')
  return next({ context: { viewer: context.viewer } })
})

/**
 * Lets in the named roles. Signed out is not_logged_in, a person who is not approved require_approval, another
 * role forbidden.
 */
export function roles(...allowed: Role[]) {
  return os.middleware(({ context, next }) => {
    const { viewer } = context
    if (viewer === null) throw new Refusal('not_logged_in')
    if (!viewer.approved) throw new Refusal('require_approval')
    if (!allowed.includes(viewer.role)) throw new Refusal('forbidden')
    return next({ context: { viewer } })
  })
}
