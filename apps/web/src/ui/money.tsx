import { useFormat } from '../lib/format.ts'
import { Ltr } from './ltr.tsx'

/** An amount (10^-4 of the currency unit), left to right in every language, with tabular digits. */
export function Money({ amount }: { amount: number }) {
  const format = useFormat()
  return (
    <bdi dir="ltr" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {format.money(amount)}
    </bdi>
  )
}

/** An integer in the current language. */
export function Integer({ value }: { value: number }) {
  const format = useFormat()
  return <Ltr>{format.number(value)}</Ltr>
}
