import { useFormat } from '../lib/format.ts'
import { Ltr } from './ltr.tsx'

/** A whole number as the language writes it. */
export function Whole({ value }: { value: number }) {
  const format = useFormat()
  return <Ltr>{format.number(value)}</Ltr>
}
