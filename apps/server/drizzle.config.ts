import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/features/**/table.ts', './src/platform/*/table.ts'],
  out: './migrations',
})
