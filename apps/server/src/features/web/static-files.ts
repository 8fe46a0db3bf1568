import { sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { WebBuild } from './web-build.ts'

/** Serves the build's files other than pages; those with a hash in their name are cached forever. */
export async function mountStaticFiles(server: FastifyInstance, build: WebBuild): Promise<void> {
  await server.register(fastifyStatic, {
    root: build.folder,
    wildcard: false,
    index: false,
    globIgnore: ['**/*.html', '**/*.br', '**/*.gz', '.vite/**'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes(`${sep}assets${sep}`)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
    },
  })
}
