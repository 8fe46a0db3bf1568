import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import classes from './toolbar.module.css'

const pauseMs = 300

/** A table's search field; searches when typing pauses, immediately on Enter. */
export function SearchField({ value, onChange }: { value: string; onChange: (q: string) => void }) {
  const { t } = useText()
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  // If the URL changed elsewhere (a saved view, the back button), it overrides the typed text.
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    setSeen(value)
    if (value !== sent.current) {
      sent.current = value
      setTyped(value)
    }
  }
  const latest = useRef(onChange)
  latest.current = onChange
  const send = (q: string) => {
    if (sent.current === q) return
    sent.current = q
    latest.current(q)
  }
  useEffect(() => {
    const timer = setTimeout(() => send(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <search className={classes.search}>
      <IconSearch size={17} aria-hidden className={classes.searchIcon} />
      <input
        type="search"
        className={classes.searchInput}
        aria-label={t('table.search')}
        placeholder={t('table.search')}
        dir={typed ? 'auto' : undefined}
        maxLength={100}
        enterKeyHint="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(typed)
        }}
      />
      {typed ? (
        <button
          type="button"
          className={classes.searchClear}
          aria-label={t('table.clear_search')}
          onClick={() => {
            setTyped('')
            send('')
          }}
        >
          <IconX size={16} aria-hidden />
        </button>
      ) : null}
    </search>
  )
}
