import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  type RouterHistory,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startEnglish } from '../lib/test-data.fixture.ts'
import { Dialog } from './dialog.tsx'
import { watchModalHistory } from './modal-history.ts'

let routerHistory: RouterHistory
let leave: () => void
const loads = vi.fn()
/** Ends the loading of the slow page. */
let finishLoading = () => {}

type Shown = 'none' | 'outer' | 'inner' | 'next' | 'guarded' | 'in URL'

function Page() {
  const [shown, setShown] = useState<Shown>('none')
  const button = (to: Shown) => (
    <button type="button" onClick={() => setShown(to)}>
      {to}
    </button>
  )
  return (
    <>
      {button('outer')}
      {button('guarded')}
      {button('in URL')}
      <Dialog open={shown === 'outer' || shown === 'inner'} title="Outer" onClose={() => setShown('none')}>
        {button('inner')}
        {button('next')}
        <Link to="/register" onClick={() => setShown('none')}>
          link
        </Link>
        <Link to="/profile">slow</Link>
      </Dialog>
      <Dialog open={shown === 'inner'} title="Inner" onClose={() => setShown('outer')}>
        {button('none')}
      </Dialog>
      <Dialog open={shown === 'next'} title="Next" onClose={() => setShown('none')}>
        text
      </Dialog>
      <Dialog open={shown === 'guarded'} title="Guarded" onClose={() => {}}>
        text
      </Dialog>
      <Dialog open={shown === 'in URL'} title="In the URL" onClose={() => {}} hasEntry={false}>
        text
      </Dialog>
    </>
  )
}

async function start() {
  routerHistory = createBrowserHistory()
  const root = createRootRoute({ component: Outlet })
  const loading = new Promise<void>((resolve) => {
    finishLoading = resolve
  })
  const routes = ['/about-us', '/login', '/register', '/profile'].map((path) =>
    createRoute({
      getParentRoute: () => root,
      path,
      loader: () => (path === '/profile' ? loading : loads()),
      component: () => (
        <>
          <h1>{path}</h1>
          <Page />
        </>
      ),
    }),
  )
  const router = createRouter({ routeTree: root.addChildren(routes), history: routerHistory })
  leave = watchModalHistory(router)
  await act(() => router.load())
  render(<RouterProvider router={router} />)
  await page('/login')
}

const page = (path: string) => expect.poll(() => document.querySelector('h1')?.textContent).toBe(path)
const dialogs = (...names: string[]) =>
  expect
    .poll(() =>
      screen.queryAllByRole('heading', { level: 2, hidden: true }).map((title) => title.textContent),
    )
    .toEqual(names)
/** The user's Back or Forward. */
const go = (delta: 1 | -1) => act(async () => history.go(delta))
/** Entries are written after the event. */
const settled = () => act(() => new Promise((resume) => setTimeout(resume, 20)))
const click = async (...names: (Shown | 'link' | 'slow')[]) => {
  for (const name of names) {
    await act(async () => void fireEvent.click(screen.getByText(name)))
    await settled()
  }
}

beforeEach(async () => {
  startEnglish()
  vi.stubGlobal('scrollTo', vi.fn())
  history.pushState(null, '', '/about-us')
  history.pushState(null, '', '/login')
  await start()
})
afterEach(() => {
  cleanup()
  leave()
  routerHistory.destroy()
  loads.mockClear()
})

it('open dialog: Back -> closes it without a navigation, Back again -> leaves', async () => {
  await click('outer')
  loads.mockClear()
  await go(-1)
  await dialogs()
  await page('/login')
  expect(loads).not.toHaveBeenCalled()
  await go(-1)
  await page('/about-us')
})

it('nested dialogs: Back -> closes one at a time', async () => {
  await click('outer', 'inner')
  await dialogs('Outer', 'Inner')
  await go(-1)
  await dialogs('Outer')
  await go(-1)
  await dialogs()
  await go(-1)
  await page('/about-us')
})

it('dialog that was closed by a button: Back -> leaves, Forward -> returns without it', async () => {
  await click('outer', 'inner', 'none')
  await dialogs()
  await go(-1)
  await page('/about-us')
  await go(1)
  await page('/login')
  await dialogs()
})

it('one dialog replaced by another, or opened again -> one entry', async () => {
  await click('outer')
  const { length } = history
  await click('next')
  await dialogs('Next')
  await go(-1)
  await dialogs()
  await click('outer')
  await dialogs('Outer')
  expect(history.length).toBe(length)
  await go(-1)
  await dialogs()
  await go(-1)
  await page('/about-us')
})

it('link in a dialog: Back -> the page without it, Forward -> the link’s page', async () => {
  await click('outer', 'link')
  await page('/register')
  await go(-1)
  await page('/login')
  await dialogs()
  await go(1)
  await page('/register')
  await go(-1)
  await go(-1)
  await page('/about-us')
})

it('dialog is open while the next page loads: Back -> returns to it', async () => {
  await click('outer', 'slow')
  expect(location.pathname).toBe('/profile')
  await go(-1)
  expect(location.pathname).toBe('/login')
  await dialogs('Outer')
  await settled()
  await go(-1)
  await dialogs()
  await page('/login')
})

it('dialog was open until the next page was there -> no traversal on that page', async () => {
  await click('outer', 'slow')
  const traversal = vi.spyOn(history, 'go')
  await act(async () => finishLoading())
  await page('/profile')
  await settled()
  expect(traversal).not.toHaveBeenCalled()
  await click('outer')
  await go(-1)
  await dialogs()
  await page('/profile')
})

