import { type Contract, contract } from '@hansom/contract/contract'
import { type RouteRule, refusalBeforeInput, refusalOnDemo } from '@hansom/domain/access/route-rule'
import { routes } from '@hansom/domain/access/routes'
import { Refusal } from '@hansom/domain/error-keys'
import type { AnyContractProcedure } from '@orpc/contract'
import { implement } from '@orpc/server'
import type { RequestContext, SignedInContext } from './request-context.ts'

type NamesIn<Branch, Above extends string = ''> = {
  [Key in keyof Branch & string]: Branch[Key] extends AnyContractProcedure
    ? `${Above}${Key}`
    : NamesIn<Branch[Key], `${Above}${Key}.`>
}[keyof Branch & string]

/** Every route of the contract needs a row in `access/routes`; a missing one does not compile. */
const rules: Readonly<Record<NamesIn<Contract>, RouteRule>> = routes

const unguarded = implement(contract)
  .$config({ initialInputValidationIndex: Number.POSITIVE_INFINITY })
  .$context<RequestContext>()

/** Enforces the route table. Routes check access to their own records where they read them. */
const guard = unguarded.middleware(async ({ context, next, path }) => {
  const name = path.join('.')
  const rule = (rules as Readonly<Record<string, RouteRule>>)[name]
  if (rule === undefined) throw new Error(`${name} has no row in domain/access/routes`)
  const refusal =
    refusalBeforeInput(rule, context.viewer) ??
    (rule.critical ? refusalOnDemo(rule, await context.settings()) : null)
  if (refusal !== null) throw new Refusal(refusal)
  return next()
})

/**
 * Implements the contract. Access is checked before input validation, so an unauthorized caller learns nothing from
 * validation errors.
 */
export const os = unguarded.use(guard)
export type Os = typeof os

/** Narrows `viewer` to non-null for routes that the table restricts to signed-in users. */
export const signedIn = unguarded.middleware(({ context, next }) => {
  if (context.viewer === null) throw new Refusal('not_logged_in')
  return next({ context: { viewer: context.viewer } })
})

/** The user and the idempotency key of a request, as commands take them. */
export function authorOf({ viewer, idempotencyKey }: SignedInContext): { uid: string; key: string | null } {
  return { uid: viewer.id, key: idempotencyKey }
}
