import { mayOpen } from '@hansom/domain/access/screens'
import { frameTextsOf, textsOf } from '@hansom/domain/languages/page-texts'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import siteTexts from 'virtual:site-texts'
import { needTexts } from '../lib/i18n.ts'
import { currentMe } from '../lib/session.ts'
import { addressWords, parseAddress, writeAddress } from './address-words.ts'
import { NotFoundScreen, PageError, PageLoading, RootError } from './page-fallbacks.tsx'
import { titled } from './screen-frame.tsx'
import { type Screen, screens } from './screens.ts'
import { PublicShell } from './shells/public-shell.tsx'

const rootRoute = createRootRoute({ notFoundComponent: NotFoundScreen, errorComponent: RootError })
const publicShell = createRoute({ getParentRoute: () => rootRoute, id: 'public', component: PublicShell })
const appShell = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  // It is drawn before a slow page inside it, which waits for its own.
  loader: () => {
    const role = roleHere()
    return role === null ? undefined : needTexts(frameTextsOf(siteTexts, role))
  },
  component: lazyRouteComponent(() => import('./shells/app-shell.tsx'), 'AppShell'),
})

/** Lets in who may see the screen; sends everyone else to sign in, with the address to come back to. */
function guard({ path }: Screen) {
  return ({ location }: { location: { href: string } }) => {
    if (mayOpen(path, roleHere())) return
    throw redirect({ to: '/login', search: { next: location.href } })
  }
}

const roleHere = () => currentMe()?.usertype ?? null

/** The code of a screen and of what it has for the role that is here. */
async function load({ load, forRole, title }: Screen) {
  const role = roleHere()
  const [component] = await Promise.all([load(), role && forRole?.[role]?.load()])
  return { default: titled(component, title) }
}

const routes = screens.map((screen) =>
  createRoute({
    getParentRoute: () => (screen.shell === 'public' ? publicShell : appShell),
    path: screen.path,
    validateSearch: addressWords,
    beforeLoad: guard(screen),
    // Its texts come beside its code.
    loader: () => needTexts(textsOf(siteTexts, screen.path, roleHere())),
    component: lazyRouteComponent(() => load(screen)),
  }),
)

const routeTree = rootRoute.addChildren([
  publicShell.addChildren(routes.filter((_, index) => screens[index]?.shell === 'public')),
  appShell.addChildren(routes.filter((_, index) => screens[index]?.shell === 'app')),
])

/** The routes of the page; `history` is given where there is no browser. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    parseSearch: parseAddress,
    stringifySearch: writeAddress,
    // Where there is no browser it would write a script into the page.
    scrollRestoration: history === undefined,
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFoundScreen,
  })
}
