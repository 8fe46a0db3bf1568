import { ApiError } from '@hansom/client/api-error'
import type { CallContext } from '@hansom/client/rest-link'
import type { FieldError } from '@hansom/domain/error-keys'
import { useForm, useStore } from '@tanstack/react-form'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { idempotentCall } from '../lib/idempotent-call.ts'
import { useSettings } from '../lib/settings.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { ErrorMessage } from './error-message.tsx'
import { FocusOnMount } from './focus-first.tsx'
import { Notice } from './notice.tsx'
import { fieldProblem } from './problem-summary.tsx'
import { changedFields, clashingFields, type FormValues, readForm, startValues } from './record-changes.ts'
import type { FieldQuestion, RecordField } from './record-field.tsx'

/** A submitted form. */
export interface RecordChange<Fields, Row> {
  /** All fields. */
  draft: Fields
  /** Only the fields that differ from `record`. */
  changes: Partial<Fields>
  /** The record as it was read; null adds one. */
  record: Row | null
  /** Pass them to the call: they make a retry safe. */
  options: { context: CallContext }
  /** Call it when the fields are stored but a later step may fail: a retry starts from `row`. */
  stored: (row: Row) => void
}

export interface RecordFormOptions<Fields extends object, Row extends Fields, Answer> {
  /** Names the command and its record: the same input under the same name is sent as a retry. */
  command: string
  /** The record as it was read; null adds one. */
  record: Row | null
  /** The fields of a new record; NaN for a number to be entered. */
  blank: Fields
  fields: readonly RecordField<Fields>[]
  /** The domain's checker: all problems of a draft. */
  check: (draft: Fields, record: Row | null) => readonly FieldError[]
  save: (change: RecordChange<Fields, Row>) => Promise<Answer>
  onSaved: (answer: Answer) => void
  /** Called instead of `save` if a stored record was submitted unchanged. */
  onUnchanged?: () => void
  /** Asks before changes of a stored record with consequences; nothing is sent if it resolves to false. */
  ask?: (questions: readonly RecordQuestion<Fields>[]) => Promise<boolean>
}

/** A change that the user must confirm. */
export interface RecordQuestion<Fields> {
  field: RecordField<Fields>
  text: FieldQuestion
  record: Fields
  draft: Fields
}

/** The parts of a form. */
export interface RecordForm<Fields> {
  field: (id: string, hint?: ReactNode) => ReactNode
  /** Renders with the draft, or with null while one of these fields is invalid. */
  preview: (ids: readonly string[], render: (draft: Fields | null) => ReactNode) => ReactNode
  /** Props of the form element. */
  element: { ref: RefObject<HTMLFormElement | null>; onSubmit: (event: FormEvent) => void; noValidate: true }
  /** The error or the conflict of the last attempt, or that it waits for the connection. */
  notice: ReactNode
  busy: boolean
  isDirty: () => boolean
  /** Renders with whether there are unsaved changes. */
  whenDirty: (render: (isDirty: boolean) => ReactNode) => ReactNode
}

/**
 * The form of a record. Typed text survives a refusal, a conflict and a lost connection. If someone else changed
 * other fields meanwhile, both changes are saved; if they changed the same fields, the user chooses.
 */
