import type { ReactNode } from 'react'
import { useFormat } from '../lib/format.ts'
import { Ltr } from './ltr.tsx'

interface Props {
  from: number
  to: number
  children?: ReactNode
}

/** The hint of a number: its range, then what it does. */
export function RangeHint({ from, to, children }: Props) {
  const format = useFormat()
  return (
    <>
      <Ltr>
        {format.number(from, 1)}–{format.number(to)}
      </Ltr>
      {children === undefined ? null : <> · {children}</>}
    </>
  )
}
