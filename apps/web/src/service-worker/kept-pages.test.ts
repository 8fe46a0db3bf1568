import { expect, it } from 'vitest'
import { newDevices } from './device.fixture.ts'

const device = newDevices()
const [oldBuild, newBuild] = ['/assets/index-old.js', '/assets/index-new.js']
/** The start page of a build, as the server sends it. */
const pageOf = (build: string, user: string) => () =>
  new Response(
    `<head><script type="module" crossorigin src="${build}"></script></head><body><script type="application/json" id="boot">"old"</script><script type="application/json" id="user">"${user}"</script></body>`,
    { headers: { 'content-security-policy': "default-src 'self'" } },
  )
/** The server has these files, the page of their build, and those with the same name in every build. */
function serve(build: string, ...files: string[]): void {
  device().answers = { '/bookings': pageOf(build, 'sent with the page') }
  for (const path of ['/theme.js', '/early-press.js', '/favicon.svg', build, ...files])
    device().answers[path] = () => new Response(path)
}
const keep = (build: string, page: string, ...paths: string[]) =>
  device().dispatch('message', { data: { build, keep: paths }, source: { id: page } })
const open = (path: string) => device().ask(path, { mode: 'navigate' })
const state = { me: 'driver', clock: { now: 1000, speed: 1 }, first: 'last state </script>' }
const saveState = () =>
  device()
    .cache('hansom-pages')
    .put(
      '/offline/state',
      new Response(
        JSON.stringify({ boot: { texts: [] }, user: state, kept: { entries: ['trip'] }, at: Date.now() }),
      ),
    )
const openWindow = (id: string) => ({ id, url: '/trip/1', focused: true, sent: [] })
const shells = () => [...device().stored.keys()].filter((name) => name.startsWith('hansom-shell-')).sort()
const textOf = async (path: string) => (await (await device().ask(path))?.text()) ?? ''

it('requests other than the shell -> left alone', async () => {
  for (const path of ['/api/v1/bookings', '/tiles/1', 'https://elsewhere.example/assets/a.js']) {
    expect(await device().ask(path)).toBeUndefined()
  }
  expect(await open('/api/v1/me/data')).toBeUndefined()
  expect(await open('/assets/a.js')).toBeUndefined()
})

it('bookings: online -> from the server; offline -> the stored page with the last state and its policy', async () => {
  await saveState()
  serve(newBuild)
  await keep(newBuild, 'page')
  device().answers['/bookings'] = () => new Response('from the server')
  expect(await (await open('/bookings'))?.text()).toBe('from the server')
  device().answers = {}
  const offline = await open('/bookings')
  const text = (await offline?.text()) ?? ''
  const dataOf = (id: string) =>
    [...text.matchAll(new RegExp(`id="${id}">(.*?)</script>`, 'g'))].map(([, json]) => JSON.parse(json ?? ''))
  expect(dataOf('user')).toMatchObject([{ me: 'driver', first: 'last state </script>' }])
  expect(dataOf('boot')).toEqual([{ texts: [] }])
  expect(dataOf('kept')).toEqual([{ entries: ['trip'] }])
  expect(offline?.headers.get('content-security-policy')).toBe("default-src 'self'")
  for (const path of ['/trip/01914de9', '/wallet'])
    expect(await (await open(path))?.text()).toContain('last state')
  expect((await open('/'))?.headers.get('location')).toContain('/bookings')
})

it('page that is not kept: online -> from the server; offline -> the app opens; nothing stored -> the error', async () => {
  await expect(open('/profile')).rejects.toThrow('Failed to fetch')
  await saveState()
  serve(newBuild)
  await keep(newBuild, 'page')
  device().answers['/profile'] = () => new Response('from the server')
  expect(await (await open('/profile'))?.text()).toBe('from the server')
  device().answers = {}
  expect(await (await open('/profile'))?.text()).toContain('last state')
})

