import siteTexts from 'virtual:site-texts'
import type { SiteTexts } from '@hansom/domain/languages/page-texts'
import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react'
import { ensureTexts } from '../lib/i18n.ts'
import { loading } from '../lib/load-error.ts'

/** A lazy-loaded component; renders synchronously if `load` was awaited before. */
export type LazyPart<Props extends object> = ComponentType<Props> & { load: () => Promise<void> }

/** Creates a lazy-loaded component. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let Loaded: ComponentType<Props> | undefined
  const loadOnce = async () => {
    Loaded ??= await loading(load())
    return { default: Loaded }
  }
  const Lazy = lazy(loadOnce) as unknown as ComponentType<Props>
  const PartComponent = (props: Props) => (Loaded ? <Loaded {...props} /> : <Lazy {...props} />)
  return Object.assign(PartComponent, { load: async () => void (await loadOnce()) })
}

type PartName = keyof SiteTexts['onDemand']
/** The parts of the pages that were loaded, by name. */
const partsOnDemand = new Map<PartName, () => Promise<void>>()

/** Loads parts before they are needed: the connection may be gone then, or the server may have another build. */
export const loadParts = (names: readonly PartName[]): Promise<unknown> =>
  Promise.all(names.map(async (name) => partsOnDemand.get(name)?.()))

/** How often a part that could not be loaded is tried again, ms. */
const retryMs = 5_000

/**
 * Creates a component that is loaded together with its texts; `site-texts.ts` names its file. Shows `fallback` until then: without
 * a connection, the rest of the page must go on.
 */
export function partOnDemand<Props extends object>(
  name: PartName,
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): LazyPart<Props> & { isLoaded: () => boolean } {
  let Loaded: ComponentType<Props> | undefined
  const loadOnce = async () => {
    if (!Loaded) [Loaded] = await Promise.all([load(), ensureTexts(siteTexts.onDemand[name])])
  }
  partsOnDemand.set(name, loadOnce)
  const OnDemand = (props: Props) => {
    const [isLoaded, setLoaded] = useState(Loaded !== undefined)
    useEffect(() => {
      if (isLoaded) return
      const attempt = () =>
        void loadOnce().then(
          () => setLoaded(true),
          () => {},
        )
      attempt()
      const timer = setInterval(attempt, retryMs)
      return () => clearInterval(timer)
    }, [isLoaded])
    return Loaded ? <Loaded {...props} /> : fallback
  }
  return Object.assign(OnDemand, { load: loadOnce, isLoaded: () => Loaded !== undefined })
}
