import type { Me } from '@hansom/contract/users'
import { type UserTextField, userTextFields } from '@hansom/domain/users/field-views'
import { userFields } from '@hansom/domain/users/fields'
import { useMemo, useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { storeMe } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import formClasses from '../../../ui/form-card.module.css'
import { Notice } from '../../../ui/notice.tsx'
import { textField } from '../../../ui/record-field.tsx'
import { useRecordForm } from '../../../ui/record-form.tsx'
import { Section } from './section.tsx'

type Bank = Record<UserTextField<'bank'>, string>

const names = userTextFields('bank')
const fields = names.map((name) =>
  textField(name, `register.${name}`, { dir: userFields[name].kind === 'text' ? 'auto' : 'ltr' }),
)
const bankOf = (me: Me) => Object.fromEntries(names.map((name) => [name, me[name] ?? ''])) as Bank

/** Bank account for withdrawals. */
export function BankSection({ me }: { me: Me }) {
  const { t } = useText()
  const [isSaved, setSaved] = useState(false)
  const record = useMemo(() => ({ ...bankOf(me), version: me.version }), [me])
  const form = useRecordForm<Bank, Bank & { version: number }, Me>({
    command: 'users.updateMe bank',
    record,
    blank: record,
    fields,
    check: () => [],
    save: ({ changes, record: read, options }) => {
      setSaved(false)
      return api.users.updateMe({ ...changes, version: (read ?? record).version }, options)
    },
    onSaved: (saved) => {
      storeMe(saved)
      setSaved(true)
    },
    onUnchanged: () => setSaved(true),
  })
  return (
    <Section title={t('register.bank')} intro={t('profile.bank_intro')}>
      <form className={formClasses.form} {...form.element}>
        {names.map((name) => form.field(name))}
        {form.notice}
        {isSaved ? <Notice tone="good">{t('profile.profile_updated')}</Notice> : null}
        <Button type="submit" busy={form.busy}>
          {t('profile.bank_save')}
        </Button>
      </form>
    </Section>
  )
}
