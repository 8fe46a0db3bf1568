import { type ComponentType, lazy } from 'react'

/** A component whose code comes on its own; drawn at once where `load` was awaited before. */
export type Part<Props extends object> = ComponentType<Props> & { load: () => Promise<void> }

/** Makes a part of the code that `load` brings. */
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
