import type { TableFilter } from '@hansom/contract/tables'
import { type FormEvent, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../button.tsx'
import classes from '../popover.module.css'
import { TextField } from '../text-field.tsx'
import { datePresets, isDatePreset } from './date-presets.ts'
import { editText, readEdit, unreadable } from './edit-value.ts'
import { isReversed } from './table-state.ts'
import type { FilterDisplay } from './table-types.ts'
import toolbar from './toolbar.module.css'

interface Props {
  filter: TableFilter
  look: FilterDisplay
  value: string | undefined
  onChange: (value: string | undefined) => void
  onDone: () => void
}

/** Form for one filter. Choices apply immediately, ranges on submit. */
export function FilterForm(props: Props) {
  switch (props.filter.kind) {
    case 'choice':
    case 'flag':
      return <ChoiceForm {...props} />
    case 'id':
      return props.look.choices ? <ChoiceForm {...props} /> : <PickForm {...props} />
    case 'text':
      return <TextForm {...props} />
    case 'days':
    case 'numbers':
      return <SpanForm {...props} />
  }
}

function ChoiceForm({ filter, look, value, onChange }: Props) {
  const { t } = useText()
  const single = filter.kind !== 'choice'
  const offered =
    filter.kind === 'choice'
      ? filter.values
      : filter.kind === 'id'
        ? (look.choices?.map((one) => one.value) ?? [])
        : ['true', 'false']
  const chosen = value?.split(',') ?? []
  const labelOf = (one: string): string =>
    look.choices?.find((choice) => choice.value === one)?.label ??
    (look.words?.[one]
      ? t(look.words[one])
      : filter.kind === 'flag'
        ? t(one === 'true' ? 'table.flag_true' : 'table.flag_false')
        : one)
  const toggle = (one: string, on: boolean) => {
    const next = single
      ? on
        ? [one]
        : []
      : offered.filter((each) => (each === one ? on : chosen.includes(each)))
    onChange(next.length > 0 ? next.join(',') : undefined)
  }
  return (
    <fieldset aria-label={t(look.label)} className={toolbar.choices}>
      {offered.map((one) => (
        <label key={one} className={classes.item}>
          <input
            type={single ? 'radio' : 'checkbox'}
            name={single ? look.label : undefined}
            className={toolbar.check}
            checked={chosen.includes(one)}
            onChange={(event) => toggle(one, event.target.checked)}
          />
          <bdi>{labelOf(one)}</bdi>
        </label>
      ))}
    </fieldset>
  )
}

function PickForm({ look, value, onChange, onDone }: Props) {
  const Pick = look.pick
  if (!Pick) return null
  return (
    <div className={classes.form}>
      <Pick
        value={value}
        onChange={(id) => {
          onChange(id)
          if (id) onDone()
        }}
      />
    </div>
  )
}

function TextForm({ look, value, onChange, onDone }: Props) {
  const { t } = useText()
  const [text, setText] = useState(value ?? '')
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(text.trim() || undefined)
        onDone()
      }}
    >
      <TextField
        label={t(look.label)}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" size="small">
        {t('table.apply')}
      </Button>
    </form>
  )
}

function SpanForm({ filter, look, value, onChange, onDone }: Props) {
  const { t } = useText()
  const settings = useSettings()
  const days = filter.kind === 'days'
  const kind = look.amount ? 'amount' : 'number'
  const [ends, setEnds] = useState<[string, string]>(() => {
    const [from = '', to = ''] = value && !isDatePreset(value) ? value.split('..') : []
    const shown = (end: string) => (end === '' || days ? end : editText(kind, Number(end), settings))
    return [shown(from), shown(to)]
  })
  const [wrong, setWrong] = useState<{
    at: number
    key: 'table.unreadable' | 'error.field_reversed_range'
  } | null>(null)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = ends.map((end) => {
      if (end.trim() === '' || days) return end.trim()
      const number = readEdit({ kind }, end, settings)
      return number === unreadable || !Number.isInteger(number) ? null : String(number)
    })
    const bad = read.indexOf(null)
    if (bad >= 0) return setWrong({ at: bad, key: 'table.unreadable' })
    const isWrongOrder = days
      ? isReversed(read as string[])
      : isReversed(read.map((end) => end && Number(end)) as (number | '')[])
    if (isWrongOrder) return setWrong({ at: 1, key: 'error.field_reversed_range' })
    onChange(read[0] || read[1] ? read.join('..') : undefined)
    onDone()
  }
  const field = (at: 0 | 1, label: string) => (
    <TextField
      label={t(label)}
      type={days ? 'date' : 'text'}
      inputMode={days ? undefined : 'decimal'}
      dir="ltr"
      value={ends[at]}
      error={wrong?.at === at ? t(wrong.key) : undefined}
      onChange={(event) => {
        setWrong(null)
        setEnds(at === 0 ? [event.target.value, ends[1]] : [ends[0], event.target.value])
      }}
    />
  )
  return (
    <form className={classes.form} onSubmit={submit} aria-label={t(look.label)}>
      {days ? (
        <fieldset aria-label={t('table.days')} className={toolbar.presets}>
          {datePresets.map((preset) => (
            <button
              key={preset}
              type="button"
              className={classes.item}
              aria-pressed={value === preset}
              onClick={() => {
                onChange(preset)
                onDone()
              }}
            >
              {t(`table.days_${preset}`)}
            </button>
          ))}
        </fieldset>
      ) : null}
      {field(0, 'table.from')}
      {field(1, 'table.to')}
      <Button type="submit" variant="primary" size="small">
        {t('table.apply')}
      </Button>
    </form>
  )
}
