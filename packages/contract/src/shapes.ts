import { errorStatus } from '@hansom/domain/error-keys'
import type { Shape, TypeOf } from '@hansom/domain/shape'
import { z } from 'zod'

/** Shapes shared by several nouns. */
export const id = z.uuid()
/** Integer of 10^-4 of the currency unit. */
export const amount = z.int()
/** Farthest from 1970 a date can be (ECMAScript time values), ms. */
const calendarMs = 8.64e15
/** The most a wallet can hold: ten billion currency units. */
export const maxMoney = 100_000_000_000_000
/** Number of changes of a row, as counted by the database. */
export const rowVersion = z.int().min(0).max(2_147_483_647)
/** Epoch milliseconds. */
export const instant = z.int().min(-calendarMs).max(calendarMs)
export const latitude = z.number().min(-90).max(90)
export const longitude = z.number().min(-180).max(180)
export const point = z.object({ lat: latitude, lng: longitude })
export const placePoint = z.object({ lat: latitude, lng: longitude, add: z.string().trim().min(1).max(300) })
export const shortText = z.string().trim().max(200)
export const longText = z.string().trim().max(1000)
/** Texts of a record in other languages, by locale; a missing one falls back to the record's own text. */
export const translationsOf = <Field extends string>(...fields: Field[]) =>
  z.record(
    z.string().max(20),
    z.strictObject(
      Object.fromEntries(fields.map((field) => [field, longText.optional()])) as Record<
        Field,
        z.ZodOptional<typeof longText>
      >,
    ),
  )
/** Position after a list's last row; opaque to clients. */
export const cursor = z.string().max(2000)

/** The validators of a table of fields. */
export function zodFields<F extends Readonly<Record<string, Shape>>>(fields: F) {
  return Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, validatorOf(shape)])) as {
    -readonly [N in keyof F]: z.ZodType<TypeOf<F[N]>, TypeOf<F[N]>>
  }
}

function validatorOf(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case 'id':
      return id
    case 'text':
      return z.string()
    case 'integer':
      return z.int()
    case 'number':
      return z.number()
    case 'flag':
      return z.boolean()
    case 'amount':
      return amount
    case 'time':
      return instant
    case 'place':
      return placePoint
    case 'choice':
      return z.enum(shape.values)
    case 'literal':
      return z.literal(shape.value)
    case 'nullable':
      return validatorOf(shape.of).nullable()
    case 'list':
      return z.array(validatorOf(shape.of))
    case 'byId':
      return z.record(id, validatorOf(shape.of))
    case 'object':
      return z.object(zodFields(shape.fields))
  }
}

/** A page of a list, newest first. `next` is null at the end. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next: cursor.nullable() })
}

const errorKeys = Object.keys(errorStatus) as [keyof typeof errorStatus, ...(keyof typeof errorStatus)[]]

/** The body of every refusal, on every route. */
export const errorBody = z.object({
  error: z.enum(errorKeys),
  fields: z.array(z.object({ field: z.string(), error: z.string() })).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  requestId: z.string().optional(),
})
/**
 * `data` of a conflict on a record with a version: the current record, the name of the user who changed the clashing
 * fields (null when unknown), and these fields with both values. Changes of other fields are merged.
 */
export interface ConflictData<Row = unknown> {
  current: Row
  by: string | null
  fields: { field: string; theirs: unknown; yours: unknown }[]
}
export type ErrorBody = z.infer<typeof errorBody>
