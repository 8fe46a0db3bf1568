import type { LanguageTexts } from '@hansom/contract/languages'
import {
  blockingError,
  checkTexts,
  missingForms,
  type TextProblem,
} from '@hansom/domain/languages/check-texts'
import { type PackProblem, parsePack, writePack } from '@hansom/domain/languages/parse-pack'
import { useMutation } from '@tanstack/react-query'
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { AlertDialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { LeaveGuard } from '../../ui/leave-guard.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './languages.module.css'
import type { TextsStore } from './texts-store.ts'

/** All texts of a language as JSON. A syntax error is shown with its position, and the caret moves there. */
export function JsonEditor({ store, onSaved }: { store: TextsStore; onSaved: () => void }) {
  const { t } = useText()
  const { langLocale, langName } = store.texts
  const field = useRef<HTMLTextAreaElement>(null)
  const [before] = useState(() => writePack(allTexts(store.texts)))
  const [source, setSource] = useState(before)
  const pasting = useLongPaste(setSource)
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
    const isBlocked = found.some((problem) => blockingError(problem) !== null)
    // Warnings are shown once; saving again accepts them.
    if (!isBlocked && (found.length === 0 || checked === source)) save.mutate(changes)
  }
  const goToError = () => {
    const at = wrong?.offset ?? 0
    setWrong(null)
    // After the closing dialog has restored the focus.
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
  const blocking = problems.filter((problem) => blockingError(problem) !== null)
  const warnings = problems.filter((one) => !blocking.includes(one))
  const isAccepted = blocking.length === 0 && warnings.length > 0 && checked === source
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
      <TextProblems title={t('language.problems_grave')} problems={blocking} tone="bad" />
      <TextProblems title={t('language.problems_light')} problems={warnings} tone="plain" />
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
          {t(isAccepted ? 'language.json_anyway' : 'language.json_save')}
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

const maxListed = 12

/** Problems of texts, by key. */
function TextProblems({
  title,
  problems,
  tone,
}: {
  title: string
  problems: readonly TextProblem[]
  tone: 'bad' | 'plain'
}) {
  const { t } = useText()
  if (problems.length === 0) return null
  return (
    <Notice tone={tone}>
      <p>{title}</p>
      <ul className={classes.problems}>
        {problems.slice(0, maxListed).map((one) => (
          <li key={`${one.key} ${one.problem}`}>
            <bdi dir="ltr" className={classes.key}>
              {one.key}
            </bdi>{' '}
            {t(`language.problem_${one.problem}`, {
              names: 'names' in one ? isolated(one.names.join(', ')) : '',
            })}
          </li>
        ))}
      </ul>
      {problems.length > maxListed ? (
        <p>{t('language.more_problems', { count: problems.length - maxListed })}</p>
      ) : null}
    </Notice>
  )
}

/** From this length on, a paste is inserted in one step. */
const longPaste = 20_000

/**
 * Handlers for a text area with long texts. Browsers insert a paste line by line: 2,000 lines took seven seconds, 4,000
 * a minute. A long paste is inserted in one step, and the undo keys revert it.
 */
export function useLongPaste(onChange: (value: string) => void) {
  const last = useRef<{ before: string; start: number; end: number; after: string } | null>(null)

  const put = (area: HTMLTextAreaElement, value: string, caret: number) => {
    area.value = value
    area.setSelectionRange(caret, caret)
    onChange(value)
  }
  return {
    onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
      // A text area stores \n line breaks.
      const text = event.clipboardData.getData('text/plain').replaceAll(/\r\n?/g, '\n')
      if (text.length < longPaste) return
      event.preventDefault()
      const area = event.currentTarget
      const { value: before, selectionStart: start, selectionEnd: end } = area
      const after = before.slice(0, start) + text + before.slice(end)
      last.current = { before, start, end, after }
      put(area, after, start + text.length)
    },
    onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
      const area = event.currentTarget
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
      if (!isUndo || last.current === null || area.value !== last.current.after) return
      event.preventDefault()
      const { before, start, end } = last.current
      last.current = null
      put(area, before, end)
      area.setSelectionRange(start, end)
    },
  }
}

type Known = Pick<LanguageTexts, 'english' | 'texts'>

/** All keys of a language with their texts; empty for a missing text. */
export function allTexts({ english, texts }: Known): Record<string, string> {
  return Object.fromEntries(Object.keys(english).map((key) => [key, texts[key] ?? '']))
}

/** The texts that an edited pack changes; empty for removed ones. */
export function changedTexts(known: Known, pack: Readonly<Record<string, string>>): Record<string, string> {
  const before = allTexts(known)
  const keys = [...new Set([...Object.keys(before), ...Object.keys(pack)])]
  const changed = keys.filter((key) => !(key in before) || (pack[key] ?? '') !== before[key])
  return Object.fromEntries(changed.map((key) => [key, pack[key] ?? '']))
}
