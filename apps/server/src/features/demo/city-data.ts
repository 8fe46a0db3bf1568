import { starterReasons } from '@hansom/domain/cancel-reasons/reasons'
import arabicReasons from '@hansom/domain/languages/packs/ar/cancelReasons.json' with { type: 'json' }
import arabicDeliveryReasons from '@hansom/domain/languages/packs/ar/delivery/cancelReasons.json' with {
  type: 'json',
}
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
import { promosTable } from '../promos/table.ts'
import type { DemoPrices } from './prices.ts'

type CarTypeData = Omit<typeof carTypesTable.$inferInsert, 'id' | 'createdAt' | 'position'>

const slabs = (pesos: DemoPrices, first: number, second: number, third: number) => [
  { minsDelayed: 2, amount: pesos(first) },
  { minsDelayed: 5, amount: pesos(second) },
  { minsDelayed: 10, amount: pesos(third) },
]

/** The demo city's car types, in the order riders see. */
export const demoCarTypes = (pesos: DemoPrices, category: Settings['category']): readonly CarTypeData[] =>
  category === 'delivery' ? deliveryTypes(pesos) : taxiTypes(pesos)

const taxiTypes = (pesos: DemoPrices): readonly CarTypeData[] => [
  {
    name: 'Economy',
    image: '/cars/economy.svg',
    base_fare: pesos(58),
    rate_per_unit_distance: pesos(29),
    rate_per_hour: pesos(310),
    min_fare: pesos(125),
    convenience_fees: 10 * unit,
    convenience_fee_type: 'percentage',
    extra_info: 'A small car for four',
    translations: {
      ar: { name: 'اقتصادية', extra_info: 'سيارة صغيرة لأربعة ركاب' },
      es: { name: 'Económico', extra_info: 'Un auto pequeño para cuatro' },
      fr: { name: 'Éco', extra_info: 'Une petite voiture pour quatre' },
      'pt-BR': { name: 'Econômico', extra_info: 'Um carro compacto para quatro' },
      hi: { name: 'इकॉनमी', extra_info: 'चार लोगों के लिए छोटी कार' },
      sv: { name: 'Ekonomi', extra_info: 'En liten bil för fyra' },
      'zh-CN': { name: '经济型', extra_info: '可坐四人的小型车' },
    },
    seats: 4,
    cancelSlab: slabs(pesos, 40, 60, 90),
  },
  {
    name: 'Comfort',
    image: '/cars/comfort.svg',
    base_fare: pesos(76),
    rate_per_unit_distance: pesos(37),
    rate_per_hour: pesos(390),
    min_fare: pesos(165),
    convenience_fees: 10 * unit,
    convenience_fee_type: 'percentage',
    extra_info: 'A newer car with room for legs and luggage',
    translations: {
      ar: { name: 'مريحة', extra_info: 'سيارة أحدث تتسع للأرجل والأمتعة' },
      es: { name: 'Confort', extra_info: 'Un auto más nuevo, con espacio para las piernas y el equipaje' },
      fr: {
        name: 'Confort',
        extra_info: 'Une voiture plus récente, avec de la place pour les jambes et les bagages',
      },
      'pt-BR': { name: 'Conforto', extra_info: 'Um carro mais novo, com espaço para as pernas e a bagagem' },
      hi: { name: 'कम्फ़र्ट', extra_info: 'नई कार, पैरों और सामान के लिए ज़्यादा जगह' },
      sv: { name: 'Komfort', extra_info: 'En nyare bil med plats för ben och bagage' },
      'zh-CN': { name: '舒适型', extra_info: '车况较新，腿部和行李空间宽敞' },
    },
    seats: 4,
    cancelSlab: slabs(pesos, 50, 80, 120),
  },
  {
    name: 'Electric',
    image: '/cars/electric.svg',
    base_fare: pesos(66),
    rate_per_unit_distance: pesos(32),
    rate_per_hour: pesos(340),
    min_fare: pesos(140),
    convenience_fees: pesos(18),
    convenience_fee_type: 'flat',
    extra_info: 'Quiet, and without a tailpipe',
    translations: {
      ar: { name: 'كهربائية', extra_info: 'هادئة وبلا عادم' },
      es: { name: 'Eléctrico', extra_info: 'Silencioso y sin escape' },
      fr: { name: 'Électrique', extra_info: 'Silencieuse, et sans pot d’échappement' },
      'pt-BR': { name: 'Elétrico', extra_info: 'Silencioso e sem escapamento' },
      hi: { name: 'इलेक्ट्रिक', extra_info: 'शांत और बिना धुएँ के' },
      sv: { name: 'El', extra_info: 'Tyst och utan avgaser' },
      'zh-CN': { name: '电动车', extra_info: '安静，无尾气' },
    },
    seats: 4,
    cancelSlab: slabs(pesos, 40, 60, 90),
  },
  {
    name: 'Van',
    image: '/cars/van.svg',
    base_fare: pesos(112),
    rate_per_unit_distance: pesos(49),
    rate_per_hour: pesos(490),
    min_fare: pesos(240),
    convenience_fees: 12 * unit,
    convenience_fee_type: 'percentage',
    extra_info: 'For six, or for a lot of luggage',
    translations: {
      ar: { name: 'فان', extra_info: 'لستة ركاب أو لأمتعة كثيرة' },
      es: { name: 'Van', extra_info: 'Para seis, o para mucho equipaje' },
      fr: { name: 'Van', extra_info: 'Pour six, ou pour beaucoup de bagages' },
      'pt-BR': { name: 'Van', extra_info: 'Para seis, ou para muita bagagem' },
      hi: { name: 'वैन', extra_info: 'छह लोगों या ज़्यादा सामान के लिए' },
      sv: { name: 'Minibuss', extra_info: 'För sex, eller för mycket bagage' },
      'zh-CN': { name: '商务车', extra_info: '可坐六人，或装大量行李' },
    },
    seats: 6,
    cancelSlab: slabs(pesos, 70, 110, 160),
  },
  {
    name: 'Moto',
    image: '/cars/moto.svg',
    base_fare: pesos(36),
    rate_per_unit_distance: pesos(18),
    rate_per_hour: pesos(180),
    min_fare: pesos(80),
    convenience_fees: 8 * unit,
    convenience_fee_type: 'percentage',
    extra_info: 'One person, helmet included',
    translations: {
      ar: { name: 'دراجة نارية', extra_info: 'لراكب واحد، مع خوذة' },
      es: { name: 'Moto', extra_info: 'Una persona, casco incluido' },
      fr: { name: 'Moto', extra_info: 'Une personne, casque fourni' },
      'pt-BR': { name: 'Moto', extra_info: 'Uma pessoa, capacete incluído' },
      hi: { name: 'बाइक', extra_info: 'एक व्यक्ति, हेलमेट साथ में' },
      sv: { name: 'Motorcykel', extra_info: 'En person, hjälm ingår' },
      'zh-CN': { name: '摩托车', extra_info: '可坐一人，提供头盔' },
    },
    seats: 1,
    cancelSlab: slabs(pesos, 25, 40, 60),
  },
]

