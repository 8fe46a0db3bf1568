import type { Amount } from './money/amount.ts'

/**
 * The shape of a field as data. The contract derives its validators from it, so a field is described once. Amounts are
 * integers of 10^-4 of the currency unit, times epoch ms.
 */
export type Shape =
  | { kind: 'id' | 'text' | 'integer' | 'number' | 'flag' | 'amount' | 'time' | 'place' }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'literal'; value: string | true }
  | { kind: 'nullable'; of: Shape }
  | { kind: 'list'; of: Shape }
  /** Values by id. */
  | { kind: 'byId'; of: Shape }
  | { kind: 'object'; fields: Readonly<Record<string, Shape>> }

interface SimpleTypes {
  id: string
  text: string
  integer: number
  number: number
  flag: boolean
  amount: Amount
  time: number
  /** A `PlacePoint`. */
  place: { lat: number; lng: number; add: string }
}

/** The TypeScript type of a shape. */
export type TypeOf<S> = Shape extends S
  ? unknown
  : S extends { kind: infer K extends keyof SimpleTypes }
    ? SimpleTypes[K]
    : S extends { kind: 'choice'; values: readonly (infer V)[] }
      ? V
      : S extends { kind: 'literal'; value: infer V }
        ? V
        : S extends { kind: 'nullable'; of: infer O }
          ? TypeOf<O> | null
          : S extends { kind: 'list'; of: infer O }
            ? TypeOf<O>[]
            : S extends { kind: 'byId'; of: infer O }
              ? Record<string, TypeOf<O>>
              : S extends { kind: 'object'; fields: infer F }
                ? { -readonly [N in keyof F]: TypeOf<F[N]> }
                : never

export type Nullable<S> = S extends { kind: 'nullable' } ? S : { kind: 'nullable'; of: S }

const simple = <const K extends keyof SimpleTypes>(kind: K) => ({ kind })

export const id = simple('id')
export const text = simple('text')
export const integer = simple('integer')
export const number = simple('number')
export const flag = simple('flag')
export const amount = simple('amount')
export const time = simple('time')
export const place = simple('place')
export const choice = <const V extends readonly string[]>(values: V) => ({ kind: 'choice', values }) as const
export const literal = <const V extends string | true>(value: V) => ({ kind: 'literal', value }) as const
export const list = <const S extends Shape>(of: S) => ({ kind: 'list', of }) as const
export const byId = <const S extends Shape>(of: S) => ({ kind: 'byId', of }) as const
export const object = <const F extends Readonly<Record<string, Shape>>>(fields: F) =>
  ({ kind: 'object', fields }) as const
export const nullable = <const S extends Shape>(of: S) =>
  (of.kind === 'nullable' ? of : { kind: 'nullable', of }) as Nullable<S>