it('server or database is away -> the stored page; nothing stored -> the answer', async () => {
  serve(newBuild)
  const away = () => new Response('away', { status: 503 })
  device().answers['/wallet'] = away
  device().answers['/profile'] = away
  expect(await (await open('/wallet'))?.text()).toBe('away')
  await saveState()
  await keep(newBuild, 'page')
  for (const path of ['/wallet', '/profile']) {
    const response = await open(path)
    expect(response?.status).toBe(200)
    expect(await response?.text()).toContain('"first":"last state')
  }
})

it('offline without a stored page -> the error of the connection', async () => {
  await expect(open('/bookings')).rejects.toThrow('Failed to fetch')
})

it('stored page -> without the data of the person whom it was sent to', async () => {
  serve(newBuild)
  await keep(newBuild, 'page')
  const stored = await device().cache('hansom-pages').match('/bookings')
  expect(await stored?.text()).not.toContain('sent with the page')
})

it('file that the page loaded -> without a request; one that it did not load -> from the server', async () => {
  serve(newBuild, '/assets/a.js', '/assets/b.js')
  await keep(newBuild, 'page', '/assets/a.js')
  device().heard = []
  expect(await textOf('/assets/a.js')).toBe('/assets/a.js')
  expect(device().heard).toEqual([])
  expect(await textOf('/assets/b.js')).toBe('/assets/b.js')
})

it('update while a trip is open -> its files stay until its page is closed', async () => {
  serve(oldBuild, '/assets/chat-old.js')
  device().windows = [openWindow('trip')]
  await keep(oldBuild, 'trip', '/assets/chat-old.js')
  serve(newBuild)
  device().windows = [openWindow('trip'), openWindow('second')]
  await keep(newBuild, 'second')
  expect(await textOf('/assets/chat-old.js')).toBe('/assets/chat-old.js')
  expect(shells()).toEqual(['hansom-shell-index-new.js', 'hansom-shell-index-old.js'])
  // The old page goes on to report to the worker of the new build.
  await keep(oldBuild, 'trip', '/assets/gone-old.js')
  expect(shells()).toHaveLength(2)

  device().windows = [openWindow('second')]
  await keep(newBuild, 'second')
  expect(shells()).toEqual(['hansom-shell-index-new.js'])
})

it('after an update -> opens with the new build once all its files are stored, until then with the old one', async () => {
  await saveState()
  serve(oldBuild)
  await keep(oldBuild, 'first')
  const builds = async () => {
    const sent = device().answers
    device().answers = {}
    const text = (await (await open('/trip/1'))?.text()) ?? ''
    device().answers = sent
    return [oldBuild, newBuild].filter((build) => text.includes(build))
  }
  serve(newBuild)
  // A page of the old build cannot store that of the new one.
  await keep(oldBuild, 'first')
  expect(await builds()).toEqual([oldBuild])
  await keep(newBuild, 'second', '/assets/not-yet.js')
  expect(await builds()).toEqual([oldBuild])
  expect(shells()).toHaveLength(2)
  serve(newBuild, '/assets/not-yet.js')
  await keep(newBuild, 'second', '/assets/not-yet.js')
  expect(await builds()).toEqual([newBuild])
  expect(shells()).toEqual(['hansom-shell-index-new.js'])
})

it('asset that the release removed -> its error is not stored', async () => {
  serve(newBuild)
  device().answers['/assets/gone.js'] = () => new Response('none', { status: 404 })
  await keep(newBuild, 'page', '/assets/gone.js')
  expect((await device().ask('/assets/gone.js'))?.status).toBe(404)
  device().answers['/assets/gone.js'] = () => new Response('back')
  expect(await textOf('/assets/gone.js')).toBe('back')
})

it('sign-out or sign-in -> everything stored is removed; refused -> kept', async () => {
  await saveState()
  device().answers['/api/auth/sign-out'] = () => new Response('no', { status: 500 })
  await device().ask('/api/auth/sign-out', { method: 'POST' })
  expect(device().stored.size).toBe(1)
  device().answers['/api/auth/sign-out'] = () => new Response('ok')
  await device().ask('/api/auth/sign-out', { method: 'POST' })
  expect(device().stored.size).toBe(0)
})
