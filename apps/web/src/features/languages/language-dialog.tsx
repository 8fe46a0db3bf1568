import type { AdminLanguage } from '@hansom/contract/languages'
import { checkNames, type LanguageNames, tidyNames } from '@hansom/domain/languages/edit-language'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Problems, refusedFields } from '../../ui/problem-summary.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import classes from './languages.module.css'
import { storeLanguage } from './use-languages.ts'

interface Props {
  /** Null adds one. */
  language: AdminLanguage | null
  /** Whose texts a new one begins with. */
  source?: AdminLanguage | undefined
  onClose: () => void
}

const empty: LanguageNames = { langName: '', langLocale: '', dateLocale: '', direction: 'ltr' }

/** Names, codes and direction of a language, new or known. */
export function LanguageDialog({ language, source, onClose }: Props) {
  const { t } = useText()
  const form = useId()
  const [names, setNames] = useState<LanguageNames>(language ?? empty)
  const [problems, setProblems] = useState<Problems>({})
  const [base, setBase] = useState(language)
  const save = useMutation({
    mutationFn: ({ langName, langLocale, dateLocale, direction }: LanguageNames) => {
      const given = { langName, langLocale, dateLocale, direction }
      if (base === null) return api.languages.create(given)
      const { langLocale: code, ...rest } = given
      const isRenamed = code !== base.langLocale
      return api.languages.update({
        locale: base.langLocale,
        version: base.version,
        ...rest,
        ...(isRenamed ? { langLocale: code } : {}),
      })
    },
    onSuccess: (saved) => {
      storeLanguage(saved, language?.langLocale)
      announce(t('language.saved'))
      onClose()
    },
    onError: (error) => {
      setProblems(refusedFields(error, t))
      // What the other one has saved is what a next try is compared with.
      if (error.key === 'conflict' && error.data.current) setBase(error.data.current as AdminLanguage)
    },
  })
  const change = (field: keyof LanguageNames) => (value: string) => {
    setNames({ ...names, [field]: value })
    const { [field]: _gone, ...rest } = problems
    setProblems(rest)
  }
  const submit = () => {
    const tidy = tidyNames(names)
    const wrong = checkNames(tidy)
    if (wrong.length > 0) setProblems(refusedFields(new ApiError('invalid_input', 400, { fields: wrong }), t))
    else save.mutate(tidy)
  }
  const field = (name: 'langName' | 'langLocale' | 'dateLocale') => ({
    name,
    value: names[name],
    error: problems[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => change(name)(event.target.value),
  })
  const isFieldProblem = Object.keys(problems).length > 0
  return (
    <Dialog
      open
      onClose={onClose}
      title={language ? t('language.edit_title', { name: language.langName }) : t('language.add_title')}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button type="submit" form={form} variant="primary" busy={save.isPending}>
            {t(language ? 'language.save' : 'language.add_action')}
          </Button>
        </DialogButtons>
      }
    >
      <form
        id={form}
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {source ? <p className={classes.facts}>{t('language.add_text', { name: source.langName })}</p> : null}
        {save.error && !isFieldProblem ? (
          <Notice tone="bad">
            <ErrorMessage error={save.error} />
          </Notice>
        ) : null}
        <TextField
          {...field('langName')}
          dir="auto"
          label={t('language.name')}
          hint={t('language.name_hint')}
        />
        <TextField
          {...field('langLocale')}
          dir="ltr"
          label={t('language.code')}
          hint={t(language?.shipped ? 'language.code_fixed' : 'language.code_hint')}
          disabled={language?.shipped ?? false}
        />
        <TextField
          {...field('dateLocale')}
          dir="ltr"
          label={t('language.date_code')}
          hint={t('language.date_code_hint')}
        />
        <SelectField
          label={t('language.direction')}
          name="direction"
          value={names.direction}
          onChange={(event) => change('direction')(event.target.value)}
        >
          <option value="ltr">{t('language.ltr')}</option>
          <option value="rtl">{t('language.rtl')}</option>
        </SelectField>
      </form>
    </Dialog>
  )
}