it('reload with an open dialog: Back -> leaves', async () => {
  await click('outer')
  cleanup()
  leave()
  routerHistory.destroy()
  await start()
  await dialogs()
  await go(-1)
  await page('/about-us')
})

it('router replaces the entry by the same page: Back -> still skips what is left over', async () => {
  await click('outer')
  await act(async () => routerHistory.replace('/login'))
  await settled()
  await go(-1)
  await dialogs()
  await page('/login')
  await go(-1)
  await page('/about-us')
})

it('dialog that does not close: Back -> stays, again and again', async () => {
  await click('guarded')
  for (let time = 0; time < 2; time++) {
    await go(-1)
    await settled()
    await dialogs('Guarded')
    await page('/login')
  }
})

it('dialog that the URL opened: Back -> leaves the entry to the router', async () => {
  await click('in URL')
  await dialogs('In the URL')
  await go(-1)
  await page('/about-us')
})

/**
 * Replaces the next traversal. Returns a function that performs it: as in a browser, its target does not depend on
 * entries that are pushed meanwhile.
 */
const delayTraversal = () => {
  const perform = history.go.bind(history)
  let target = 0
  vi.spyOn(history, 'go').mockImplementationOnce((delta = 0) => {
    target = history.length + delta
  })
  return async () => {
    await act(async () => perform(target - history.length))
    await settled()
  }
}
/** The wait for a traversal ends after 300 ms. */
const waited = () => act(() => new Promise((resume) => setTimeout(resume, 600)))

it('traversal performed late: dialog opened meanwhile -> stays open until Back', async () => {
  await click('outer')
  const perform = delayTraversal()
  await click('inner', 'none')
  await waited()
  await click('outer')
  await perform()
  await dialogs('Outer')
  await go(-1)
  await dialogs()
  await page('/login')
  await go(-1)
  await page('/about-us')
})

it('traversal performed during the wait: dialog opened meanwhile -> stays open until Back', async () => {
  await click('outer')
  const perform = delayTraversal()
  await click('inner', 'none', 'outer')
  await perform()
  await dialogs('Outer')
  await go(-1)
  await dialogs()
  await go(-1)
  await page('/about-us')
})

it('Back during the wait for a traversal -> closes the outer dialog, Back again -> leaves', async () => {
  await click('outer', 'inner')
  delayTraversal()
  await act(async () => void fireEvent.keyDown(document.body, { key: 'Escape' }))
  await settled()
  await dialogs('Outer')
  // A browser counts from the target of the traversal that it performs.
  await act(async () => history.go(-2))
  await dialogs()
  await page('/login')
  await waited()
  await go(-1)
  await page('/about-us')
})

it('traversal performed late: link followed meanwhile -> stays on its page, Back -> returns', async () => {
  await click('outer')
  const perform = delayTraversal()
  await click('link')
  await page('/register')
  loads.mockClear()
  await perform()
  await page('/register')
  expect(location.pathname).toBe('/register')
  expect(loads).not.toHaveBeenCalled()
  await go(-1)
  await page('/login')
  await go(-1)
  await page('/about-us')
})

it('traversal never performed: link followed meanwhile, Back -> returns', async () => {
  await click('outer')
  delayTraversal()
  await click('link')
  await page('/register')
  await go(-1)
  await page('/login')
  await settled()
  await go(-1)
  await page('/about-us')
})

it('traversal never performed: dialogs of the next page -> Back closes one at a time, then leaves', async () => {
  await click('outer')
  delayTraversal()
  await click('link')
  await page('/register')
  await click('outer', 'inner')
  await go(-1)
  await dialogs('Outer')
  await go(-1)
  await dialogs()
  await go(-1)
  await page('/login')
})

it('traversal never performed: dialog of the next page closed by a button, Back -> leaves', async () => {
  await click('outer')
  delayTraversal()
  await click('link')
  await page('/register')
  await click('outer', 'inner', 'none')
  await go(-1)
  await page('/login')
})

it('traversal never performed: page replaced meanwhile, Back -> leaves the new page', async () => {
  await click('outer')
  delayTraversal()
  await act(async () => routerHistory.replace('/register'))
  await page('/register')
  await go(-1)
  await page('/login')
})

it('traversal never performed: Back -> leaves the page', async () => {
  await click('outer')
  delayTraversal()
  await click('inner', 'none')
  await waited()
  await go(-1)
  await page('/about-us')
})

it('traversal never performed: dialogs opened afterwards -> Back closes one at a time, then leaves', async () => {
  await click('outer')
  delayTraversal()
  await click('inner', 'none')
  await waited()
  await click('outer', 'inner')
  await go(-1)
  await dialogs('Outer')
  await settled()
  await go(-1)
  await dialogs()
  await settled()
  await go(-1)
  await page('/about-us')
})

it('traversal never performed: dialogs opened afterwards, two entries back -> closes both', async () => {
  await click('outer')
  delayTraversal()
  await click('inner', 'none')
  await waited()
  await click('outer', 'inner')
  await act(async () => history.go(-2))
  await dialogs()
  await page('/login')
})

it('traversal of an inner dialog never performed: Back -> closes the outer one', async () => {
  await click('outer', 'inner')
  delayTraversal()
  await act(async () => void fireEvent.keyDown(document.body, { key: 'Escape' }))
  await dialogs('Outer')
  await waited()
  await go(-1)
  await dialogs()
  await page('/login')
  await settled()
  await go(-1)
  await page('/about-us')
})
