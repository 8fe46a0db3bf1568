import { unit } from '@hansom/domain/money/amount'
import type { Settings } from '@hansom/domain/settings/settings'
import type { carTypesTable } from '../car-types/table.ts'
import texts from './car-type-texts.json' with { type: 'json' }
import type { DemoPrices } from './prices.ts'

const { taxi, delivery, extras } = texts

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
    translations: taxi.Economy,
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
    translations: taxi.Comfort,
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
    translations: taxi.Electric,
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
    translations: taxi.Van,
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
    translations: taxi.Moto,
    seats: 1,
    cancelSlab: slabs(pesos, 25, 40, 60),
  },
]

const extra = (description: keyof typeof extras, amount: number) => ({
  description,
  amount,
  translations: extras[description],
})

/** What every vehicle of the demo may carry; larger ones carry more. */
function parcels(pesos: DemoPrices, kinds: number): Pick<CarTypeData, 'parcelTypes' | 'options'> {
  const parcelTypes = [
    extra('Letter or documents', 0),
    extra('Small parcel, up to 5 kg', pesos(15)),
    extra('Parcel, up to 15 kg', pesos(35)),
    extra('Large parcel, up to 30 kg', pesos(70)),
    extra('Furniture or appliance', pesos(180)),
  ]
  return {
    parcelTypes: parcelTypes.slice(0, kinds),
    options: [
      extra('At the door', 0),
      extra('Fragile, with care', pesos(25)),
      extra('Up to the apartment', pesos(40)),
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
    translations: delivery.Bicycle,
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
    translations: delivery.Motorbike,
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
    translations: delivery['Cargo bike'],
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
    translations: delivery['Small van'],
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
    translations: delivery.Van,
    seats: 2,
    cancelSlab: slabs(pesos, 70, 110, 160),
    ...parcels(pesos, 5),
  },
]
