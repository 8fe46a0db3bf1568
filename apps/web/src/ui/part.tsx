import { type ComponentType, lazy } from 'react'

/** A lazy-loaded component; renders synchronously if `load` was awaited before. */
export type Part<Props extends object> = ComponentType<Props> & { load: () => Promise<void> }

/** Creates a lazy-loaded component. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let Here: ComponentType<Props> | undefined
  const bring = async () => {
    Here ??= await load()
    return { default: Here }
  }
  const Later = lazy(bring) as unknown as ComponentType<Props>
  const Whole = (props: Props) => (Here ? <Here {...props} /> : <Later {...props} />)
  return Object.assign(Whole, { load: async () => void (await bring()) })
}
