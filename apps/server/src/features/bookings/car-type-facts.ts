import type { CreateFacts } from '@hansom/domain/bookings/new-booking'
import type { CarTypeRow } from '../car-types/service.ts'

/** The car type facts stored with a booking. */
export function carTypeFacts(row: CarTypeRow): NonNullable<CreateFacts['carType']> {
  const {
    base_fare,
    rate_per_unit_distance,
    rate_per_hour,
    min_fare,
    convenience_fees,
    convenience_fee_type,
  } = row
  return {
    id: row.id,
    name: row.name,
    image: row.image,
    fare_rule: {
      base_fare,
      rate_per_unit_distance,
      rate_per_hour,
      min_fare,
      convenience_fees,
      convenience_fee_type,
    },
    cancel_slab: row.cancelSlab,
  }
}
