import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.ts'
import { FormCard } from '../../../ui/form-card.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { SignUpResult } from './sign-up-result.ts'
import { RegisterForm } from './register-form.tsx'
import { Registered } from './registered.tsx'

/** Sign-up as a rider or driver, followed by the result. */
export function RegisterScreen() {
  const { t } = useText()
  const { as } = useSearch({ from: '/public/register' })
  const [usertype, setUsertype] = useState<'rider' | 'driver'>(as === 'driver' ? 'driver' : 'rider')
  const [outcome, setOutcome] = useState<SignUpResult | null>(null)
  if (outcome) return <Registered outcome={outcome} />
  return (
    <FormCard wide title={t('register.title')} intro={t(`register.intro_${usertype}`)}>
      <Tabs
        label={t('register.as')}
        tabs={[
          { id: 'rider', label: t('register.as_rider') },
          { id: 'driver', label: t('register.as_driver') },
        ]}
        value={usertype}
        onChange={setUsertype}
      >
        <RegisterForm usertype={usertype} onDone={setOutcome} />
      </Tabs>
    </FormCard>
  )
}
