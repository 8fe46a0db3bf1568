import { errorStatus } from '@hansom/domain/error-keys'
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
/** Position after a list's last row; opaque to clients. */
export const cursor = z.string().max(2000)

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
export type ErrorBody = z.infer<typeof errorBody>
