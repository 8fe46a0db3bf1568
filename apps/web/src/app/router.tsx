import siteTexts from 'virtual:site-texts'
import { mayOpen, movedScreens, type ScreenPath } from '@hansom/domain/access/screens'
import { frameTextsOf, textsOf } from '@hansom/domain/languages/page-texts'
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { ensureTexts, useText } from '../lib/i18n.ts'
import { loading } from '../lib/load-error.ts'
import { parseSearchParams, searchParams, stringifySearchParams } from '../lib/search-params.ts'
import { currentMe } from '../lib/session.ts'
import { currentSettings } from '../lib/settings.ts'
import { watchModalHistory } from '../ui/modal-history.ts'
import { usePageTitle } from '../ui/use-page-title.ts'
import { NotFoundScreen, PageError, PageLoading, RootError } from './page-fallbacks.tsx'
import { shellForRole } from './role-parts.ts'
import { type Screen, type ShellOf, screens, shellOf } from './screens.ts'
import { HomeShell, loadAppShell } from './shells/home-shell.tsx'
import { PublicShell } from './shells/public-shell.tsx'

const rootRoute = createRootRoute({ notFoundComponent: NotFoundScreen, errorComponent: RootError })
const publicShell = createRoute({ getParentRoute: () => rootRoute, id: 'public', component: PublicShell })
/** The shell renders before a slow page inside it, so its texts and the part for the role load separately. */
const loadFrame = async () => {
  const role = roleHere()
  if (role !== null)
    await Promise.all([
      ensureTexts(frameTextsOf(siteTexts, role, currentSettings().category)),
      shellForRole[role]?.load(),
    ])
}
const appShell = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  loader: loadFrame,
  component: lazyRouteComponent(() => loading(import('./shells/app-shell.tsx')), 'AppShell'),
})
const homeShell = createRoute({
  getParentRoute: () => rootRoute,
  id: 'home',
  loader: async () => {
    if (roleHere() !== null) await Promise.all([loadFrame(), loadAppShell()])
  },
  component: HomeShell,
})

/**
 * Redirects users who may not see the screen to sign-in, with the URL to return to. A screen of the other category does not
 * exist.
 */
function guard({ path, only }: Screen) {
  return ({ location }: { location: { href: string } }) => {
    if (only !== undefined && only !== currentSettings().category) throw notFound()
    if (mayOpen(path, roleHere())) return
    throw redirect({ to: '/login', search: { next: location.href } })
  }
}

const roleHere = () => currentMe()?.usertype ?? null

/** Loads the code of a screen and of its part for the current role. */
async function load({ load, forRole, title }: Screen) {
  const role = roleHere()
  const [component] = await Promise.all([loading(load()), role && forRole?.[role]?.load()])
  return { default: titled(component, title) }
}

const options = (screen: Screen) => ({
  validateSearch: searchParams,
  beforeLoad: guard(screen),
  // Loads the texts in parallel with the code.
  loader: () => ensureTexts(textsOf(siteTexts, screen.path, roleHere(), currentSettings().category)),
  component: lazyRouteComponent(() => load(screen)),
})
const publicRoute = <Path extends ScreenPath>(path: Path, screen: Screen) =>
  createRoute({ getParentRoute: () => publicShell, path, ...options(screen) })
const appRoute = <Path extends ScreenPath>(path: Path, screen: Screen) =>
  createRoute({ getParentRoute: () => appShell, path, ...options(screen) })
const homeRoute = (screen: Screen) =>
  createRoute({ getParentRoute: () => homeShell, path: '/', ...options(screen) })

type PathIn<Shell> = { [Path in ScreenPath]: ShellOf<Path> extends Shell ? Path : never }[ScreenPath]
type PublicRoute = { [Path in PathIn<'public'>]: ReturnType<typeof publicRoute<Path>> }[PathIn<'public'>]
type AppRoute = { [Path in PathIn<'app'>]: ReturnType<typeof appRoute<Path>> }[PathIn<'app'>]

/** The routes of a shell's screens. The overloads name each path, because a list of screens cannot. */
function routesIn(shell: 'public'): PublicRoute[]
function routesIn(shell: 'app'): AppRoute[]
function routesIn(shell: 'public' | 'app'): AnyRoute[] {
  const own = screens.filter(({ path }) => shellOf(path) === shell)
  return own.map((screen) => (shell === 'public' ? publicRoute : appRoute)(screen.path, screen))
}

/** The server redirects these too; this is for a `next` that was kept from before. */
const moved = Object.entries(movedScreens).map(([path, to]) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true })
    },
  }),
)

const routeTree = rootRoute.addChildren([
  ...moved,
  publicShell.addChildren(routesIn('public')),
  appShell.addChildren(routesIn('app')),
  homeShell.addChildren(screens.filter(({ path }) => shellOf(path) === 'home').map(homeRoute)),
])

/** Skips the first restoration if the user scrolled the prerendered page before the app started. */
function restoresScroll(): () => boolean {
  let isFirst = true
  return () => {
    const stays = isFirst && window.scrollY > 0
    isFirst = false
    return !stays
  }
}

/** Creates the router; `history` is passed when there is no browser. */
export function createAppRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    ...(history && { history }),
    parseSearch: parseSearchParams,
    stringifySearch: stringifySearchParams,
    // Without a browser it would write a script into the page.
    scrollRestoration: history === undefined && restoresScroll(),
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFoundScreen,
  })
  if (history === undefined) watchModalHistory(router)
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

function Title({ of }: { of: string | undefined }) {
  const { t } = useText()
  usePageTitle(of ? t(of) : undefined)
  return null
}

/** Wraps a screen to set the document title; the screen's own `usePageTitle` may override it. */
function titled(Screen: ComponentType, title: string | undefined): ComponentType {
  return function TitledScreen() {
    return (
      <>
        <Title of={title} />
        <Screen />
      </>
    )
  }
}
