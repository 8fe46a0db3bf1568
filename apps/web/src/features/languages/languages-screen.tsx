import type { AdminLanguage } from '@hansom/contract/languages'
import { completeness } from '@hansom/domain/languages/edit-language'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { loadFont, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CreateButton } from '../../ui/create-button.tsx'
import { AlertDialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { RemoveDialog } from '../../ui/table/remove-dialog.tsx'
import { useDemoGuard } from '../../ui/use-demo-guard.tsx'
import { LanguageDialog } from './language-dialog.tsx'
import { LanguageEditor } from './language-editor.tsx'
import classes from './languages.module.css'
import { storeLanguages, useLanguages } from './use-languages.ts'

type Open = { kind: 'add' } | { kind: 'names' | 'remove'; language: AdminLanguage }

/** The languages of the service; with `?language=` the texts of one. */
export function LanguagesScreen() {
  const { language } = useSearch({ from: '/app/languagesetting' })
  return language ? <LanguageEditor key={language} locale={language} /> : <LanguageList />
}

/** Every language with its progress and actions. */
function LanguageList() {
  const { t } = useText()
  const query = useLanguages()
  const { AllowCriticalEditsAdmin } = useSettings()
  const { guard, refused } = useDemoGuard()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const [error, setError] = useState<unknown>(null)
  const choose = useMutation({
    mutationFn: ({ langLocale }: AdminLanguage) => api.languages.makeDefault({ locale: langLocale }),
    onSuccess: (list, { langName }) => {
      storeLanguages(list)
      announce(t('language.made_default', { name: langName }))
    },
    onError: setError,
  })
  const remove = async ({ langLocale, langName }: AdminLanguage) => {
    storeLanguages(await api.languages.remove({ locale: langLocale }))
    announce(t('language.removed', { name: langName }))
  }
  const languages = query.data
  // Each language is named in its own script.
  useEffect(() => {
    for (const { langLocale } of languages ?? []) loadFont(langLocale)
  }, [languages])
  return (
    <div className={pageFrame}>
      <PageHead title={t('language.title')} lead={t('language.lead')}>
        {AllowCriticalEditsAdmin ? (
          <a className={buttonClass({ variant: 'quiet' })} href="/api/v1/exports/languages" download>
            <IconDownload size={17} aria-hidden />
            {t('table.export')}
          </a>
        ) : null}
        <CreateButton
          label={t('language.add')}
          onClick={() => guard('languages.create', () => setOpen({ kind: 'add' }))}
        />
      </PageHead>
      {query.isPending ? <LoadingState rows={2} height="120px" /> : null}
      {query.isError && !languages ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      <ul className={classes.list} aria-label={t('language.list')}>
        {languages?.map((language) => (
          <LanguageCard
            key={language.langLocale}
            language={language}
            busy={choose.isPending && choose.variables.langLocale === language.langLocale}
            onDefault={() => guard('languages.makeDefault', () => choose.mutate(language))}
            onNames={() => guard('languages.update', () => setOpen({ kind: 'names', language }))}
            onRemove={() =>
              guard('languages.remove', () =>
                language.default
                  ? void remove(language).catch(setError)
                  : setOpen({ kind: 'remove', language }),
              )
            }
          />
        ))}
      </ul>
      {languages ? <p className={classes.hint}>{t('language.plurals_hint')}</p> : null}
      {open?.kind === 'add' ? (
        <LanguageDialog
          language={null}
          source={languages?.find((one) => one.default)}
          languages={languages ?? []}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'names' ? (
        <LanguageDialog language={open.language} languages={languages ?? []} onClose={close} />
      ) : null}
      {open?.kind === 'remove' ? (
        <RemoveDialog name={open.language.langName} onClose={close} onConfirm={() => remove(open.language)} />
      ) : null}
      {refused}
      <AlertDialog open={error !== null} onClose={() => setError(null)}>
        <p>
          <ErrorMessage error={error} />
        </p>
      </AlertDialog>
    </div>
  )
}

/** A language's name in the reader's language, with a capital letter as in a heading. */
function nameFor(reader: string, locale: string): string {
  const name = new Intl.DisplayNames(reader, { type: 'language' }).of(locale) ?? locale
  return name.charAt(0).toLocaleUpperCase(reader) + name.slice(1)
}

interface CardProps {
  language: AdminLanguage
  busy: boolean
  onDefault: () => void
  onNames: () => void
  onRemove: () => void
}

function LanguageCard({ language, busy, onDefault, onNames, onRemove }: CardProps) {
  const { t, language: reader } = useText()
  const format = useFormat()
  const { langName, langLocale, dateLocale, direction, keys, translated, shipped } = language
  const percent = completeness(translated, keys)
  const readersName = nameFor(reader.langLocale, langLocale)
  const label = t('language.progress', { percent: `${format.number(percent)}%` })
  return (
    <li className={classes.card}>
      <div className={classes.cardHead}>
        <h2 lang={langLocale} dir={direction}>
          {langName}
        </h2>
        {language.default ? <span className={classes.badge}>{t('language.default')}</span> : null}
      </div>
      <p className={classes.facts}>
        {readersName === langName ? null : <span>{readersName}</span>}
        <bdi dir="ltr">
          {dateLocale && dateLocale !== langLocale ? `${langLocale} · ${dateLocale}` : langLocale}
        </bdi>
        <span>{t(`language.${direction}`)}</span>
        <span>{t(shipped ? 'language.shipped' : 'language.own')}</span>
      </p>
      <div className={classes.progress}>
        <meter className={classes.track} aria-label={label} max={100} value={percent} />
        <span>{label}</span>
        <span className={classes.count}>
          {t('language.progress_of', { translated: format.number(translated), keys: format.number(keys) })}
        </span>
      </div>
      <fieldset className={classes.actions} aria-label={t('language.actions_of', { name: langName })}>
        <Link
          to="."
          search={(old) => ({ ...old, language: langLocale })}
          className={buttonClass({ size: 'small' })}
        >
          {t('language.edit_texts')}
        </Link>
        <Button size="small" onClick={onNames}>
          {t('language.edit_names')}
        </Button>
        {language.default ? null : (
          <Button size="small" busy={busy} onClick={onDefault}>
            {t('language.make_default')}
          </Button>
        )}
        <Button size="small" variant="quiet" className={classes.remove} onClick={onRemove}>
          {t('language.remove')}
        </Button>
      </fieldset>
      {language.default ? <p className={classes.hint}>{t('language.default_hint')}</p> : null}
    </li>
  )
}
