import type { UserRelation } from '@hansom/domain/access/relation'
import {
  fieldsWrittenBy,
  type NewUserFields,
  newUserFields,
  type SignUpField,
  signUpFields,
  type UserChanges,
  type UserFieldsIn,
  userFieldsIn,
} from '@hansom/domain/users/field-views'
import {
  type FieldKind,
  type UserFieldRule,
  type UserViewName,
  userFields,
} from '@hansom/domain/users/fields'
import { roles } from '@hansom/domain/users/roles'
import { z } from 'zod'
import { amount, id, instant } from './shapes.ts'

/** The shapes of users' fields, built from their rows in `domain/users/fields`. */
const shapes: Record<FieldKind, z.ZodType> = {
  id,
  text: z.string(),
  code: z.string(),
  role: z.enum(roles),
  flag: z.boolean(),
  time: instant,
  amount,
  integer: z.int(),
  number: z.number(),
}

type Shape<Fields> = {
  [F in keyof Fields]-?: undefined extends Fields[F]
    ? z.ZodOptional<z.ZodType<Exclude<Fields[F], undefined>, Exclude<Fields[F], undefined>>>
    : z.ZodType<Fields[F], Fields[F]>
}

/** A view of a user. */
export function viewShape<V extends UserViewName>(view: V) {
  return Object.fromEntries(
    userFieldsIn(view).map(({ name, rule, isNullable }) => [
      name,
      isNullable ? shapes[rule.kind].nullable() : shapes[rule.kind],
    ]),
  ) as Shape<UserFieldsIn<V>>
}

/** What these relations may change, each field optional. */
export function changesShape<R extends UserRelation>(...relations: readonly R[]) {
  return Object.fromEntries(
    fieldsWrittenBy(...relations).map((field) => [field, written(userFields[field]).optional()]),
  ) as Shape<UserChanges<R>>
}

/** What an admin fills in for a new user: the names are required. A flag starts with its default. */
export function newUserShape() {
  return Object.fromEntries(
    newUserFields.map((field) => {
      const rule: UserFieldRule = userFields[field]
      return [field, rule.nullable ? written(rule).optional() : written(rule)]
    }),
  ) as Shape<NewUserFields>
}

/** The texts of a sign-up, accepted loosely and checked by the domain: a missing name is blank. */
export function signUpShape() {
  return Object.fromEntries(
    signUpFields.map(([field, max]) => {
      const text = z.string().max(max)
      return [field, 'nullable' in userFields[field] ? text.optional() : text.default('')]
    }),
  ) as {
    [F in SignUpField]: null extends NewUserFields[F] ? z.ZodOptional<z.ZodString> : z.ZodDefault<z.ZodString>
  }
}

function written(rule: UserFieldRule): z.ZodType {
  if (rule.max === undefined) return rule.nullable ? shapes[rule.kind].nullable() : shapes[rule.kind]
  const text = z.string().trim().max(rule.max)
  // An empty optional text removes the value.
  return rule.nullable ? text.nullable().overwrite((value) => value || null) : text
}
