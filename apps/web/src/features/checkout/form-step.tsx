import type { CheckoutView } from '@hansom/contract/payments'
import { useEffect, useRef } from 'react'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { rememberLedOn, wasLedOn } from './led-on.ts'
import { OnTheWay } from './on-the-way.tsx'
import { ProviderForm } from './provider-form.tsx'

interface Props {
  view: CheckoutView
  action: string
  fields: readonly { name: string; value: string }[]
}

/** Posts the signed form to the provider; with a button should the browser not do it by itself. */
export function FormStep({ view, action, fields }: Props) {
  const { t } = useText()
  const { id } = view
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!wasLedOn(id)) form.current?.requestSubmit()
  }, [id])
  return (
    <OnTheWay view={view}>
      <ProviderForm ref={form} action={action} fields={fields} onGo={() => rememberLedOn(id)}>
        <Button type="submit" variant="primary" size="large" wide>
          {t('payments.continue_at', { provider: isolated(t(`payments.provider_${view.provider}`)) })}
        </Button>
      </ProviderForm>
    </OnTheWay>
  )
}
