import type { ReactNode } from 'react'

/** What is read from left to right in every language: plates, phones, codes, times. */
export function Ltr({ children }: { children: ReactNode }) {
  return (
    <bdi dir="ltr" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {children}
    </bdi>
  )
}