const extra = (description: string, inArabic: string, amount: number) => ({
  description,
  amount,
  translations: { ar: { description: inArabic } },
})

/** What every vehicle of the demo may carry; larger ones carry more. */
function parcels(pesos: DemoPrices, kinds: number): Pick<CarTypeData, 'parcelTypes' | 'options'> {
  const parcelTypes = [
    extra('Letter or documents', 'رسالة أو مستندات', 0),
    extra('Small parcel, up to 5 kg', 'طرد صغير حتى 5 كغ', pesos(15)),
    extra('Parcel, up to 15 kg', 'طرد حتى 15 كغ', pesos(35)),
    extra('Large parcel, up to 30 kg', 'طرد كبير حتى 30 كغ', pesos(70)),
    extra('Furniture or appliance', 'أثاث أو جهاز منزلي', pesos(180)),
  ]
  return {
    parcelTypes: parcelTypes.slice(0, kinds),
    options: [
      extra('At the door', 'عند الباب', 0),
      extra('Fragile, with care', 'قابل للكسر، بعناية', pesos(25)),
      extra('Up to the apartment', 'حتى باب الشقة', pesos(40)),
    ],
  }
}

const percentage = (percent: number) =>
  ({ convenience_fees: percent * unit, convenience_fee_type: 'percentage' }) as const

