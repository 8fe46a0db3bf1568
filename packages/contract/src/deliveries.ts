import {
  cashPlaces,
  deliveryLimits,
  dropFailures,
  maxDrops,
  stopOrders,
} from '@hansom/domain/deliveries/delivery'
import { type DeliveryRequest, isDeliveryPhone } from '@hansom/domain/deliveries/delivery-request'
import { importColumnNames, importLimits, importRowStates } from '@hansom/domain/deliveries/import'
import { errorStatus } from '@hansom/domain/error-keys'
import { z } from 'zod'
import { base } from './base.ts'
import { amount, cursor, id, instant, pageOf, placePoint, point } from './shapes.ts'

const person = z.string().trim().max(deliveryLimits.person)
const phone = z.string().trim().max(deliveryLimits.phone)
const instructions = z.string().trim().max(deliveryLimits.instructions)
const email = z.union([z.literal(''), z.email().max(deliveryLimits.email)])
/** Arrival times that suit the recipient. */
const window = z.strictObject({ from: instant, to: instant })
const parcelIndex = z.int().min(0).max(1000)
const parcelSelected = z.object({ description: z.string().max(200), amount }).nullable()

/** The recipient of a drop. Without name and phone number, a booking throws deliveryDetailMissing. */
const recipient = {
  deliveryPerson: person.optional(),
  deliveryPersonPhone: phone.optional(),
  /** Where the recipient gets the trip link; otherwise a text message to the phone. */
  deliveryEmail: email.optional(),
  deliveryInstructions: instructions.optional(),
  window: window.optional(),
}

/** What a delivery booking sends in addition: the first drop's recipient, the parcel, and further drops. */
export const instructionData = z.strictObject({
  ...recipient,
  pickUpInstructions: instructions.optional(),
  /** Positions in the car type's lists; the first entry when omitted. */
  parcelTypeIndex: parcelIndex.optional(),
  optionIndex: parcelIndex.optional(),
  /** What the sender saw. The server uses its own list, and throws select_proper if the description differs. */
  parcelTypeSelected: parcelSelected.optional(),
  optionSelected: parcelSelected.optional(),
  moreDrops: z
    .array(z.strictObject({ drop: placePoint, ...recipient }))
    .max(maxDrops - 1)
    .optional(),
  /** Drops are visited in the given order, or in the one that ends first and keeps the windows. */
  order: z.enum(stopOrders).optional(),
  /** With payment in cash, where couriers may collect it: from whom. */
  cash_at: z.enum(cashPlaces).optional(),
})
export type InstructionData = z.infer<typeof instructionData>

/** The parts of `instructionData` that decide price and arrival times. */
export const deliveryEstimate = z.strictObject({
  moreDrops: z
    .array(point)
    .max(maxDrops - 1)
    .optional(),
  windows: z.array(window.nullable()).max(maxDrops).optional(),
  order: z.enum(stopOrders).optional(),
  parcelTypeIndex: parcelIndex.optional(),
  optionIndex: parcelIndex.optional(),
  tripdate: instant.optional(),
})

export type DeliveryEstimate = z.infer<typeof deliveryEstimate>

/** How a delivery would be driven, and what it would cost to return parcels. Distances km, durations s. */
export const deliveryQuote = z.object({
  /** In visiting order. `position` counts the requested drops from 0; `lateS` is 0 when the window is kept. */
  stops: z.array(z.object({ position: z.int(), planned_at: instant, lateS: z.number(), share: amount })),
  return_leg: z.object({ distanceKm: z.number(), durationS: z.number(), cost: amount }),
})
export type DeliveryQuote = z.infer<typeof deliveryQuote>

/**
 * Proofs of a stop that are not images. Images have routes outside the JSON API: `PUT /api/v1/bookings/{id}/pickup_image`,
 * `.../deliver_image` (the last drop), `.../stops/{n}/deliver_image` and `.../stops/{n}/signature` take a multipart form
 * with one part `image` (JPEG, PNG or WebP of at most 10 MB) from the courier and return the booking; `GET` returns the
 * image to the parties. Throws not_found, wrong_status, too_large, unsupported_media, unavailable.
 */
