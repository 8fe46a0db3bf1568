import { starterReasons } from '@hansom/domain/cancel-reasons/reasons'
import reasonTexts from '@hansom/domain/languages/packs/en/cancelReasons.json' with { type: 'json' }
import deliveryReasonTexts from '@hansom/domain/languages/packs/en/delivery/cancelReasons.json' with {
  type: 'json',
}
import { unit } from '@hansom/domain/money/amount'
import type { Settings } from '@hansom/domain/settings/settings'
import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../../platform/database/transaction.ts'
import { cancelReasonsTable } from '../cancel-reasons/table.ts'
import { carTypesTable } from '../car-types/table.ts'
import { readShippedPacks } from '../languages/shipped-packs.ts'
import { promosTable } from '../promos/table.ts'
import { demoCarTypes } from './car-types.ts'
import type { DemoPrices } from './prices.ts'

const starterNames = starterReasons.map(
  (key) => key.replace('cancelReasons.', '') as keyof typeof reasonTexts,
)

/** Texts of the cancel reasons in English, in the words of the category. */
export const demoReasonTexts = (category: Settings['category']): typeof reasonTexts =>
  category === 'delivery' ? { ...reasonTexts, ...deliveryReasonTexts } : reasonTexts

/** The cancel reasons of every new installation, in English. */
export const demoCancelReasons = (category: Settings['category']): readonly string[] =>
  starterNames.map((name) => demoReasonTexts(category)[name])

type PromoData = Omit<typeof promosTable.$inferInsert, 'id' | 'createdAt' | 'promo_validity'>

export const demoPromos = (pesos: DemoPrices): readonly PromoData[] => [
  {
    promo_name: 'WELCOME20',
    promo_description: '20 % off most bookings',
    promo_discount_type: 'percentage',
    promo_discount_value: 20 * unit,
    max_promo_discount_value: pesos(100),
    min_order: pesos(150),
    promo_usage_limit: 1_000,
  },
  {
    promo_name: 'RAMBLA50',
    promo_description: 'A fixed amount off larger bookings',
    promo_discount_type: 'flat',
    promo_discount_value: pesos(50),
    max_promo_discount_value: pesos(50),
    min_order: pesos(200),
    promo_usage_limit: 500,
  },
]

/** Demo drivers may owe the fees of cash trips for a while; otherwise each could take only one cash trip. */
export const demoSettings = {
  appName: 'Hansom',
  CompanyName: 'Hansom Demo',
  contact_email: 'hello@demo.test',
  otp_secure: false,
  negativeBalance: true,
  AllowCriticalEditsAdmin: true,
  RiderWithDraw: true,
  bank_fields: true,
  panic: true,
} as const satisfies Partial<Settings>

const yearMs = 365 * 24 * 3600 * 1000

/** Settings of the delivery demo: its couriers take photos and ask for codes. */
export const demoDeliverySettings = {
  deliveryCode: true,
  deliveryName: true,
  AllowDeliveryPickupImageCapture: true,
  AllowFinalDeliveryImageCapture: true,
} as const satisfies Partial<Settings>

/** Adds the demo's car types, cancel reasons and promos; existing ones of the same name stay unchanged. */
export async function seedCatalogue(
  tx: Transaction,
  now: number,
  pesos: DemoPrices,
  category: Settings['category'],
): Promise<void> {
  await tx.db
    .insert(carTypesTable)
    .values(
      demoCarTypes(pesos, category).map((type, position) => ({
        ...type,
        id: uuidv7(),
        position,
        createdAt: now,
      })),
    )
    .onConflictDoNothing()
  const english = demoReasonTexts(category)
  const others = [...readShippedPacks()[category]].filter(([locale]) => locale !== 'en')
  await tx.db
    .insert(cancelReasonsTable)
    .values(
      starterNames.map((name, value) => ({
        label: english[name],
        translations: Object.fromEntries(
          others.map(([locale, texts]) => [locale, { label: texts[`cancelReasons.${name}`] ?? '' }]),
        ),
        value,
      })),
    )
    .onConflictDoNothing()
  await tx.db
    .insert(promosTable)
    .values(
      demoPromos(pesos).map((promo) => ({
        ...promo,
        id: uuidv7(),
        createdAt: now,
        promo_validity: now + yearMs,
      })),
    )
    .onConflictDoNothing()
}
