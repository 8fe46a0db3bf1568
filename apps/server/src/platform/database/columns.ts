import { bigint, customType } from 'drizzle-orm/pg-core'

/** Integer of 10^-4 of the currency unit. */
export const amount = (name: string) => bigint(name, { mode: 'number' })

/** Epoch milliseconds, the domain's unit of time. */
export const instant = (name: string) => bigint(name, { mode: 'number' })

/** Case-insensitive text. */
export const citext = customType<{ data: string }>({ dataType: () => 'citext' })

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
