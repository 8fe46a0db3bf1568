import type { FieldError } from '../error-keys.ts'
import type { CancelSlab, Extra, FareRule } from '../fare/fare.ts'
import { type Translations, translateCopy, translationProblems } from '../languages/translations.ts'
import { amountProblem, percentageProblem } from '../money/amount.ts'
import type { Category } from '../settings/settings.ts'

/** A parcel type or option with its description in other languages. */
export interface ParcelExtra extends Extra {
  translations?: Translations<'description'> | undefined
}

/** Translates the stored description of a parcel type or option, as in deliveries and receipts. */
export function translateExtra(
  carTypes: readonly { parcelTypes: readonly ParcelExtra[]; options: readonly ParcelExtra[] }[],
  stored: string,
  locale: string,
): string {
  const extras = carTypes.flatMap(({ parcelTypes, options }) => [...parcelTypes, ...options])
  const translated = extras.map((one) => ({ ...one, translations: one.translations ?? {} }))
  return translateCopy(translated, 'description', stored, locale)
}

/** The fields of a car type as entered by an admin, without its picture. */
export interface CarTypeFields extends FareRule {
  name: string
  extra_info: string
  seats: number
  /** Position in the list shown to riders, from 0. */
  position: number
  cancelSlab: readonly CancelSlab[]
  /** What a sender can choose from in a delivery installation; empty in the taxi category. */
  parcelTypes: readonly ParcelExtra[]
  options: readonly ParcelExtra[]
  translations: Translations<'name' | 'extra_info'>
}

export const carTypeLimits = {
  name: 40,
  extraInfo: 200,
  seats: 60,
  position: 9_999,
  slabs: 10,
  extras: 30,
  extraDescription: 60,
  /** Minutes since acceptance: one day. */
  minsDelayed: 1_440,
} as const

const amounts = ['base_fare', 'rate_per_unit_distance', 'rate_per_hour', 'min_fare'] as const

/**
 * All problems of a car type, by field: negative amounts, a percentage outside 0 to 100, slabs whose minutes do not
 * rise. Duplicate names are checked by the caller, who has the other car types.
 */
export function carTypeProblems(fields: CarTypeFields): FieldError[] {
  const problems: FieldError[] = []
  const add = (field: string, error: FieldError['error'] | null) => {
    if (error !== null) problems.push({ field, error })
  }
  add('name', textProblem(fields.name, carTypeLimits.name))
  for (const field of amounts) add(field, amountProblem(fields[field]))
  const isFlat = fields.convenience_fee_type === 'flat'
  add('convenience_fees', (isFlat ? amountProblem : percentageProblem)(fields.convenience_fees))
  add('extra_info', fields.extra_info.length > carTypeLimits.extraInfo ? 'too_long' : null)
  add('seats', integerProblem(fields.seats, 1, carTypeLimits.seats))
  add('position', integerProblem(fields.position, 0, carTypeLimits.position))
  problems.push(...slabProblems(fields.cancelSlab))
  problems.push(...extraProblems('parcelTypes', fields.parcelTypes))
  problems.push(...extraProblems('options', fields.options))
  const { name, extraInfo: extra_info } = carTypeLimits
  problems.push(...translationProblems(fields.translations, { name, extra_info }))
  return problems
}

/** The problems of the cancellation slabs: `cancelSlab.<index>.<field>`, or `cancelSlab` if there are too many. */
export function slabProblems(slabs: readonly CancelSlab[]): FieldError[] {
  if (slabs.length > carTypeLimits.slabs) return [{ field: 'cancelSlab', error: 'too_long' }]
  return slabs.flatMap(({ minsDelayed, amount }, line) => {
    const before = slabs[line - 1]
    const minutes =
      integerProblem(minsDelayed, 0, carTypeLimits.minsDelayed) ??
      (before !== undefined && before.minsDelayed >= minsDelayed ? 'not_ascending' : null)
    const price = amountProblem(amount)
    const at = `cancelSlab.${line}`
    return [
      ...(minutes === null ? [] : [{ field: `${at}.minsDelayed`, error: minutes }]),
      ...(price === null ? [] : [{ field: `${at}.amount`, error: price }]),
    ]
  })
}

/**
 * The problems of the parcel types or options: `<field>.<index>.<part>`, or `<field>` if there are too many.
 * Descriptions differ in more than case.
 */
export function extraProblems(
  field: 'parcelTypes' | 'options',
  extras: readonly ParcelExtra[],
): FieldError[] {
  if (extras.length > carTypeLimits.extras) return [{ field, error: 'too_long' }]
  const names = extras.map(({ description }) => description.trim().toLowerCase())
  const limits = { description: carTypeLimits.extraDescription }
  return extras.flatMap(({ description, amount, translations = {} }, line) => {
    const text =
      textProblem(description, carTypeLimits.extraDescription) ??
      (names.indexOf(names[line] ?? '') < line ? 'taken' : null)
    const price = amountProblem(amount)
    const at = `${field}.${line}`
    const wrong = translationProblems(translations, limits)
    return [
      ...(text === null ? [] : [{ field: `${at}.description`, error: text }]),
      ...(price === null ? [] : [{ field: `${at}.amount`, error: price }]),
      ...wrong.map(({ field: part, error }) => ({ field: `${at}.${part}`, error })),
    ]
  })
}

function textProblem(text: string, most: number): FieldError['error'] | null {
  if (!/\S/.test(text)) return 'required'
  return text.trim().length > most ? 'too_long' : null
}

function integerProblem(value: number, least: number, most: number): FieldError['error'] | null {
  if (!Number.isSafeInteger(value)) return 'wrong_type'
  return value < least || value > most ? 'out_of_range' : null
}

/** Built-in vehicle pictures of each category: URL paths on this site. */
export const builtInPictures: Readonly<Record<Category, readonly string[]>> = {
  taxi: ['/cars/economy.svg', '/cars/comfort.svg', '/cars/electric.svg', '/cars/van.svg', '/cars/moto.svg'],
  delivery: [
    '/cars/bicycle.svg',
    '/cars/cargobike.svg',
    '/cars/motobox.svg',
    '/cars/smallvan.svg',
    '/cars/cargovan.svg',
  ],
}

export function isBuiltInPicture(address: string): boolean {
  return Object.values(builtInPictures).some((pictures) => pictures.includes(address))
}
