import type { TableFilter, TableSpec } from '@hansom/contract/tables'
import { plainAmount } from '@hansom/domain/money/amount'
import { IconFilterPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../button.tsx'
import { Menu } from '../menu.tsx'
import { Popover } from '../popover.tsx'
import { isDatePreset } from './date-presets.ts'
import { FilterForm } from './filter-form.tsx'
import type { FilterDisplay } from './table-types.ts'
import classes from './toolbar.module.css'

interface Props {
  spec: TableSpec
  looks: Readonly<Record<string, FilterDisplay | undefined>>
  /** Filters the user cannot change; not offered. */
  fixed: Readonly<Record<string, string | undefined>>
  values: Readonly<Record<string, string>>
  onChange: (values: Record<string, string>) => void
}

/** Active filters as chips, with a button to add one. */
export function FilterChips({ spec, looks, fixed, values, onChange }: Props) {
  const { t } = useText()
  const [menu, setMenu] = useState<HTMLElement | null>(null)
  const [open, setOpen] = useState<{ name: string; anchor: HTMLElement } | null>(null)
  const offered = Object.keys(spec.filters).filter((name) => looks[name] && fixed[name] === undefined)
  const unused = offered.filter((name) => values[name] === undefined)
  if (offered.length === 0) return null

  const set = (name: string, value: string | undefined) => {
    const rest = Object.fromEntries(Object.entries(values).filter(([one]) => one !== name))
    onChange(value === undefined ? rest : { ...rest, [name]: value })
  }
  const shown = open ? looks[open.name] : undefined
  const filter = open ? spec.filters[open.name] : undefined

  return (
    <>
      {offered
        .filter((name) => values[name] !== undefined)
        .map((name) => {
          const look = looks[name] as FilterDisplay
          return (
            <span key={name} className={classes.chip}>
              <button
                type="button"
                className={classes.chipWords}
                aria-haspopup="dialog"
                aria-expanded={open?.name === name}
                onClick={(event) => setOpen({ name, anchor: event.currentTarget })}
              >
                {t(look.label)}
                <strong>
                  <FilterWords
                    filter={spec.filters[name] as TableFilter}
                    look={look}
                    value={values[name] ?? ''}
                  />
                </strong>
              </button>
              <button
                type="button"
                className={classes.chipCross}
                aria-label={t('table.remove_filter', { name: t(look.label) })}
                onClick={() => set(name, undefined)}
              >
                <IconX size={15} aria-hidden />
              </button>
            </span>
          )
        })}
      {unused.length > 0 ? (
        <Button
          size="small"
          variant="quiet"
          aria-haspopup="menu"
          aria-expanded={menu !== null}
          onClick={(event) => setMenu(menu ? null : event.currentTarget)}
        >
          <IconFilterPlus size={17} aria-hidden />
          {t('table.filter')}
        </Button>
      ) : null}
      {menu ? (
        <Menu
          anchor={menu}
          label={t('table.filter')}
          onClose={() => setMenu(null)}
          items={unused.map((name) => ({
            id: name,
            label: t(looks[name]?.label ?? name),
            onSelect: () => setOpen({ name, anchor: menu }),
          }))}
        />
      ) : null}
      {open && shown && filter ? (
        <Popover anchor={open.anchor} label={t(shown.label)} onClose={() => setOpen(null)}>
          <FilterForm
            filter={filter}
            look={shown}
            value={values[open.name]}
            onChange={(value) => set(open.name, value)}
            onDone={() => setOpen(null)}
          />
        </Popover>
      ) : null}
    </>
  )
}

/** The value of a filter as text. */
function FilterWords({ filter, look, value }: { filter: TableFilter; look: FilterDisplay; value: string }) {
  const { t, language } = useText()
  const format = useFormat()
  const { decimal } = useSettings()
  if (filter.kind === 'choice' || filter.kind === 'flag') {
    const named = (one: string): string =>
      look.choices?.find((choice) => choice.value === one)?.label ??
      (look.words?.[one]
        ? t(look.words[one])
        : filter.kind === 'flag'
          ? t(one === 'true' ? 'table.flag_true' : 'table.flag_false')
          : one)
    return (
      <bdi>
        {new Intl.ListFormat(language.langLocale, { type: 'disjunction' }).format(
          value.split(',').map(named),
        )}
      </bdi>
    )
  }
  const [from = '', to = ''] = value.split('..')
  const isNamed = filter.kind === 'text' || (filter.kind === 'numbers' && from === to)
  if (isNamed && look.named) return <look.named id={filter.kind === 'text' ? value : from} />
  if (filter.kind === 'text') return <bdi>{value}</bdi>
  if (filter.kind === 'id') {
    const known = look.choices?.find((choice) => choice.value === value)
    if (known) return <bdi>{known.label}</bdi>
    const Named = look.named
    return Named ? <Named id={value} /> : <bdi dir="ltr">{value.slice(0, 8)}</bdi>
  }
  const written = (end: string): ReactNode => {
    if (filter.kind === 'days') return format.date(Date.parse(`${end}T12:00:00Z`))
    return look.amount ? plainAmount(Number(end), decimal) : format.number(Number(end))
  }
  if (filter.kind === 'days' && isDatePreset(value)) return <bdi>{t(`table.days_${value}`)}</bdi>
  if (from === to) return <bdi dir="ltr">{written(from)}</bdi>
  return (
    <bdi dir={filter.kind === 'days' ? undefined : 'ltr'}>
      {from ? written(from) : '…'} – {to ? written(to) : '…'}
    </bdi>
  )
}
