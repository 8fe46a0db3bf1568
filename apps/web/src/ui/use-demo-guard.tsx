import { type RouteName, type RouteRule, refusalOnDemo, routes } from '@hansom/domain/access/routes'
import { type ReactNode, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { useSettings } from '../lib/settings.ts'
import { AlertDialog } from './dialog.tsx'

export interface DemoGuard {
  /** Whether the demo currently refuses the route. */
  closed: (route: RouteName | undefined) => boolean
  /** Proceeds, or shows immediately that the demo would refuse, before the user fills in a form. */
  guard: (route: RouteName | undefined, proceed: () => void) => void
  /** The refusal dialog; must be rendered. */
  refused: ReactNode
}

/** Checks in advance whether a demo closed to critical edits would refuse a request. The server refuses it too. */
export function useDemoGuard(): DemoGuard {
  const { t } = useText()
  const settings = useSettings()
  const [isRefused, setRefused] = useState(false)
  const closed = (route: RouteName | undefined) => {
    const rule: RouteRule | undefined = route && routes[route]
    return rule !== undefined && refusalOnDemo(rule, settings) !== null
  }
  return {
    closed,
    guard: (route, proceed) => (closed(route) ? setRefused(true) : proceed()),
    refused: (
      <AlertDialog open={isRefused} onClose={() => setRefused(false)}>
        <p>{t('error.demo_mode')}</p>
      </AlertDialog>
    ),
  }
}
