import type { CancelSlab } from '@hansom/domain/fare/fare-rule'
import { unreadable, readEdit } from '../../ui/table/edit-value.ts'

/** A step of the cancellation fee while it is typed; NaN for what is no number. */
export interface SlabRow extends CancelSlab {
  /** Tells rows apart, also while two say the same. */
  key: string
  minutes: string
  price: string
}

let made = 0
const nextKey = () => `slab-${++made}`

export function slabRow(minutes: string, price: string, key = nextKey()): SlabRow {
  const number = (kind: 'number' | 'amount', text: string) => {
    const value = readEdit({ kind }, text, { timezone: 'UTC', decimal: 0 })
    return value === unreadable ? Number.NaN : Number(value)
  }
  return { key, minutes, price, minsDelayed: number('number', minutes), amount: number('amount', price) }
}
