import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testPayments } from '../../adapters/payments/test/test-payments.ts'
import { loadConfig } from '../../config.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { createTestPayments } from '../../platform/test-payments/test-payments.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { checkLedger } from '../ledger-check/check-ledger.ts'

vi.setConfig({ testTimeout: 90_000 })

let app: TestApp
const dataDir = mkdtempSync(join(tmpdir(), 'hansom-deliveries-test-'))
const now = Date.parse('2026-11-20T19:00:00Z')
beforeAll(async () => {
  app = await createTestApp({
    config: { ...loadConfig({ NODE_ENV: 'test', CATEGORY: 'delivery' }, '/'), dataDir },
    clock: { ...systemClock, now: () => now },
    payments: (database) => [
      testPayments({ secret: 'one that only tests use', store: createTestPayments(database, systemClock) }),
    ],
  })
})
afterAll(async () => {
  await app.close()
  rmSync(dataDir, { recursive: true })
})
const rows = async <R extends object>(text: string) => (await app.database.pool.query<R>(text)).rows

test('seed: delivery demo -> parcels with stops, paid in advance, some returned; the ledger adds up', async () => {
  expect(await app.services.demo.seed({ drivers: 0, riders: 0 })).toBe('made')
  const [found] = await rows<Record<string, number>>(`select count(*)::int as bookings,
      count(d.booking_id)::int as deliveries,
      count(*) filter (where b.payment_mode = 'cash')::int as cash,
      count(*) filter (where b.status = 'COMPLETE' and not b.prepaid)::int as unpaid,
      (select count(*) from delivery_stops where kind = 'return')::int as returns,
      (select max(n) from delivery_stops where kind = 'drop')::int as most
    from bookings b left join deliveries d on d.booking_id = b.id`)
  expect(found).toMatchObject({ cash: 0, unpaid: 0, deliveries: found?.bookings })
  expect(found?.bookings).toBeGreaterThan(2_000)
  expect(found?.returns).toBeGreaterThan(30)
  expect(found?.most).toBeGreaterThan(2)
  const open = await rows(`select 1 from delivery_stops s join bookings b on b.id = s.booking_id
    where b.status = 'COMPLETE' and s.outcome is null`)
  expect(open).toEqual([])
  const check = await checkLedger(app.database.pool)
  expect(check.differences).toEqual([])
})

test('seed: delivery demo -> conversations about parcels', async () => {
  const [found] = await rows<Record<string, number>>(`select count(distinct booking_id)::int as chats,
      count(*) filter (where message like 'The parcel is %' or message like 'El paquete está %')::int as parcels,
      count(*) filter (where message ~ 'My mother is riding|umbrella')::int as rides,
      (select count(*)::int from open_chat_reports) as reports from chat_messages`)
  expect(found).toMatchObject({ rides: 0, reports: 2 })
  expect(found?.chats).toBeGreaterThan(500)
  expect(found?.parcels).toBeGreaterThan(20)
})

test('seed: delivery demo -> vehicles with parcel types, settings of deliveries', async () => {
  const carTypes = await app.services.carTypes.list()
  expect(carTypes.map(({ name }) => name)).toEqual(['Bicycle', 'Motorbike', 'Cargo bike', 'Small van', 'Van'])
  expect(carTypes.every(({ parcelTypes, options }) => parcelTypes.length > 1 && options.length > 1)).toBe(
    true,
  )
  const used = await rows('select distinct car_type_id from users where car_type_id is not null')
  expect(used).toHaveLength(carTypes.length)
})

test('seed: delivery demo -> promos and reasons of refunds in the words of deliveries', async () => {
  const promos = await rows<{ promo_description: string }>('select promo_description from promos')
  const refunds = await rows<{ reason: string }>('select distinct reason from refunds')
  const texts = [...promos.map((promo) => promo.promo_description), ...refunds.map(({ reason }) => reason)]
  expect(promos).toHaveLength(2)
  expect(refunds).not.toEqual([])
  expect(texts.join()).not.toMatch(/trip|ride|route/)
})

test('seed: delivery demo -> cancel reasons in the words of deliveries', async () => {
  const listed = await rows<{ label: string; spanish: string }>(
    `select label, translations->'es'->>'label' as spanish from cancel_reasons order by value`,
  )
  const labels = listed.map(({ label }) => label)
  expect(labels).toContain('The courier asked me to cancel')
  expect(labels).toContain('I found another way to send it')
  expect(labels.join()).not.toMatch(/ride|driver/)
  const courier = listed.find(({ label }) => label.includes('courier'))
  expect(courier?.spanish).toMatch(/repartidor/)
  const [other] = await rows<{ count: number }>(`select count(*)::int from bookings b
    where b.reason is not null and b.reason in ('I found another ride', 'The wait is too long')`)
  expect(other?.count).toBe(0)
})
