import { useFormat } from '../lib/format.ts'
import { Ltr } from './ltr.tsx'

/** An integer in the current language. */
export function Integer({ value }: { value: number }) {
  const format = useFormat()
  return <Ltr>{format.number(value)}</Ltr>
}
