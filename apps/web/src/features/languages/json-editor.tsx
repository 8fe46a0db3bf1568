import {
  checkTexts,
  blockingProblems,
  missingForms,
  type TextProblem,
} from '@hansom/domain/languages/check-texts'
import { type PackProblem, parsePack, writePack } from '@hansom/domain/languages/parse-pack'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { isolated } from '../../lib/format.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { LeaveGuard } from '../../ui/leave-guard.tsx'
import { Notice } from '../../ui/notice.tsx'
import { changedTexts, wholePack } from './json-changes.ts'
import classes from './languages.module.css'
import { usePasteWhole } from './paste-whole.ts'
import { TextProblems } from './text-problems.tsx'
import type { TextsStore } from './texts-store.ts'

/** The whole pack as text. What cannot be read is said with its place, and the caret stands there afterwards. */
export function JsonEditor({ store, onSaved }: { store: TextsStore; onSaved: () => void }) {
  const { t } = useText()
  const { langLocale, langName } = store.texts
  const field = useRef<HTMLTextAreaElement>(null)
  const [before] = useState(() => writePack(wholePack(store.texts)))
  const [source, setSource] = useState(before)
  const pasting = usePasteWhole(setSource)
  const [wrong, setWrong] = useState<PackProblem | null>(null)
  const [problems, setProblems] = useState<TextProblem[]>([])
  const [checked, setChecked] = useState('')
  const save = useMutation({
    mutationFn: (texts: Record<string, string>) => store.saveAll(texts),
    onSuccess: (_language, texts) => {
      announce(t('language.json_saved', { count: Object.keys(texts).length }))
      onSaved()
    },
  })

  const submit = () => {
    const parsed = parsePack(source)
    if ('error' in parsed) return setWrong(parsed.error)
    const changes = changedTexts(store.texts, parsed.texts)
    if (Object.keys(changes).length === 0) return announce(t('language.json_unchanged'))
    const { english } = store.texts
    const found = [...checkTexts(langLocale, changes, english), ...missingForms(langLocale, changes, english)]
    setProblems(found)
    setChecked(source)
    const isGrave = found.some(({ problem }) => blockingProblems.includes(problem))
    // What may be meant is said once; a second try means it.
    if (!isGrave && (found.length === 0 || checked === source)) save.mutate(changes)
  }
  const goToError = () => {
    const at = wrong?.offset ?? 0
    setWrong(null)
    // After the dialog has given back the focus.
    requestAnimationFrame(() => {
      const area = field.current
      if (!area) return
      area.focus()
      area.setSelectionRange(at, at)
      const line = source.slice(0, at).split('\n').length
      const height = Number.parseFloat(getComputedStyle(area).lineHeight)
      area.scrollTop = Math.max(0, (line - 4) * height)
    })
  }
  const grave = problems.filter(({ problem }) => blockingProblems.includes(problem))
  const light = problems.filter((one) => !grave.includes(one))
  const isMeant = grave.length === 0 && light.length > 0 && checked === source
  return (
    <div className={classes.json}>
      <LeaveGuard active={source !== before && !save.isSuccess} views />
      <textarea
        ref={field}
        className={classes.source}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-label={t('language.json_label', { name: langName })}
        value={source}
        onChange={(event) => setSource(event.target.value)}
        {...pasting}
      />
      <TextProblems title={t('language.problems_grave')} problems={grave} tone="bad" />
      <TextProblems title={t('language.problems_light')} problems={light} tone="plain" />
      {save.error ? (
        <Notice tone="bad">
          <ErrorMessage error={save.error} />
        </Notice>
      ) : null}
      <div className={classes.jsonActions}>
        <Button disabled={source === before} onClick={() => setSource(before)}>
          {t('language.json_reset')}
        </Button>
        <Button variant="primary" busy={save.isPending} onClick={submit}>
          {t(isMeant ? 'language.json_anyway' : 'language.json_save')}
        </Button>
      </div>
      <AlertDialog open={wrong !== null} onClose={goToError}>
        <p className={classes.jsonError}>{t('language.json_error')}</p>
        {wrong ? (
          <>
            <p>{t(`language.json_${wrong.problem}`, { key: isolated(wrong.key ?? '') })}</p>
            <p>{t('language.json_at', { line: String(wrong.line), column: String(wrong.column) })}</p>
          </>
        ) : null}
      </AlertDialog>
    </div>
  )
}
