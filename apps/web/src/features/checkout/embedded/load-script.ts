import { EmbeddedUnreachable } from './port.ts'

const loading = new Map<string, Promise<void>>()

/**
 * Loads a script into the page once, however many callers request it. Rejects with EmbeddedUnreachable; a later call
 * retries.
 */
export function loadScript(address: string): Promise<void> {
  const known = loading.get(address)
  if (known) return known
  const promise = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.onload = () => resolve()
    script.onerror = () => {
      loading.delete(address)
      script.remove()
      reject(new EmbeddedUnreachable())
    }
    document.head.append(script)
  })
  loading.set(address, promise)
  return promise
}
