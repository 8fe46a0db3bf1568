import fastify from 'fastify'
import { expect, test } from 'vitest'
import { mountOpenApi } from './openapi.ts'

test('OpenAPI -> describes the contract', async () => {
  const server = fastify()
  mountOpenApi(server)
  const document = (await server.inject({ url: '/openapi.json' })).json()
  expect(document.openapi).toBe('3.1.1')
  expect(
    document.paths['/googleapis-getroute'].post.responses.default.content['application/json'],
  ).toBeDefined()
})
