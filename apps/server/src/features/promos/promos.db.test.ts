import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../platform/database/test-database.ts'
import { createPromosService, type PromosService } from './service.ts'
import { promosTable } from './table.ts'

let database: TestDatabase
let promos: PromosService
beforeAll(async () => {
  database = await createTestDatabase()
  promos = createPromosService({ database })
})
afterAll(() => database.close())

async function addPromo(promo_name: string, promo_usage_limit: number): Promise<string> {
  const id = uuidv7()
  await database.db.insert(promosTable).values({
    id,
    promo_name,
    promo_discount_type: 'flat',
    promo_discount_value: 500_000,
    max_promo_discount_value: 500_000,
    promo_validity: 1_000,
    promo_usage_limit,
    createdAt: 0,
  })
  return id
}

test('findByCode: any case, surrounding spaces -> found', async () => {
  const id = await addPromo('SALVO', 1)
  expect(await promos.findByCode(' salvo ')).toMatchObject({ id, user_avail: 0 })
  expect(await promos.findByCode('other')).toBeNull()
})
