import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillSignIn } from './harness/accounts.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs the start command until it exits, or until SIGTERM once it has printed `stopAt`. */
function runStart(
  env: Record<string, string>,
  stopAt?: string,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['scripts/start.mjs'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (text) => {
      output += String(text)
      if (stopAt !== undefined && output.includes(stopAt)) child.kill('SIGTERM')
    })
    child.stderr.on('data', (text) => (output += String(text)))
    child.once('exit', (code) => resolve({ code, output }))
  })
}

describe('production service', () => {
  let server: RunningServer
  let browser: Browser

  beforeAll(async () => {
    server = await startServer({ NODE_ENV: 'production' })
    browser = await openBrowser()
  }, 300_000)

  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  it('first start -> the first admin is created by the printed link, once', async () => {
    const link = /first admin[^\n]*?(http\S+\/setup\S+)/.exec(server.output())?.[1] ?? ''
    expect(link).toContain('/setup?token=')
    const { context, page, problems } = await openWindow(browser, { url: server.url })
    try {
      await page.goto('/login')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await page.getByText('This is a demo').count()).toBe(0)

      await page.goto(link)
      await page.getByRole('heading', { name: 'Montevideo' }).waitFor(patience)
      for (const fact of ['Uruguay', 'America/Montevideo', 'Uruguayan Peso (\u2068UYU, $\u2069)', 'Spanish'])
        await page.getByText(fact, { exact: true }).first().waitFor(patience)
      await takePicture(page, 'setup-0-city')
      await page.getByText('Use another city').click()
      await page.getByRole('link', { name: 'download.geofabrik.de' }).waitFor(patience)
      const folder = `DATA_DIR=${server.dataDir}`
      await page.getByText(`${folder} npm run maps:import -- city.osm.pbf`).waitFor(patience)
      await page.getByText(`${folder} npm run maps:use -- city`).waitFor(patience)
      await takePicture(page, 'setup-0-other-city', true)
      await page.getByRole('button', { name: 'Continue with Montevideo' }).click()
      await page.getByRole('textbox', { name: 'First name' }).fill('Marta')
      await page.getByRole('textbox', { name: 'Last name' }).fill('Sosa')
      await page.getByRole('textbox', { name: 'Email' }).fill('marta@taxi.example')
      await page.getByRole('textbox', { name: 'Password' }).fill('GoodRide2026')
      await takePicture(page, 'setup-1-open')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.waitForURL((url) => url.pathname !== '/setup')
      await takePicture(page, 'setup-2-done')

      await page.goto('/bookings')
      await page.getByRole('button', { name: 'My account' }).click()
      await page.getByRole('dialog').getByText('marta@taxi.example').waitFor(patience)
      await page.goto(link)
      await page.getByText('Setup is complete').waitFor(patience)
      await takePicture(page, 'setup-3-closed')
      expect(problems).toEqual([])
    } finally {
      await context.close()
    }

    const { city } = (await (await fetch(`${server.url}/api/v1/setup${new URL(link).search}`)).json()) as {
      city: unknown
    }
    expect(city).toBeNull()
    const second = await fetch(`${server.url}/api/v1/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        firstName: 'Eve',
        lastName: 'Late',
        email: 'eve@taxi.example',
        password: 'GoodRide2026',
        token: new URL(link).searchParams.get('token'),
      }),
    })
    expect(second.status).toBeGreaterThanOrEqual(400)
    expect(second.status).toBeLessThan(500)
  })

  it('new admin -> signs in with the chosen password', async () => {
    const { context, page, problems } = await openWindow(browser, { url: server.url, phone: true })
    try {
      await page.goto('/login')
      await fillSignIn(page, 'marta@taxi.example', 'GoodRide2026')
      await page.waitForURL((url) => url.pathname !== '/login')
      expect(problems).toEqual([])
    } finally {
      await context.close()
    }
  })

  it('second server on the same data -> stands by and names the first', async () => {
    const env = { NODE_ENV: 'production', PORT: '0', DATA_DIR: server.dataDir }
    const { code, output } = await runStart(env, 'standing by')
    expect(code).toBe(0)
    expect(output).toContain(`hansom process ${server.pid} `)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })

  it('SIGTERM -> stops cleanly and keeps its data', async () => {
    await server.stop()
    expect(server.exitCode()).toBe(0)
    await server.restart()
    expect(server.output().match(/first admin/g)).toHaveLength(1)
    const answer = await fetch(`${server.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify({ email: 'marta@taxi.example', password: 'GoodRide2026' }),
    })
    expect(answer.status).toBe(200)
  })
})

describe('demo', () => {
  it('HOST reachable by other machines -> refuses to start', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hansom-e2e-'))
    const { code, output } = await runStart({ HOST: '0.0.0.0', PORT: '0', DATA_DIR: dataDir })
    await rm(dataDir, { recursive: true, force: true })
    expect(code).toBe(1)
    expect(output).toContain('HOST is 0.0.0.0')
    expect(output).not.toContain('Hansom is ready')
  })
})
