import './app/styles.ts'
// Alone, before all else: a slow phone paints and takes what is typed between two pieces of work, not within one.
import 'react-dom/client'

await new Promise<void>((resume) => setTimeout(resume))
try {
  const { begin } = await import('./app/begin.tsx')
  await begin()
} catch (error) {
  // The prerendered page stays: its links lead on, and its form asks for the page again.
  window.earlyPress?.end()
  throw error
}
