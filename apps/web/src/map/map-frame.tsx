import { IconMapOff } from '@tabler/icons-react'
import { Component, type ReactNode, Suspense, useEffect, useId, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { useIdle } from '../lib/use-idle.ts'
import { Button } from '../ui/button.tsx'
import classes from './map.module.css'

/** Why there is no map: no WebGL, its code failed to load or crashed, or its data is unreachable. */
type Failure = 'no_webgl' | 'broken' | 'unreachable'

/**
 * Renders a lazily loaded map once the page is idle. If the map cannot be drawn (no WebGL, a failed download, a crash),
 * the same content is shown as a list. `render` gets a callback for failures of the map itself. The map library is not
 * part of this chunk.
 */
export function MapFrame({
  label,
  items,
  render,
}: {
  label: string
  items: MapListItem[]
  render: (onFail: () => void) => ReactNode
}) {
  const [failure, setFailed] = useState<Failure | null>(null)
  const atRest = useIdle()
  const failed = failure ?? (atRest && !hasWebGl() ? 'no_webgl' : null)
  const [attempt, setAttempt] = useState(0)
  const retry = () => {
    // Browsers do not retry a dynamic import that has failed once.
    if (failed === 'broken') return location.reload()
    setAttempt(attempt + 1)
    setFailed(null)
  }
  useEffect(() => {
    if (failed !== 'unreachable') return
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  })
  return (
    <section className={classes.frame} aria-label={label}>
      {failed ? (
        <MapFallback items={items} retry={failed === 'no_webgl' ? undefined : retry} />
      ) : (
        <MapBoundary key={attempt} onError={() => setFailed('broken')}>
          <Suspense fallback={<MapLoading />}>
            {atRest ? render(() => setFailed('unreachable')) : <MapLoading />}
          </Suspense>
          <MapList items={items} hidden />
        </MapBoundary>
      )}
    </section>
  )
}

function MapLoading() {
  return <div className={classes.loading} aria-hidden="true" />
}

function MapFallback({ items, retry }: { items: MapListItem[]; retry: (() => void) | undefined }) {
  const { t } = useText()
  const noteId = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- takes the keys that scroll a long list
    <section className={classes.fallback} aria-labelledby={noteId} tabIndex={0}>
      <div className={classes.fallbackHead}>
        <p id={noteId} className={classes.fallbackNote}>
          <IconMapOff size={20} aria-hidden="true" />
          {t(retry ? 'map.failed' : 'map.no_webgl')}
        </p>
        {retry ? (
          <Button size="small" onClick={retry}>
            {t('common.retry')}
          </Button>
        ) : null}
      </div>
      <MapList items={items} hidden={false} />
    </section>
  )
}

class MapBoundary extends Component<{ onError: () => void; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError() {
    return { broken: true }
  }
  override componentDidCatch() {
    this.props.onError()
  }
  override render() {
    return this.state.broken ? null : this.props.children
  }
}

/** A map object as text. */
interface MapListItem {
  id: string
  label: string
  detail?: string
}

/** The content of the map as a list: for screen readers next to the map, or shown instead of it. */
function MapList({ items, hidden }: { items: MapListItem[]; hidden: boolean }) {
  const { t } = useText()
  if (items.length === 0) return null
  return (
    <ul className={hidden ? classes.readOut : classes.list} aria-label={t('map.list')}>
      {items.map((item) => (
        <li key={item.id}>
          <strong>{item.label}</strong>
          {item.detail ? <span>{item.detail}</span> : null}
        </li>
      ))}
    </ul>
  )
}

let known: boolean | undefined

/** Whether this browser can draw the map. Probed once, because creating a context is expensive. */
export function hasWebGl(): boolean {
  known ??= probe()
  return known
}

function probe(): boolean {
  try {
    const context = document.createElement('canvas').getContext('webgl2')
    context?.getExtension('WEBGL_lose_context')?.loseContext()
    return context !== null
  } catch {
    return false
  }
}
