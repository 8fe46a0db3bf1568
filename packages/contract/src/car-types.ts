import { z } from 'zod'
import { base } from './base.ts'
import { amount, id } from './shapes.ts'

export const carType = z.object({
  id,
  name: z.string(),
  image: z.string().nullable(),
  base_fare: amount,
  rate_per_unit_distance: amount,
  rate_per_hour: amount,
  min_fare: amount,
  convenience_fees: z.int(),
  convenience_fee_type: z.enum(['flat', 'percentage']),
  extra_info: z.string(),
  seats: z.int(),
  cancelSlab: z.array(z.object({ minsDelayed: z.int(), amount })),
})
export type CarType = z.infer<typeof carType>

export const carTypesContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/car-types', tags: ['car types'] })
    .output(z.array(carType)),
}

export const cancelReason = z.object({ label: z.string(), value: z.int() })

export const cancelReasonsContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/cancel-reasons', tags: ['cancel reasons'] })
    .output(z.array(cancelReason)),
}
