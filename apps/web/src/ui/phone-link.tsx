import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import type { ReactNode } from 'react'
import { Ltr } from './ltr.tsx'

/** A phone number to call; plain text where a demo hides it. `icon` is before the number. */
export function PhoneLink({ phone, icon }: { phone: string; icon?: ReactNode }) {
  if (phone === hiddenForDemo) return <bdi>{phone}</bdi>
  return (
    <a href={`tel:${phone}`}>
      {icon}
      <Ltr>{phone}</Ltr>
    </a>
  )
}
