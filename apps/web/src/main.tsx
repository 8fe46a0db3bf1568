import './app/styles.ts'
import { startMark } from './lib/at-rest.ts'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { fetchBoot, pageHeardAt, readBoot } from './app/boot.ts'
import { pressAgain, readPressed, readTyped, typeAgain } from './app/carry-over.ts'
import { keepPresses } from './app/keep-presses.ts'
import { createAppRouter } from './app/router.tsx'
import { startPage, startPerson } from './app/start-page.ts'

performance.mark(startMark)
/** Lets what was pressed or typed meanwhile, and the next picture, come between two pieces of work. */
const pause = () => new Promise<void>((resume) => setTimeout(resume))

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root')

await pause()
const sent = readBoot()
const { boot, person } = sent ?? (await fetchBoot())
startPage(boot)
if (person) startPerson(person, sent ? pageHeardAt() : undefined)
const router = createAppRouter()
// The first screen is complete before it takes the place of the prerendered one.
await router.load()
await pause()
const typed = readTyped(root)
const pressed = readPressed(root)
flushSync(() => createRoot(root).render(<App router={router} />))
typeAgain(root, typed)
pressAgain(root, pressed)
keepPresses()

// The line to the server is nothing that the first screen waits for.
const follow = async () => {
  const [{ followSettings }, { followCatalogue }] = await Promise.all([
    import('./app/follow-settings.ts'),
    import('./app/follow-catalogue.ts'),
  ])
  followSettings()
  followCatalogue()
}
if ('requestIdleCallback' in window) requestIdleCallback(() => void follow(), { timeout: 2_000 })
else setTimeout(() => void follow(), 500)
