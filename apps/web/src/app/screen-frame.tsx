import type { ComponentType } from 'react'
import { useText } from '../lib/i18n.ts'
import { usePageTitle } from '../ui/use-page-title.ts'

function Title({ of }: { of: string | undefined }) {
  const { t } = useText()
  usePageTitle(of ? t(of) : undefined)
  return null
}

/** Wraps a screen to set the document title; the screen's own `usePageTitle` may override it. */
export function titled(Screen: ComponentType, title: string | undefined): ComponentType {
  return function TitledScreen() {
    return (
      <>
        <Title of={title} />
        <Screen />
      </>
    )
  }
}
