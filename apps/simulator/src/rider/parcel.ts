import type { InstructionData } from '@hansom/contract/deliveries'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { chance, oneOf } from '../city/random.ts'

const names = ['Alma', 'Bastian', 'Clara', 'Dario', 'Emilia', 'Franco', 'Greta', 'Hugo', 'Irina', 'Joel']
const hints = ['Ring twice, please', 'Ask at the front desk', 'The blue door', 'Call me when you are here']

function recipient() {
  return {
    deliveryPerson: oneOf(names),
    deliveryPersonPhone: `09${Math.floor(1e6 + Math.random() * 8.9e6)}`,
    ...(chance(0.4) && { deliveryInstructions: oneOf(hints) }),
  }
}

/** What a simulated sender writes: a recipient for each drop, and a parcel that the vehicle takes. */
export function parcelFor(
  { parcelTypes, options }: { parcelTypes: readonly unknown[]; options: readonly unknown[] },
  moreDrops: readonly PlacePoint[],
): InstructionData {
  const anyOf = (list: readonly unknown[]) => Math.floor(Math.random() * list.length)
  return {
    ...recipient(),
    moreDrops: moreDrops.map((drop) => ({ drop, ...recipient() })),
    order: 'best',
    ...(parcelTypes.length > 0 && { parcelTypeIndex: anyOf(parcelTypes) }),
    ...(options.length > 0 && { optionIndex: anyOf(options) }),
  }
}
