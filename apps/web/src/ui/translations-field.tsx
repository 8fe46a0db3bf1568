import type { Language } from '@hansom/contract/languages'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { filledTranslations, type Translations } from '@hansom/domain/languages/translations'
import { isolated } from '../lib/format.ts'
import { availableLanguages, useText } from '../lib/i18n.ts'
import type { ControlProps, RecordField } from './record-field.tsx'
import form from './record-form.module.css'
import { TextField } from './text-field.tsx'

/** A text of a record that can be translated. */
export interface TranslatedText<Field extends string> {
  id: Field
  /** Text key of its label. */
  header: TextKey
  maxLength: number
}

type Texts<Field extends string> = { readonly [F in Field]: string } & { translations: Translations<Field> }

/** The texts of a record in the other languages, as one field of its dialog. */
export function translationsField<Field extends string>(
  texts: readonly TranslatedText<Field>[],
): RecordField<Texts<Field>, Translations<Field>> {
  return {
    id: 'translations',
    header: 'table.translations',
    cell: ({ translations }) => <TranslationList translations={translations} />,
    start: ({ translations }) => translations,
    read: (translations) =>
      ({ translations: filledTranslations(translations) ?? {} }) as Partial<Texts<Field>>,
    control: (props, record) => <TranslationFields {...props} texts={texts} record={record} />,
  }
}

/** Both sides of a conflict: a line for each language. */
function TranslationList({ translations }: { translations: Translations }) {
  return Object.entries(translations).map(([locale, texts]) => (
    <div key={locale}>
      {nameOf(locale)}: <bdi>{Object.values(texts).filter(Boolean).join(', ')}</bdi>
    </div>
  ))
}

const nameOf = (locale: string) =>
  availableLanguages().find(({ langLocale }) => langLocale === locale)?.langName ?? locale

interface Props<Field extends string> extends ControlProps<Translations<Field>> {
  texts: readonly TranslatedText<Field>[]
  record: { readonly [F in Field]: string }
}

/** One section for each other language; nothing if there is only one language. */
function TranslationFields<Field extends string>({ texts, record, value, errorOf, ...props }: Props<Field>) {
  const { t } = useText()
  // The texts of a language that became the default later still take precedence, so they stay editable.
  const languages = availableLanguages().filter((one) => !one.default || value[one.langLocale] !== undefined)
  if (languages.length === 0) return null
  const input = (language: Language, { id, header, maxLength }: TranslatedText<Field>) => {
    const { langLocale, langName, direction } = language
    const text = value[langLocale]?.[id] ?? ''
    return (
      <TextField
        key={id}
        label={t('table.in_language', { text: t(header), language: isolated(langName) })}
        lang={langLocale}
        dir={text === '' ? 'auto' : direction}
        value={text}
        placeholder={record[id]}
        maxLength={maxLength}
        autoComplete="off"
        error={errorOf(`${langLocale}.${id}`, text)}
        onBlur={props.onBlur}
        onChange={(event) =>
          props.onChange({ ...value, [langLocale]: { ...value[langLocale], [id]: event.target.value } })
        }
      />
    )
  }
  return (
    <fieldset className={form.section}>
      <legend>{props.label}</legend>
      <p className={form.hint}>{t('table.translations_hint')}</p>
      {languages.map((language) => (
        <div key={language.langLocale} className={form.pair}>
          {texts.map((text) => input(language, text))}
        </div>
      ))}
    </fieldset>
  )
}
