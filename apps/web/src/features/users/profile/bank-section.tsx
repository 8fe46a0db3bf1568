import type { Me } from '@hansom/contract/users'
import { userTextFields, type UserTextField } from '@hansom/domain/users/field-views'
import { userFields } from '@hansom/domain/users/fields'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { storeMe } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { PlainForm } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { Section } from './section.tsx'

const names = userTextFields('bank')

/** Bank account for withdrawals. */
export function BankSection({ me }: { me: Me }) {
  const { t } = useText()
  const [values, setValues] = useState(
    () =>
      Object.fromEntries(names.map((name) => [name, me[name] ?? ''])) as Record<
        UserTextField<'bank'>,
        string
      >,
  )
  const save = useMutation({
    mutationFn: () => api.users.updateMe({ ...values, version: me.version }),
    onSuccess: storeMe,
  })
  return (
    <Section title={t('register.bank')} intro={t('profile.bank_intro')}>
      <PlainForm onSubmit={() => (save.isPending ? undefined : save.mutate())}>
        {names.map((name) => (
          <TextField
            key={name}
            label={t(`register.${name}`)}
            name={name}
            autoComplete="off"
            dir={userFields[name].kind === 'text' ? 'auto' : 'ltr'}
            value={values[name]}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
        ))}
        <ErrorNotice error={save.error} />
        {save.isSuccess ? <Notice tone="good">{t('profile.profile_updated')}</Notice> : null}
        <Button type="submit" busy={save.isPending}>
          {t('profile.bank_save')}
        </Button>
      </PlainForm>
    </Section>
  )
}
