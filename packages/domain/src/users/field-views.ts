import type { UserRelation } from '../access/relation.ts'
import type { FieldError } from '../error-keys.ts'
import {
  type FieldValues,
  type UserField,
  type UserFieldGroup,
  type UserFieldRule,
  type UserViewName,
  userFields,
} from './fields.ts'
import type { Role } from './roles.ts'

const backOffice = ['fleetadmin', 'admin'] as const

type Fields = typeof userFields
/** The text fields of one group. */
export type UserTextField<Group extends UserFieldGroup> = {
  [F in UserField]: Fields[F] extends { kind: 'text' | 'code'; group: Group } ? F : never
}[UserField]
/** The text fields of a sign-up. */
export type SignUpField = { [F in UserField]: Fields[F] extends { signUpMax: number } ? F : never }[UserField]
/** The fields that a driver needs. */
export type DriverField = {
  [F in UserField]: Fields[F] extends { driversNeed: true } ? F : never
}[UserField]
/** The fields that at least one of these relations writes. */
export type WrittenBy<R extends UserRelation> = {
  [F in UserField]: [Extract<Fields[F]['write'][number], R>] extends [never] ? never : F
}[UserField]

type StoredField = { [F in UserField]: Fields[F] extends { computed: true } ? never : F }[UserField]

type Value<F extends UserField> =
  | FieldValues[Fields[F]['kind']]
  | (Fields[F] extends { nullable: true } ? null : never)
/** What these relations write directly; an absent field stays as it is. */
export type UserChanges<R extends UserRelation> = { [F in WrittenBy<R>]?: Value<F> | undefined }

type NewUserField = {
  [F in WrittenBy<(typeof backOffice)[number]>]: Fields[F] extends { kind: 'flag' } ? never : F
}[WrittenBy<(typeof backOffice)[number]>]
/** What the back office fills in for a new user. */
export type NewUserFields = {
  [F in NewUserField as Fields[F] extends { nullable: true } ? never : F]: Value<F>
} & { [F in NewUserField as Fields[F] extends { nullable: true } ? F : never]?: Value<F> }

type WireName<F extends UserField, V extends UserViewName> = Fields[F] extends {
  wire: { [K in V]: infer Name extends string }
}
  ? Name
  : F
type Hidden<F extends UserField, V extends UserViewName> = Fields[F] extends { driversOnly: true }
  ? null
  : V extends 'me'
    ? never
    : (typeof backOffice)[number] extends Fields[F]['see'][number]
      ? never
      : null
/** The fields of a view by their names in its JSON. In `user`, a field that the viewer may not see is null. */
export type UserFieldsIn<V extends UserViewName> = {
  [F in UserField as V extends Fields[F]['views'][number] ? WireName<F, V> : never]: Value<F> | Hidden<F, V>
}

const rows = Object.entries(userFields) as [UserField, UserFieldRule][]

/** The rows of a view, with their names in its JSON and whether they can be null there. */
export function userFieldsIn(view: UserViewName) {
  return rows
    .filter(([, { views }]) => views.includes(view))
    .map(([field, rule]) => ({
      field,
      rule,
      name: rule.wire?.[view] ?? field,
      isNullable:
        rule.nullable === true ||
        rule.driversOnly === true ||
        (view === 'user' && !backOffice.every((relation) => rule.see.includes(relation))),
    }))
}

/** Builds a view from the value of each field. */
export function userInView<V extends UserViewName>(
  view: V,
  value: (field: UserField) => unknown,
): UserFieldsIn<V> {
  return Object.fromEntries(
    userFieldsIn(view).map(({ field, name }) => [name, value(field)]),
  ) as UserFieldsIn<V>
}

export function maySeeField(field: UserField, relation: UserRelation): boolean {
  const see: readonly UserRelation[] = userFields[field].see
  return see.includes(relation)
}

/** The fields that at least one of these relations writes. */
export function fieldsWrittenBy<R extends UserRelation>(...relations: readonly R[]): WrittenBy<R>[] {
  return rows
    .filter(([, { write }]) => relations.some((relation) => write.includes(relation)))
    .map(([field]) => field as WrittenBy<R>)
}

/** What the back office fills in for a new user; flags start with their defaults. */
export const newUserFields = fieldsWrittenBy(...backOffice).filter(
  (field): field is NewUserField => userFields[field].kind !== 'flag',
)

/** Those of `fields` that this relation may not write. */
export function unwritable(fields: readonly string[], relation: UserRelation): string[] {
  const written: readonly string[] = fieldsWrittenBy(relation)
  return fields.filter((field) => !written.includes(field))
}

/** The text fields of a form section. */
export function userTextFields<Group extends UserFieldGroup>(group: Group): UserTextField<Group>[] {
  return rows
    .filter(([, rule]) => rule.group === group && (rule.kind === 'text' || rule.kind === 'code'))
    .map(([field]) => field as UserTextField<Group>)
}

/** The fields that a sign-up takes, with their longest values. */
export const signUpFields = rows.flatMap(([field, { signUpMax }]) =>
  signUpMax === undefined ? [] : [[field as SignUpField, signUpMax] as const],
)

/** The fields that the register screen requires of drivers. */
export const driverFields = rows.flatMap(([field, { driversNeed }]) =>
  driversNeed ? [field as DriverField] : [],
)

/** Why a text of a user cannot be saved, or null: blank names, and blank fields that a driver needs. */
export function userTextProblem(
  field: UserField,
  text: string | null,
  usertype: Role,
): FieldError['error'] | null {
  if (text?.trim()) return null
  if (!('nullable' in userFields[field])) return 'proper_input_name'
  return usertype === 'driver' && driverFields.some((one) => one === field) ? 'required' : null
}

/** The text fields of a form section that a sign-up takes. */
export function signUpFieldsIn(group: UserFieldGroup): SignUpField[] {
  return signUpFields.flatMap(([field]) => (userFields[field].group === group ? [field] : []))
}

/** The stored fields that belong to a user's own data: all but the internal ones. */
export const ownDataFields = rows
  .filter(([, { see, computed }]) => see.length > 0 && !computed)
  .map(([field]) => field as StoredField)
