import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../../platform/database/transaction.ts'
import { cancelReasonsTable } from '../cancel-reasons/table.ts'
import { carTypesTable } from '../car-types/table.ts'
import { promosTable } from '../promos/table.ts'
import { demoCancelReasons, demoCarTypes, demoPromos } from './city-data.ts'

const yearMs = 365 * 24 * 3600 * 1000

/** Adds the demo's car types, cancel reasons and promos; existing ones of the same name stay unchanged. */
export async function seedCatalogue(tx: Transaction, now: number): Promise<void> {
  await tx.db
    .insert(carTypesTable)
    .values(demoCarTypes.map((type, position) => ({ ...type, id: uuidv7(), position, createdAt: now })))
    .onConflictDoNothing()
  await tx.db
    .insert(cancelReasonsTable)
    .values(demoCancelReasons.map((label, value) => ({ label, value })))
    .onConflictDoNothing()
  await tx.db
    .insert(promosTable)
    .values(
      demoPromos.map((promo) => ({ ...promo, id: uuidv7(), createdAt: now, promo_validity: now + yearMs })),
    )
    .onConflictDoNothing()
}
