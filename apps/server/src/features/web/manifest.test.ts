import fastify from 'fastify'
import { expect, test } from 'vitest'
import { mountManifest } from './web-build.ts'

test('manifest -> the name of the settings, and icons for every launcher', async () => {
  const server = fastify()
  mountManifest(server, { current: async () => ({ appName: 'Fast "Parcels"' }) })
  const answer = await server.inject({ url: '/manifest.webmanifest' })
  expect(answer.headers['content-type']).toContain('application/manifest+json')
  const manifest = answer.json()
  expect(manifest).toMatchObject({ name: 'Fast "Parcels"', start_url: '/', display: 'standalone' })
  expect(manifest.icons.map(({ src, purpose }: { src: string; purpose: string }) => [src, purpose])).toEqual([
    ['/icons/192.png', 'any'],
    ['/icons/512.png', 'any'],
    ['/icons/maskable-512.png', 'maskable'],
  ])
})
