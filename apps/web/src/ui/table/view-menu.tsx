import type { TableSpec } from '@hansom/contract/tables'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../announcer.tsx'
import { Button } from '../button.tsx'
import { ErrorMessage } from '../error-message.tsx'
import { Notice } from '../notice.tsx'
import { LoadingState } from '../page-states.tsx'
import popover from '../popover.module.css'
import { Popover } from '../popover.tsx'
import { TextField } from '../text-field.tsx'
import { useSavedViews } from './saved-views.ts'
import type { TableState } from './table-state.ts'
import classes from './toolbar.module.css'

interface Props {
  name: string
  spec: TableSpec
  state: TableState
  onChange: (state: TableState) => void
}

/** Saved views: select, save the current state under a name, delete. The URL of a view can be shared. */
export function ViewMenu({ name, spec, state, onChange }: Props) {
  const { t } = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [naming, setNaming] = useState('')
  const { views, isLoading, error, busy, stateOf, save, remove } = useSavedViews(name, spec, anchor !== null)
  const close = () => setAnchor(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = naming.trim()
    if (wanted === '' || !(await save(wanted, state))) return
    onChange({ ...state, view: wanted })
    announce(t('table.view_saved', { name: wanted }))
    setNaming('')
    close()
  }
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        <IconBookmark size={17} aria-hidden />
        <span className={classes.toolWords}>{state.view ? <bdi>{state.view}</bdi> : t('table.views')}</span>
      </Button>
      {anchor ? (
        <Popover anchor={anchor} label={t('table.views')} onClose={close}>
          <button
            type="button"
            className={popover.item}
            aria-pressed={state.view === null}
            onClick={() => {
              onChange({ ...readDefault(spec), view: null })
              close()
            }}
          >
            {t('table.view_default')}
          </button>
          {isLoading ? <LoadingState rows={1} height="32px" /> : null}
          {views.map((view) => (
            <div key={view.name} className={classes.viewLine}>
              <button
                type="button"
                className={popover.item}
                aria-pressed={state.view === view.name}
                onClick={() => {
                  onChange(stateOf(view))
                  close()
                }}
              >
                <bdi>{view.name}</bdi>
              </button>
              <button
                type="button"
                className={classes.chipCross}
                aria-label={t('table.view_forget', { name: view.name })}
                onClick={() => {
                  remove(view.name)
                  if (state.view === view.name) onChange({ ...state, view: null })
                }}
              >
                <IconTrash size={16} aria-hidden />
              </button>
            </div>
          ))}
          <form className={popover.form} onSubmit={(event) => void submit(event)}>
            <TextField
              label={t('table.view_name')}
              value={naming}
              maxLength={40}
              dir="auto"
              onChange={(event) => setNaming(event.target.value)}
            />
            {error ? (
              <Notice tone="bad">
                <ErrorMessage error={error} />
              </Notice>
            ) : null}
            <Button type="submit" size="small" busy={busy}>
              {t('table.view_keep')}
            </Button>
          </form>
        </Popover>
      ) : null}
    </>
  )
}

function readDefault(spec: TableSpec): TableState {
  return { sort: spec.defaultSort, q: '', filters: {}, columns: {}, view: null }
}
