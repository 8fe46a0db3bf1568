let known: boolean | undefined

/** Whether this browser can draw the map. Probed once, because creating a context is expensive. */
export function hasWebGl(): boolean {
  known ??= probe()
  return known
}

function probe(): boolean {
  try {
    const context = document.createElement('canvas').getContext('webgl2')
    context?.getExtension('WEBGL_lose_context')?.loseContext()
    return context !== null
  } catch {
    return false
  }
}