export function useRecordForm<Fields extends object, Row extends Fields, Answer = Row>(
  options: RecordFormOptions<Fields, Row, Answer>,
): RecordForm<Fields> {
  const { command, blank, fields, check, onSaved, onUnchanged } = options
  const { t } = useText()
  const rules = useSettings()
  const element = useRef<HTMLFormElement>(null)
  const [record, setRecord] = useState(options.record)
  const [submitted, setSubmitted] = useState<FormValues>({})
  const edited = (from: Row | null) => ({ fields, record: from ?? blank, rules })
  const problemsOf = (values: FormValues): Record<string, FieldProblems> => {
    const { draft, invalid } = readForm<Fields>(edited(record), values)
    return {
      ...byField(check(draft, record)),
      ...Object.fromEntries(
        invalid.map((id) => [id, { [id]: values[id] === '' ? 'required' : 'wrong_type' }]),
      ),
    }
  }
  const questionsOf = (values: FormValues): RecordQuestion<Fields>[] => {
    if (!record) return []
    const { draft } = readForm<Fields>(edited(record), values)
    return changedFields<Fields>(edited(record), values).flatMap((field) => {
      const text = field.question?.(draft, record)
      return text ? [{ field, text, record, draft }] : []
    })
  }
  const focusInvalid = () => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()

  const [defaultValues] = useState(() => startValues<Fields>(edited(record)))
  const form = useForm({
    defaultValues,
    validators: {
      onChange: ({ value }) => {
        const problems = problemsOf(value)
        return Object.keys(problems).length > 0 ? { fields: problems } : undefined
      },
    },
    onSubmitInvalid: () => requestAnimationFrame(focusInvalid),
    onSubmit: async () => {
      const questions = questionsOf(form.state.values)
      if (options.ask && questions.length > 0 && !(await options.ask(questions))) return
      // The mutation has the error.
      await save.mutateAsync(record).catch(() => {})
    },
  })
  // Read here, so that a refused attempt renders fields whose own state is the same as before.
  const wasTried = useStore(form.store, (state) => state.submissionAttempts > 0)
  const clashes = (theirs: Row, values = form.state.values) =>
    clashingFields<Fields>(edited(record), values, theirs)

  /** Moves the form to a newer record, whose values replace unchanged fields and those in `taken`. */
  const rebase = (next: Row, taken: readonly RecordField<Fields>[] = []) => {
    const mine = new Set(changedFields<Fields>(edited(record), form.state.values))
    for (const field of taken) mine.delete(field)
    for (const field of fields)
      if (!mine.has(field))
        form.setFieldValue(field.id, field.start(next, rules), { dontUpdateMeta: true, dontValidate: true })
    setRecord(next)
  }
  const send = async (against: Row | null) => {
    const { draft } = readForm<Fields>(edited(against), form.state.values)
    const changes: Partial<Fields> = Object.assign(
      {},
      ...changedFields<Fields>(edited(against), form.state.values).map((field) =>
        field.read(form.state.values[field.id], against ?? blank, rules),
      ),
    )
    const input = { id: command, changes: against ? changes : draft, against }
    return idempotentCall('record', input, (_input, call) =>
      options.save({ draft, changes, record: against, options: call, stored: rebase }),
    )
  }
  const save = useMutation<Answer, ApiError, Row | null>({
    mutationFn: async (against) => {
      try {
        return await send(against)
      } catch (error) {
        const theirs = currentOf<Row>(error)
        if (!theirs || clashes(theirs).length > 0) throw error
        rebase(theirs)
        return send(theirs)
      }
    },
    onMutate: () => setSubmitted(form.state.values),
    onSuccess: onSaved,
  })
  // The field that the server refused is marked once the error is rendered.
  useEffect(() => {
    if (save.error) focusInvalid()
  }, [save.error])

  // A newer record, such as the one just saved, replaces the old one unless the user has to choose.
  const newer = options.record
  const latest = useRef({ clashes, rebase })
  latest.current = { clashes, rebase }
  useEffect(() => {
    if (newer && latest.current.clashes(newer).length === 0) latest.current.rebase(newer)
  }, [newer])

  const refused = byField(save.error?.fields ?? [])
  const theirs = currentOf<Row>(save.error)
  const conflict = theirs && {
    theirs,
    fields: clashes(theirs, submitted),
    draft: readForm<Fields>(edited(record), submitted).draft,
  }
  const hasRefusedField = fields.some(({ id }) => refused[id])
  const isDirty = () => changedFields<Fields>(edited(record), form.state.values).length > 0

  const field = (id: string, hint?: ReactNode) => {
    const one = fields.find((candidate) => candidate.id === id)
    if (!one) return null
    return (
      <form.Field key={id} name={id}>
        {({ state, handleChange, handleBlur }) => {
          const own = state.meta.isTouched ? (state.meta.errors[0] as FieldProblems | undefined) : undefined
          const problems = { ...(state.value === submitted[id] ? refused[id] : {}), ...own }
          const errorOf = (name: string, isEmpty: boolean) => {
            const key = problems[name] === 'wrong_type' && isEmpty ? 'required' : problems[name]
            const isEarly = key === 'required' && !wasTried && !state.meta.isBlurred
            return key && !isEarly ? fieldProblem(key, t) : undefined
          }
          return one.control(
            {
              name: id,
              label: t(one.header),
              hint: hint ?? (one.hint && t(one.hint)),
              value: state.value,
              onChange: handleChange,
              onBlur: handleBlur,
              error: errorOf(id, state.value === ''),
              errorOf: (part, text) => errorOf(`${id}.${part}`, text.trim() === ''),
            },
            record ?? blank,
          )
        }}
      </form.Field>
    )
  }
  const notice = conflict ? (
    <FocusOnMount key={save.submittedAt}>
      <ConflictNotice
        by={typeof save.error?.data.by === 'string' ? save.error.data.by : null}
        differences={conflict.fields.map(({ id, header, cell }) => ({
          id,
          label: t(header),
          mine: cell(conflict.draft),
          theirs: cell(conflict.theirs),
        }))}
        onKeepMine={() => {
          rebase(conflict.theirs)
          save.mutate(conflict.theirs)
        }}
        onTakeTheirs={() => {
          rebase(conflict.theirs, conflict.fields)
          save.reset()
        }}
      />
    </FocusOnMount>
  ) : save.error && !hasRefusedField ? (
    <FocusOnMount key={save.submittedAt}>
      <Notice tone="bad">
        <ErrorMessage error={save.error} />
      </Notice>
    </FocusOnMount>
  ) : save.isPaused ? (
    // The page's own notice may be behind a dialog.
    <FocusOnMount>
      <Notice tone="attention">{t('common.offline_save')}</Notice>
    </FocusOnMount>
  ) : null

  return {
    field,
    preview: (ids, render) => (
      <form.Subscribe selector={({ values }) => values}>
        {(values) => {
          const problems = problemsOf(values)
          return render(
            ids.some((id) => problems[id]) ? null : readForm<Fields>(edited(record), values).draft,
          )
        }}
      </form.Subscribe>
    ),
    element: {
      ref: element,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        if (form.state.isSubmitting) return
        if (record && onUnchanged && !isDirty()) onUnchanged()
        else void form.handleSubmit()
      },
    },
    notice,
    busy: save.isPending,
    isDirty,
    whenDirty: (render) => <form.Subscribe selector={isDirty}>{render}</form.Subscribe>,
  }
}

/** The record as it is now, if an error is a conflict. */
function currentOf<Row>(error: unknown): Row | undefined {
  return error instanceof ApiError && error.key === 'conflict' ? (error.data.current as Row) : undefined
}

/** Error keys of a field and its parts, such as `cancelSlab` and `cancelSlab.0.amount`. */
type FieldProblems = Readonly<Record<string, string>>

function byField(problems: readonly { field: string; error: string }[]): Record<string, FieldProblems> {
  const fields: Record<string, FieldProblems> = {}
  for (const { field, error } of problems) {
    const id = field.split('.')[0] ?? field
    fields[id] = { ...fields[id], [field]: error }
  }
  return fields
}
