import { ApiError } from '@hansom/client/api-error'
import type { AdminSettings } from '@hansom/contract/settings'
import { unit } from '@hansom/domain/money/amount'
import { checkValues, tidyValues } from '@hansom/domain/settings/check-values'
import {
  type SettingField,
  type SettingName,
  type SettingValues,
  settingFields,
} from '@hansom/domain/settings/fields'
import { conflictsOf, type FieldConflict } from '@hansom/domain/settings/values'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { latinDigits } from '../../ui/latin-digits.ts'
import { type Problems, refusedFields } from '../../ui/problem-summary.tsx'

/** How long the confirmation is shown, ms. */
const confirmationMs = 6_000

/** The settings and the unsaved edits. */
export interface SettingsForm {
  /** The stored settings. */
  saved: AdminSettings
  /** The value that a field shows. */
  shown: (name: SettingName) => string | boolean
  change: (name: SettingName, value: string | boolean) => void
  /** The values that differ from the stored settings. */
  edits: Partial<SettingValues>
  /** The number of fields that differ from the stored settings. */
  changes: number
  problems: Problems
  /** Increments with every attempt that has field errors. */
  attempt: number
  conflicts: FieldConflict<SettingName>[]
  /** Resolves a conflict: keeps or discards the edit made here. */
  decide: (name: SettingName, keepMine: boolean) => void
  license: string
  setLicense: (code: string) => void
  /** `convertUnits`: a change of the unit of distance also converts rates and distances. */
  save: (convertUnits?: boolean) => void
  saving: boolean
  reset: () => void
  /** The error of the last attempt, unless it is about fields. */
  error: unknown
  closeError: () => void
  /** The outcome of the last attempt; `updated` if a licence code was accepted too. */
  done: 'saved' | 'updated' | null
  closeDone: () => void
}

/**
 * The settings being edited. Changes saved by others meanwhile are merged under the edits made here; if both changed a
 * field, the user chooses.
 */
export function useSettingsForm(latest: AdminSettings): SettingsForm {
  const { t } = useText()
  const [saved, setSaved] = useState(latest)
  const [typed, setTyped] = useState<Typed>({})
  const [conflicts, setConflicts] = useState<FieldConflict<SettingName>[]>([])
  const [problems, setProblems] = useState<Problems>({})
  const [attempt, setAttempt] = useState(0)
  const [license, setLicense] = useState('')
  const [done, setDone] = useState<SettingsForm['done']>(null)
  const [error, setError] = useState<unknown>(null)
  const edits = editsOf(typed, saved.values)

  /** Moves the edits onto newer settings and returns the fields that both changed. */
  const rebase = (next: AdminSettings) => {
    const found = conflictsOf(saved.values, edits, next.values)
    setSaved(next)
    setConflicts((before) => [
      ...before
        .filter(({ name }) => !found.some((one) => one.name === name))
        .map((one) => ({ ...one, theirs: next.values[one.name] })),
      ...found,
    ])
    return found
  }

  useEffect(() => {
    if (latest.version > saved.version) rebase(latest)
  })

  useEffect(() => {
    if (done !== 'saved') return
    const timer = setTimeout(() => setDone(null), confirmationMs)
    return () => clearTimeout(timer)
  }, [done])

  const mutation = useMutation({
    mutationFn: ({ base, convertUnits }: { base: AdminSettings; convertUnits: boolean }) =>
      api.settings.update({
        ...tidyValues(edits),
        version: base.version,
        ...(convertUnits ? { convertUnits } : {}),
        ...(license.trim() ? { license: license.trim() } : {}),
      }),
    onSuccess: (next) => {
      setSaved(next)
      setTyped({})
      setProblems({})
      setDone(license.trim() ? 'updated' : 'saved')
      setLicense('')
      queryClient.setQueryData(orpc.settings.all.queryOptions().queryKey, next)
    },
    onError: (cause: unknown, { convertUnits }) => {
      const current = cause instanceof ApiError && cause.key === 'conflict' ? cause.data.current : undefined
      if (current) {
        const next = current as AdminSettings
        // The edits touch other fields: save them against the newer settings.
        if (rebase(next).length === 0 && next.version > saved.version)
          mutation.mutate({ base: next, convertUnits })
        return
      }
      const refused = refusedFields(cause, t)
      setProblems(refused)
      if (Object.keys(refused).length > 0) setAttempt(attempt + 1)
      else setError(asUpdateFailure(cause))
    },
  })

  return {
    saved,
    shown: (name) => typed[name] ?? typedOf(name, saved.values[name]),
    change: (name, value) => {
      setDone(null)
      setTyped({ ...typed, [name]: value })
      setProblems(without(problems, name))
    },
    edits,
    changes: Object.keys(edits).length + (license.trim() ? 1 : 0),
    problems,
    attempt,
    conflicts,
    decide: (name, keepMine) => {
      if (!keepMine) setTyped(without(typed, name))
      setConflicts(conflicts.filter((one) => one.name !== name))
    },
    license,
    setLicense,
    save: (convertUnits = false) => {
      const facts = { currencyInUse: saved.currencyInUse, code: saved.values.code }
      const wrong = checkValues(tidyValues(edits), facts)
      setDone(null)
      if (wrong.length > 0) {
        setProblems(refusedFields(new ApiError('invalid_input', 400, { fields: wrong }), t))
        setAttempt(attempt + 1)
      } else mutation.mutate({ base: saved, convertUnits })
    },
    saving: mutation.isPending,
    reset: () => {
      setTyped({})
      setLicense('')
      setProblems({})
      setConflicts([])
    },
    error,
    closeError: () => setError(null),
    done,
    closeDone: () => setDone(null),
  }
}

