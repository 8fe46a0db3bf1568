import { DirectionProvider } from '@base-ui/react/direction-provider'
import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { useText } from '../lib/i18n.ts'
import classes from './tabs.module.css'

interface Props<T extends string> {
  label: string
  tabs: readonly { id: T; label: ReactNode }[]
  value: T
  onChange: (id: T) => void
  /** Content of the selected tab. */
  children: ReactNode
}

/** Tabs (the ARIA pattern): arrows, Home and End select, Tab moves into the panel. A single tab is not shown. */
export function Tabs<T extends string>({ label, tabs, value, onChange, children }: Props<T>) {
  const { direction } = useText().language
  const isShown = tabs.length > 1
  return (
    <DirectionProvider direction={direction}>
      <BaseTabs.Root className={classes.tabs} value={value} onValueChange={(id: T) => onChange(id)}>
        {isShown ? (
          <BaseTabs.List className={classes.list} aria-label={label} activateOnFocus>
            {tabs.map((tab) => (
              <BaseTabs.Tab key={tab.id} value={tab.id} className={classes.tab}>
                {tab.label}
              </BaseTabs.Tab>
            ))}
          </BaseTabs.List>
        ) : null}
        {/* The same element with and without tabs, so that typed input survives when another tab appears. */}
        <BaseTabs.Panel value={value} tabIndex={-1} {...(isShown ? {} : { role: 'presentation' })}>
          {children}
        </BaseTabs.Panel>
      </BaseTabs.Root>
    </DirectionProvider>
  )
}
