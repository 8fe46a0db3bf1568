import type { ReactNode } from 'react'

/** Text that is left to right in every language: plates, phone numbers, codes, times. */
export function Ltr({ children }: { children: ReactNode }) {
  return (
    <bdi dir="ltr" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {children}
    </bdi>
  )
}