export const stopNumber = z
  .int()
  .min(1)
  .max(maxDrops + 1)
export const stopProof = {
  /** The code that the recipient tells. */
  code: z.string().trim().max(10).optional(),
  /** Who received the parcel. */
  name: person.optional(),
  /** The recipient cannot sign: the name is recorded instead of the signature. */
  unsigned: z.boolean().optional(),
  /** The text of the parcel's label. */
  scan: z.string().trim().max(80).optional(),
  /** The cash collected at the stop, if the delivery is paid there. */
  cash: amount.optional(),
}
export const dropFailure = z.enum(dropFailures)

/** The delivery that a booking request asks for. */
export function requestedDelivery(drop: z.infer<typeof placePoint>, given: InstructionData): DeliveryRequest {
  const { moreDrops = [], order = 'given', cash_at = null, ...first } = given
  const { pickUpInstructions, parcelTypeIndex, optionIndex } = first
  return {
    drops: [{ drop, ...first }, ...moreDrops].map((one) => ({
      place: one.drop,
      deliveryPerson: one.deliveryPerson ?? '',
      deliveryPersonPhone: one.deliveryPersonPhone ?? '',
      email: one.deliveryEmail,
      deliveryInstructions: one.deliveryInstructions,
      window: one.window,
    })),
    pickUpInstructions,
    parcelTypeIndex,
    optionIndex,
    parcelType: first.parcelTypeSelected?.description,
    option: first.optionSelected?.description,
    order,
    cash_at,
  }
}

const savedRecipient = z.object({
  id,
  person: z.string(),
  phone: z.string(),
  email: z.string().nullable(),
  instructions: z.string().nullable(),
  place: placePoint,
})
export type SavedRecipient = z.infer<typeof savedRecipient>
/** A recipient as the sender corrects them. An empty text is none. */
export const recipientContact = {
  person: person.min(1),
  phone: phone.refine(isDeliveryPhone),
  email: email.nullish().transform((given) => given || null),
  /** Left out: they stay. */
  instructions: instructions
    .nullish()
    .transform((given) => (given === undefined ? undefined : given || null)),
}
const recipientInput = z.strictObject({
  person: person.min(1),
  phone: phone.refine(isDeliveryPhone),
  email: email.nullish(),
  instructions: instructions.nullish(),
  place: placePoint,
})
export type RecipientInput = z.infer<typeof recipientInput>

const importView = z.object({
  id,
  name: z.string(),
  created_at: instant,
  /** When its good rows were queued; null for a dry run. */
  confirmed_at: instant.nullable(),
  /** Number of rows by state; `new` rows are still being checked. */
  counts: z.partialRecord(z.enum(importRowStates), z.int()),
  /** The fares of the good and queued rows, and the sender's balance, which pays them. */
  due: amount,
  balance: amount,
})
export type ImportView = z.infer<typeof importView>
const importRow = z.object({
  /** Its number in the file; the header is row 1. */
  n: z.int(),
  state: z.enum(importRowStates),
  data: z.record(z.enum(importColumnNames), z.string()),
  problems: z.array(z.object({ column: z.enum(importColumnNames), error: z.string() })),
  /** The places found on the map; null until the row is checked, and for a bad one. */
  plan: z.object({ pickup: placePoint, drop: placePoint, tripdate: instant.nullable() }).nullable(),
  fare: amount.nullable(),
  /** Why it waits, or was not booked. */
  reason: z.enum(Object.keys(errorStatus) as [keyof typeof errorStatus]).nullable(),
  booking: id.nullable(),
})
export type ImportRow = z.infer<typeof importRow>

/** For admins: the rider whose files these are. Others have their own. */
const sender = id.optional()

