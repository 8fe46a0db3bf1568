import siteTexts from 'virtual:site-texts'
import type { SiteTexts } from '@hansom/domain/languages/page-texts'
import { type ComponentType, lazy } from 'react'
import { ensureTexts } from '../lib/i18n.ts'

/** A lazy-loaded component; renders synchronously if `load` was awaited before. */
export type LazyPart<Props extends object> = ComponentType<Props> & { load: () => Promise<void> }

/** Creates a lazy-loaded component. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let Loaded: ComponentType<Props> | undefined
  const loadOnce = async () => {
    Loaded ??= await load()
    return { default: Loaded }
  }
  const Lazy = lazy(loadOnce) as unknown as ComponentType<Props>
  const PartComponent = (props: Props) => (Loaded ? <Loaded {...props} /> : <Lazy {...props} />)
  return Object.assign(PartComponent, { load: async () => void (await loadOnce()) })
}

/** Creates a lazy-loaded component whose texts are loaded together with its code; `site-texts.ts` names its file. */
export function partOnDemand<Props extends object>(
  name: keyof SiteTexts['onDemand'],
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  return part(async () => (await Promise.all([load(), ensureTexts(siteTexts.onDemand[name])]))[0])
}
