import './mantine-styles.ts'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useColorScheme } from '../lib/color-scheme.ts'
import { useText } from '../lib/i18n.ts'
import { cssVariables, theme } from './theme.ts'

/** Mantine's theme and direction for the pages that use its parts. The landing page does without. */
export function MantineFrame({ children }: { children: ReactNode }) {
  const scheme = useColorScheme()
  const { language } = useText()
  return (
    <DirectionProvider initialDirection={language.direction} detectDirection={false} key={language.direction}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={scheme}>
        {children}
      </MantineProvider>
    </DirectionProvider>
  )
}
