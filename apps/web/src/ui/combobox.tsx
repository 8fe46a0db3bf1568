import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import classes from './combobox.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface ComboboxOption {
  id: string
  label: string
  detail?: string
  /** Shown before the detail; something to know before choosing the option. */
  note?: string | undefined
  icon?: ReactNode
}

interface Props {
  label: string
  placeholder?: string
  /** The field's text. */
  value: string
  onInput: (text: string) => void
  options: readonly ComboboxOption[]
  onSelect: (id: string) => void
  /** Options are loading. */
  busy?: boolean
  /** Shown in the list instead of options: no results, or an error. */
  notice?: ReactNode
  /** Shown below the options, such as who found them. */
  footer?: string
  /** Shown below the field while it has no list: why its text is not valid yet. */
  problem?: string | null
  /** Enter selects the first option if none is marked, as in a search. */
  entersFirst?: boolean
  /** Shown at the end of the field, such as a clear button. */
  trailing?: ReactNode
  name?: string
  inputRef?: Ref<HTMLInputElement> | undefined
  onOpenChange?: (open: boolean) => void
}

/**
 * A text field with a list of suggestions (the ARIA combobox pattern). Arrows move; Home and End jump while an option
 * is marked; Enter selects it; Esc closes the list, then clears the field. The result count is announced.
 */
export function Combobox(props: Props) {
  const {
    label,
    placeholder,
    value,
    onInput,
    options,
    onSelect,
    busy = false,
    notice,
    footer,
    problem,
    entersFirst = false,
    trailing,
    name,
  } = props
  const { t } = useText()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [marked, setMarked] = useState(-1)
  // Enter was pressed during a search: its first result is selected when it arrives.
  const [entered, setEntered] = useState(false)
  const at = Math.min(marked, options.length - 1)
  const shown = open && (options.length > 0 || busy || Boolean(notice))

  const shownProblem = !shown && problem

  const show = (next: boolean) => {
    setOpen(next)
    if (!next) {
      setMarked(-1)
      setEntered(false)
    }
    if (next !== open) props.onOpenChange?.(next)
  }

  useEffect(() => {
    if (at >= 0) list.current?.children[at]?.scrollIntoView?.({ block: 'nearest' })
  }, [at])

  // A list that is part of the layout opens below what is in view.
  const popup = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: more options make the list longer
  useEffect(() => {
    const box = popup.current
    if (shown && box && getComputedStyle(box).position === 'static')
      box.scrollIntoView?.({ block: 'nearest' })
  }, [shown, options.length])

  const select = (index: number) => {
    const option = options[index]
    if (!option) return
    onSelect(option.id)
    show(false)
  }

  useEffect(() => {
    if (!entered || busy) return
    setEntered(false)
    select(0)
  })

  const move = (to: number) => {
    show(true)
    setMarked(options.length === 0 ? -1 : (to + options.length) % options.length)
  }

  const keys: Record<string, () => boolean> = {
    ArrowDown: () => (move(at + 1), true),
    ArrowUp: () => (move(at < 0 ? -1 : at - 1), true),
    Home: () => at >= 0 && (setMarked(0), true),
    End: () => at >= 0 && (setMarked(options.length - 1), true),
    Enter: () => {
      if (shown && at >= 0) select(at)
      else if (!entersFirst) return false
      else if (busy) setEntered(true)
      else select(0)
      return true
    },
    Escape: () => {
      if (shown) show(false)
      else if (value) onInput('')
      else return false
      return true
    },
  }

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    if (keys[event.key]?.()) event.preventDefault()
  }

  return (
    <div className={classes.combobox}>
      <label htmlFor={`${id}-input`} className={classes.label}>
        {label}
      </label>
      <div className={classes.line}>
        <input
          ref={props.inputRef}
          id={`${id}-input`}
          className={classes.input}
          role="combobox"
          name={name}
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-invalid={shownProblem ? true : undefined}
          aria-describedby={shownProblem ? `${id}-problem` : undefined}
          aria-activedescendant={shown && at >= 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder={placeholder}
          dir={value ? 'auto' : undefined}
          value={value}
          onChange={(event) => {
            onInput(event.target.value)
            setMarked(-1)
            setEntered(false)
            // A programmatic change must not open a list over the field in use.
            if (document.activeElement === event.target) show(true)
          }}
          onFocus={(event) => {
            event.target.select()
            show(true)
          }}
          onClick={() => show(true)}
          onBlur={() => show(false)}
          onKeyDown={onKeyDown}
        />
        {busy && open ? <span className={classes.busy} aria-hidden /> : null}
        {trailing}
      </div>
      {/* The field must keep the focus when the list is clicked. */}
      <div
        ref={popup}
        role="presentation"
        className={classes.popup}
        hidden={!shown}
        onMouseDown={(event) => event.preventDefault()}
      >
        <div
          ref={list}
          id={`${id}-list`}
          className={classes.list}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list shows no icons and notes
          role="listbox"
          aria-label={label}
          aria-busy={busy}
        >
          {options.map((option, index) => (
            <button
              key={option.id}
              type="button"
              id={`${id}-${index}`}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={classes.option}
              onClick={() => select(index)}
            >
              {option.icon ? <span className={classes.icon}>{option.icon}</span> : null}
              <span className={classes.words}>
                <bdi className={classes.name}>{option.label}</bdi>
                {option.note ? <span className={classes.note}>{option.note}</span> : null}
                {option.detail ? <bdi className={classes.detail}>{option.detail}</bdi> : null}
              </span>
            </button>
          ))}
        </div>
        {options.length === 0 && (busy || notice) ? (
          <p className={classes.notice}>{notice ?? t('common.searching')}</p>
        ) : null}
        {options.length > 0 && footer ? (
          <p className={classes.footer}>
            <bdi translate="no">{footer}</bdi>
          </p>
        ) : null}
      </div>
      {shownProblem ? (
        <p id={`${id}-problem`} className={classes.problem} role="alert">
          {shownProblem}
        </p>
      ) : null}
      <VisuallyHidden>
        <output>
          {shown ? (busy ? t('common.searching') : t('common.results', { count: options.length })) : ''}
        </output>
      </VisuallyHidden>
    </div>
  )
}
