import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups } from './scripts/chunk-groups.ts'
import { contractModule, serviceWorker, siteTextsModule } from './scripts/virtual-modules.ts'

const server = process.env.HANSOM_SERVER ?? 'http://127.0.0.1:8080'
const proxied = ['/api', '/tiles', '/fonts', '/openapi.json', '/healthz']

export default defineConfig(({ isSsrBuild }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), contractModule(), siteTextsModule(), ...(isSsrBuild ? [] : [serviceWorker()])],
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Fonts and images stay files, so that the content security policy does not need `data:`.
    assetsInlineLimit: 0,
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    chunkSizeWarningLimit: 1200,
    ...(isSsrBuild ? {} : { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } } }),
  },
  ssr: { noExternal: true },
  server: {
    host: '127.0.0.1',
    proxy: {
      ...Object.fromEntries(proxied.map((path) => [path, { target: server }])),
      '/live': { target: server, ws: true },
    },
  },
}))
