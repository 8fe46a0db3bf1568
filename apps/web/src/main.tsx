import './app/styles.ts'
// Alone, before all else: a slow phone paints and takes what is typed between two pieces of work, not within one.
import 'react-dom/client'
import { sayStartFailed } from './app/start-failed.ts'

await new Promise<void>((resume) => setTimeout(resume))
try {
  const { begin } = await import('./app/begin.tsx')
  await begin()
} catch (error) {
  window.earlyPress?.end()
  sayStartFailed()
  throw error
}