const deliveryTypes = (pesos: DemoPrices): readonly CarTypeData[] => [
  {
    name: 'Bicycle',
    image: '/cars/bicycle.svg',
    base_fare: pesos(30),
    rate_per_unit_distance: pesos(16),
    rate_per_hour: pesos(150),
    min_fare: pesos(70),
    ...percentage(8),
    extra_info: 'Letters and small parcels, quick in the center',
    translations: {
      ar: { name: 'دراجة هوائية', extra_info: 'للرسائل والطرود الصغيرة، وسريعة في وسط المدينة' },
    },
    seats: 1,
    cancelSlab: slabs(pesos, 20, 35, 50),
    ...parcels(pesos, 2),
  },
  {
    name: 'Motorbike',
    image: '/cars/motobox.svg',
    base_fare: pesos(42),
    rate_per_unit_distance: pesos(19),
    rate_per_hour: pesos(190),
    min_fare: pesos(90),
    ...percentage(8),
    extra_info: 'A closed box, fast through traffic',
    translations: { ar: { name: 'دراجة نارية', extra_info: 'بصندوق مغلق، وسريعة في الزحام' } },
    seats: 1,
    cancelSlab: slabs(pesos, 25, 40, 60),
    ...parcels(pesos, 3),
  },
  {
    name: 'Cargo bike',
    image: '/cars/cargobike.svg',
    base_fare: pesos(50),
    rate_per_unit_distance: pesos(22),
    rate_per_hour: pesos(220),
    min_fare: pesos(110),
    ...percentage(10),
    extra_info: 'Room for several parcels, without a tailpipe',
    translations: { ar: { name: 'دراجة شحن', extra_info: 'تتسع لعدة طرود، وبلا عادم' } },
    seats: 1,
    cancelSlab: slabs(pesos, 30, 50, 70),
    ...parcels(pesos, 3),
  },
  {
    name: 'Small van',
    image: '/cars/smallvan.svg',
    base_fare: pesos(85),
    rate_per_unit_distance: pesos(34),
    rate_per_hour: pesos(360),
    min_fare: pesos(180),
    ...percentage(10),
    extra_info: 'For large parcels, or many',
    translations: { ar: { name: 'شاحنة مغلقة صغيرة', extra_info: 'للطرود الكبيرة أو الكثيرة' } },
    seats: 2,
    cancelSlab: slabs(pesos, 50, 80, 120),
    ...parcels(pesos, 4),
  },
  {
    name: 'Van',
    image: '/cars/cargovan.svg',
    base_fare: pesos(140),
    rate_per_unit_distance: pesos(52),
    rate_per_hour: pesos(520),
    min_fare: pesos(300),
    ...percentage(12),
    extra_info: 'For furniture and appliances',
    translations: { ar: { name: 'شاحنة مغلقة', extra_info: 'للأثاث والأجهزة' } },
    seats: 2,
    cancelSlab: slabs(pesos, 70, 110, 160),
    ...parcels(pesos, 5),
  },
]

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
  const arabic = category === 'delivery' ? { ...arabicReasons, ...arabicDeliveryReasons } : arabicReasons
  await tx.db
    .insert(cancelReasonsTable)
    .values(
      starterNames.map((name, value) => ({
        label: english[name],
        translations: { ar: { label: arabic[name] } },
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
