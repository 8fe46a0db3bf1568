import type { AdminLanguage } from '@hansom/contract/languages'
import { checkNames, type LanguageNames, tidyNames } from '@hansom/domain/languages/edit-language'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { fieldOf, textField } from '../../ui/record-field.tsx'
import type { RecordChange } from '../../ui/record-form.tsx'
import classes from './languages.module.css'
import { storeLanguage } from './use-languages.ts'

interface Props {
  /** Null adds one. */
  language: AdminLanguage | null
  /** The language whose texts a new one starts with. */
  source?: AdminLanguage | undefined
  /** All languages. */
  languages: readonly AdminLanguage[]
  onClose: () => void
}

const blank: LanguageNames = { langName: '', langLocale: '', dateLocale: '', direction: 'ltr' }

/** The name, locales and direction of a language. */
export function LanguageDialog({ language, source, languages, onClose }: Props) {
  const { t } = useText()
  const shipped = language?.shipped ?? false
  const fields = [
    textField('langName', 'language.name', { spellCheck: false }),
    textField('langLocale', 'language.code', { dir: 'ltr', spellCheck: false, disabled: shipped }),
    textField('dateLocale', 'language.date_code', { dir: 'ltr', spellCheck: false }),
    fieldOf<LanguageNames>({
      id: 'direction',
      header: 'language.direction',
      cell: ({ direction }) => t(`language.${direction}`),
      edit: {
        kind: 'choice',
        value: ({ direction }) => direction,
        changes: (value) => ({ direction: value === 'rtl' ? 'rtl' : 'ltr' }),
        choices: () => [
          { value: 'ltr', label: t('language.ltr') },
          { value: 'rtl', label: t('language.rtl') },
        ],
      },
    }),
  ]
  return (
    <RecordDialog<LanguageNames, AdminLanguage>
      title={language ? t('language.edit_title', { name: language.langName }) : t('language.add_title')}
      action={t(language ? 'language.save' : 'language.add_action')}
      command={`languages ${language?.langLocale ?? ''}`}
      record={language}
      blank={blank}
      fields={fields}
      check={(draft) => checkNames(tidyNames(draft), languages, language)}
      save={saveLanguage}
      onClose={onClose}
      onSaved={(saved) => {
        storeLanguage(saved, language?.langLocale)
        announce(t('language.saved'))
        onClose()
      }}
    >
      {({ field }) => (
        <>
          {source ? (
            <p className={classes.facts}>{t('language.add_text', { name: source.langName })}</p>
          ) : null}
          {field('langName', t('language.name_hint'))}
          {field('langLocale', t(shipped ? 'language.code_fixed' : 'language.code_hint'))}
          {field('dateLocale', t('language.date_code_hint'))}
          {field('direction')}
        </>
      )}
    </RecordDialog>
  )
}

function saveLanguage({ draft, changes, record, options }: RecordChange<LanguageNames, AdminLanguage>) {
  if (!record) return api.languages.create(tidyNames(draft), options)
  const { langLocale: locale, version } = record
  return api.languages.update({ locale, version, ...tidyNames(changes) }, options)
}
