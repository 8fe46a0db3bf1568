import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/vazirmatn/wght.css'
import './app/tokens.css'
// Loads React first and alone: yielding in between lets a slow phone paint and take input.
import 'react-dom/client'
import { showStartFailed } from './app/start-failed.ts'

await new Promise<void>((resume) => setTimeout(resume))
try {
  const { begin } = await import('./app/begin.tsx')
  await begin()
} catch (error) {
  window.earlyPress?.end()
  showStartFailed()
  throw error
}
