import { settingNames, type SettingSection } from '@hansom/domain/settings/fields'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { AdminSettings } from '@hansom/contract/settings'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { ProblemSummary } from '../../ui/problem-summary.tsx'
import { CloseEditsDialog } from './close-edits-dialog.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import { LeaveGuard } from '../../ui/leave-guard.tsx'
import { SaveBar } from './save-bar.tsx'
import classes from './settings-screen.module.css'
import { useFieldWords } from './use-field-words.ts'
import { type SettingsForm, useSettingsForm } from './use-settings-form.ts'

interface Props {
  title: string
  lead: string
  /** The sections of this page, for the list of links to them. */
  sections: readonly { id: SettingSection | 'licence' | 'providers' | 'preview'; title: string }[]
  children: (form: SettingsForm) => ReactNode
}

/** A page of settings: sections, and a bar to save that appears with the first change. */
export function SettingsPage(props: Props) {
  const { version } = useSettings()
  const query = useQuery(orpc.settings.all.queryOptions())
  const { refetch } = query
  const known = query.data?.version
  // Somebody else has saved: his settings come in under what is typed here.
  useEffect(() => {
    if (known !== undefined && version > known) void refetch()
  }, [known, version, refetch])
  return (
    <div className={pageFrame}>
      <PageHead title={props.title} lead={props.lead} />
      {query.isPending ? <LoadingState rows={5} height="120px" /> : null}
      {query.isError && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void refetch()} />
      ) : null}
      {query.data ? <LoadedPage {...props} latest={query.data} /> : null}
    </div>
  )
}

function LoadedPage({ sections, children, latest }: Props & { latest: AdminSettings }) {
  const { t } = useText()
  const form = useSettingsForm(latest)
  const words = useFieldWords(form)
  const [isAsking, setAsking] = useState(false)
  const closesEdits =
    form.saved.values.AllowCriticalEditsAdmin && form.shown('AllowCriticalEditsAdmin') === false
  const labels = Object.fromEntries(settingNames.map((name) => [name, words.label(name)]))
  return (
    <div className={classes.columns}>
      <nav className={classes.index} aria-label={t('settings.sections')}>
        {sections.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (closesEdits) setAsking(true)
          else if (form.changes > 0) form.save()
        }}
      >
        {form.saved.values.AllowCriticalEditsAdmin ? null : (
          <Notice tone="plain">{t('settings.demo_off')}</Notice>
        )}
        {Object.keys(form.problems).length > 0 ? (
          <ProblemSummary
            problems={form.problems}
            message={t('settings.problems')}
            labels={labels}
            attempt={form.turn}
          />
        ) : null}
        <ConflictPanel form={form} />
        {children(form)}
        <SaveBar form={form} />
      </form>
      <AlertDialog open={form.error !== null} onClose={form.closeError}>
        <p>
          <ErrorMessage error={form.error} />
        </p>
      </AlertDialog>
      <AlertDialog open={form.done === 'updated'} onClose={form.closeDone}>
        <p>{t('settings.updated')}</p>
      </AlertDialog>
      {isAsking ? (
        <CloseEditsDialog
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            form.save()
          }}
        />
      ) : null}
      <LeaveGuard active={form.changes > 0} />
    </div>
  )
}