const importsRoute = <M extends 'GET' | 'POST'>(method: M, successStatus = 200) =>
  base.route({ method, path: '/api/v1/me/imports', tags: ['deliveries'], successStatus })
const recipientsRoute = <M extends 'GET' | 'POST'>(method: M, successStatus = 200) =>
  base.route({ method, path: '/api/v1/me/recipients', tags: ['deliveries'], successStatus })
const recipientRoute = <M extends 'PUT' | 'DELETE'>(method: M) =>
  base.route({ method, path: '/api/v1/me/recipients/{id}', tags: ['deliveries'] })

/**
 * What senders of many parcels use: the address book, and deliveries from CSV files. Not in this contract, because they are
 * files: labels, `GET /api/v1/bookings/{id}/labels.pdf` and `GET /api/v1/me/imports/{id}/labels.pdf?part=1`, which has the
 * first 100 booked rows.
 */
export const deliveriesContract = {
  /** The caller's saved recipients, newest first, 50 at a time. `q` is in the name, the phone number or the address. */
  recipients: recipientsRoute('GET')
    .input(z.object({ q: z.string().trim().max(100).optional(), cursor: cursor.optional() }))
    .output(pageOf(savedRecipient)),
  /** Returns the stored one if it was saved before. Throws too_many_recipients. */
  addRecipient: recipientsRoute('POST', 201).input(recipientInput).output(savedRecipient),
  /** Throws not_found; invalid_input (person: taken) if the caller has the same recipient elsewhere in the book. */
  changeRecipient: recipientRoute('PUT').input(recipientInput.extend({ id })).output(savedRecipient),
  /** Removes the recipient for good. Throws not_found. */
  removeRecipient: recipientRoute('DELETE')
    .input(z.strictObject({ id }))
    .output(z.object({ ok: z.literal(true) })),
  /** The files of the caller, or of the rider that an admin names, newest first, at most 50. */
  imports: importsRoute('GET').input(z.object({ sender })).output(z.array(importView)),
  /**
   * Starts a dry run: checks every row and books nothing. The text is CSV with a header, separated by commas or
   * semicolons. `pickup` and `vehicle` fill the empty cells of these columns. The same file again is the same import.
   * The deliveries are the caller's, or of the rider that an admin names, and paid from their wallet. Throws invalid_input
   * with the row of a broken quote or the missing columns, too_large.
   */
  startImport: importsRoute('POST', 201)
    .input(
      z.strictObject({
        name: z.string().trim().min(1).max(200),
        text: z.string().min(1).max(importLimits.bytes),
        pickup: z.string().trim().max(importLimits.cell).optional(),
        vehicle: z.string().trim().max(importLimits.cell).optional(),
        sender,
      }),
    )
    .output(importView),
  /** An import with 100 of its rows. Throws not_found. */
  showImport: base
    .route({ method: 'GET', path: '/api/v1/me/imports/{id}', tags: ['deliveries'] })
    .input(
      z.object({
        id,
        /** The number of the last row of the page before. */
        after: z.coerce.number().pipe(z.int().min(0).max(1_000_000)).optional(),
        state: z.enum(importRowStates).optional(),
        sender,
      }),
    )
    .output(importView.extend({ items: z.array(importRow), next: z.int().nullable() })),
  /**
   * Queues the good rows; each is booked once, from the wallet, as soon as money and room for open deliveries allow.
   * Throws not_found, wrong_status while rows are being checked.
   */
  bookImport: base
    .route({ method: 'POST', path: '/api/v1/me/imports/{id}/book', tags: ['deliveries'] })
    .input(z.strictObject({ id, sender }))
    .output(importView),
  /** Takes the rows that wait out of the queue. Throws not_found. */
  stopImport: base
    .route({ method: 'POST', path: '/api/v1/me/imports/{id}/stop', tags: ['deliveries'] })
    .input(z.strictObject({ id, sender }))
    .output(importView),
}
