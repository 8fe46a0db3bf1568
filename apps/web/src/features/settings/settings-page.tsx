import type { AdminSettings } from '@hansom/contract/settings'
import { type SettingSection, type SettingValues, settingNames } from '@hansom/domain/settings/fields'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { AlertDialog, Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { LeaveGuard } from '../../ui/leave-guard.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { ProblemSummary } from '../../ui/problem-summary.tsx'
import { useFieldTexts } from './setting-input.tsx'
import classes from './settings-screen.module.css'
import { UnitsDialog } from './units-dialog.tsx'
import { type SettingsForm, typedOf, useSettingsForm } from './use-settings-form.ts'

interface Props {
  title: string
  lead: string
  /** The sections of this page, for the list of links to them. */
  sections: readonly {
    id: SettingSection | 'licence' | 'maps' | 'messages' | 'providers' | 'preview'
    title: string
  }[]
  children: (form: SettingsForm) => ReactNode
}

/** A page of settings: sections, and a save bar that appears with the first change. */
export function SettingsPage(props: Props) {
  const { version } = useSettings()
  const query = useQuery(orpc.settings.all.queryOptions())
  const { refetch } = query
  const known = query.data?.version
  // Another admin has saved: their settings are merged under the edits made here.
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
  const texts = useFieldTexts(form)
  const [asking, setAsking] = useState<'close_edits' | 'units' | null>(null)
  const { AllowCriticalEditsAdmin: opens, convert_to_mile: toMile } = form.edits
  const askUnits = () => {
    if (toMile !== undefined) return setAsking('units')
    setAsking(null)
    form.save()
  }
  // The sections were not there yet when the browser looked for the one in the URL.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [])
  const labels = Object.fromEntries(settingNames.map((name) => [name, texts.label(name)]))
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
          if (form.changes === 0) return
          if (opens === false) setAsking('close_edits')
          else askUnits()
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
            attempt={form.attempt}
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
      {asking === 'close_edits' ? (
        <CloseEditsDialog onClose={() => setAsking(null)} onConfirm={askUnits} />
      ) : null}
      {asking === 'units' && toMile !== undefined ? (
        <UnitsDialog
          before={form.saved.values}
          edits={form.edits}
          toMile={toMile}
          onClose={() => setAsking(null)}
          onConfirm={(convertUnits) => {
            setAsking(null)
            form.save(convertUnits)
          }}
        />
      ) : null}
      <LeaveGuard active={form.changes > 0} />
    </div>
  )
}

/** A card of related settings. */
export function Section({
  id,
  title,
  text,
  children,
}: {
  id: string
  title: string
  text?: string
  children: ReactNode
}) {
  const heading = useId()
  return (
    <section id={id} className={classes.section} aria-labelledby={heading}>
      <div className={classes.sectionHead}>
        <h2 id={heading}>{title}</h2>
        {text ? <p>{text}</p> : null}
      </div>
      {children}
    </section>
  )
}

/** The save bar: the number of unsaved changes with Save and Reset, then a confirmation. */
function SaveBar({ form }: { form: SettingsForm }) {
  const { t } = useText()
  const { changes, conflicts, saving, done } = form
  const isShown = changes > 0 || done === 'saved'
  return (
    <div className={classes.saveBar} data-shown={isShown || undefined}>
      <output className={classes.saveText}>
        {conflicts.length > 0 ? <a href="#conflict">{t('settings.conflict_title')}</a> : null}
        {changes > 0 && conflicts.length === 0 ? t('settings.unsaved', { count: changes }) : null}
        {changes === 0 && done === 'saved' ? (
          <>
            <IconCheck size={20} stroke={2} aria-hidden /> {t('settings.saved')}
          </>
        ) : null}
      </output>
      {changes > 0 ? (
        <>
          <Button onClick={form.reset} disabled={saving}>
            {t('settings.reset')}
          </Button>
          <Button type="submit" variant="primary" busy={saving} disabled={conflicts.length > 0}>
            {t('settings.save')}
          </Button>
        </>
      ) : null}
    </div>
  )
}

/** Fields that another admin saved while they were edited here, with both values to choose from. */
function ConflictPanel({ form }: { form: SettingsForm }) {
  const { t } = useText()
  const texts = useFieldTexts(form)
  if (form.conflicts.length === 0) return null
  return (
    <section id="conflict" className={classes.conflict} aria-labelledby="conflict-title" role="alert">
      <h2 id="conflict-title">{t('settings.conflict_title')}</h2>
      <p>{t('settings.conflict_text')}</p>
      <ul className={classes.conflictList}>
        {form.conflicts.map(({ name, theirs }) => {
          const label = texts.label(name)
          const other = typedOf(name, theirs as SettingValues[typeof name])
          return (
            <li key={name} className={classes.conflictRow}>
              <h3>{label}</h3>
              <div className={classes.choice}>
                <span>{t('settings.conflict_mine')}</span>
                <bdi>{texts.value(name, form.shown(name))}</bdi>
                <Button size="small" onClick={() => form.decide(name, true)}>
                  {t('settings.keep_mine')}
                </Button>
              </div>
              <div className={classes.choice}>
                <span>{t('settings.conflict_theirs')}</span>
                <bdi>{texts.value(name, other)}</bdi>
                <Button size="small" onClick={() => form.decide(name, false)}>
                  {t('settings.take_theirs')}
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Confirms switching off critical edits, which no page can switch on again. */
function CloseEditsDialog({ onClose, onConfirm }: { onClose: () => void; onConfirm: () => void }) {
  const { t } = useText()
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={t('settings.close_edits_title')}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button variant="danger" onClick={onConfirm}>
            {t('settings.close_edits')}
          </Button>
        </DialogButtons>
      }
    >
      <p>{t('settings.close_edits_text')}</p>
    </Dialog>
  )
}
