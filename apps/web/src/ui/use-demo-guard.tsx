import { refusalOnDemo, type RouteRule } from '@hansom/domain/access/route-rule'
import { type RouteName, routes } from '@hansom/domain/access/routes'
import { type ReactNode, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { useSettings } from '../lib/settings.ts'
import { AlertDialog } from './alert-dialog.tsx'

export interface DemoGuard {
  /** Whether a demo refuses the route just now. */
  closed: (route: RouteName | undefined) => boolean
  /** Goes on, or says at once that a demo would refuse it: nobody fills in a form for nothing. */
  guard: (route: RouteName | undefined, goOn: () => void) => void
  /** To be rendered: what was refused. */
  refused: ReactNode
}

/** What a demo that is closed for critical edits refuses, before it is sent. The server refuses it as well. */
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
    guard: (route, goOn) => (closed(route) ? setRefused(true) : goOn()),
    refused: (
      <AlertDialog open={isRefused} onClose={() => setRefused(false)}>
        <p>{t('error.demo_mode')}</p>
      </AlertDialog>
    ),
  }
}
