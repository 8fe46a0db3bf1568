import * as shape from '../shape.ts'
import { amount, choice, flag, integer, nullable, number, place, text, time } from '../shape.ts'
import { cashPlaces, dropFailures, informProblems, stopKinds, stopOrders, stopOutcomes } from './delivery.ts'

const parcelChoice = shape.object({ description: text, amount })

/** A stop as people see it. Images are URLs for those who may see them. */
const visibleStop = shape.object({
  n: integer,
  kind: choice(stopKinds),
  place,
  person: nullable(text),
  phone: nullable(text),
  /** For the sender and admins. */
  email: nullable(text),
  instructions: nullable(text),
  /** What the sender wrote, if the recipient has changed it. */
  sender_instructions: nullable(text),
  window_from: nullable(time),
  window_to: nullable(time),
  planned_at: time,
  share: amount,
  /** The cash that the courier collects before the stop can be closed. */
  collect: nullable(amount),
  /** For the sender and admins: why a message did not reach the recipient. */
  not_informed: nullable(choice(informProblems)),
  /** For the sender and admins: the code that the recipient tells. */
  code: nullable(text),
  /** The courier must enter a code. */
  code_needed: flag,
  code_blocked_until: nullable(time),
  outcome: nullable(choice(stopOutcomes)),
  failure: nullable(choice(dropFailures)),
  done_at: nullable(time),
  received_by: nullable(text),
  /** The recipient could not sign. */
  unsigned: flag,
  photo: nullable(text),
  signature: nullable(text),
})

const common = {
  stop_order: choice(stopOrders),
  cash_at: nullable(choice(cashPlaces)),
  /** Due from the sender once a drop has failed. Distance km, duration s. */
  return_leg: shape.object({ distanceKm: number, durationS: number, cost: amount }),
  drops: integer,
}

/** The delivery of a booking's view. */
const visibleDelivery = shape.object({ ...common, stops: shape.list(visibleStop) })

/** The delivery of a booking in a list: 20 stops are 12 KB. */
export const listedDelivery = shape.object(common)
export type ListedDelivery = shape.TypeOf<typeof listedDelivery>

/** The specification's fields of a delivery booking; all null in the taxi category. */
export const deliveryViewFields = {
  deliveryPerson: nullable(text),
  deliveryPersonPhone: nullable(text),
  pickUpInstructions: nullable(text),
  deliveryInstructions: nullable(text),
  parcelTypeSelected: nullable(parcelChoice),
  optionSelected: nullable(parcelChoice),
  /** URLs of the photos at the pickup and at the last drop. */
  pickup_image: nullable(text),
  deliver_image: nullable(text),
  delivery: nullable(visibleDelivery),
}

export type DeliveryView = {
  [F in keyof typeof deliveryViewFields]: shape.TypeOf<(typeof deliveryViewFields)[F]>
}