/** A server error means here that nothing was saved. */
function asUpdateFailure(cause: unknown): unknown {
  if (!(cause instanceof ApiError) || cause.key !== 'server_error') return cause
  return new ApiError('update_failed', cause.status, { requestId: cause.requestId })
}

function without<T extends object>(record: T, name: string): T {
  const { [name as keyof T]: _gone, ...rest } = record
  return rest as T
}

/** The edited fields: typed text, or the state of a switch. */
export type Typed = Partial<Record<SettingName, string | boolean>>

const numbers: readonly SettingField['kind'][] = ['whole', 'distance', 'percentage', 'amount']
/** Kinds stored as 10^-4 of what is typed. */
const scaled: readonly SettingField['kind'][] = ['percentage', 'amount']

/** Whether a field accepts only a number of 0 or more. */
export function isNumberField(name: SettingName): boolean {
  return numbers.includes(settingFields[name].kind)
}

/** A value as its field shows it; amounts in currency units. */
export function typedOf(name: SettingName, value: SettingValues[SettingName]): string | boolean {
  if (typeof value !== 'number') return value ?? ''
  return String(scaled.includes(settingFields[name].kind) ? value / unit : value)
}

/** The typed text if a number field accepts it (a complete or partial number of 0 or more), otherwise empty. */
export function numberTyped(text: string): string {
  const latin = latinDigits(text)
    .trim()
    .replace(/[,\u066b]/, '.')
  return /^\d*\.?\d*$/.test(latin) ? latin : ''
}

/** The value of a field's text; null for a number field without a number. */
export function valueOf(name: SettingName, typed: string | boolean): SettingValues[SettingName] {
  if (typeof typed === 'boolean' || !isNumberField(name)) return typed as SettingValues[SettingName]
  if (typed === '' || typed === '.') return null
  const value = Number(typed)
  return scaled.includes(settingFields[name].kind) ? Math.round(value * unit) : value
}

/** The edited values that differ from `before`. */
export function editsOf(typed: Typed, before: SettingValues): Partial<SettingValues> {
  const changed = Object.entries(typed).flatMap(([key, text]) => {
    const name = key as SettingName
    const value = valueOf(name, text)
    return value === before[name] ? [] : [[name, value]]
  })
  return Object.fromEntries(changed) as Partial<SettingValues>
}
