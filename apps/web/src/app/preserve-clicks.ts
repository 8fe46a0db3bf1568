/** Maximum pointer movement between down and up that still counts as a press, CSS px. */
const slopPx = 12
const pressable = 'button, a[href], summary, label'

/**
 * Makes a press count for the control it started on, even if the layout shifts before the release: blurring a field may
 * show a message, an upload may finish. The browser would send such a click to a common ancestor, where it is lost.
 * Returns a function that stops it.
 */
export function preserveClicks(): () => void {
  let press: { control: HTMLElement; x: number; y: number } | null = null
  const onDown = ({ button, target, clientX, clientY }: MouseEvent) => {
    const control = button === 0 && target instanceof Element && target.closest<HTMLElement>(pressable)
    press = control ? { control, x: clientX, y: clientY } : null
  }
  const onUp = ({ button, target, clientX, clientY }: MouseEvent) => {
    const begun = press
    press = null
    if (!begun || button !== 0 || !(target instanceof Node)) return
    const { control, x, y } = begun
    if (!control.isConnected || control.contains(target)) return
    if (Math.hypot(clientX - x, clientY - y) > slopPx) return
    document.addEventListener('click', swallow, true)
    setTimeout(() => {
      document.removeEventListener('click', swallow, true)
      control.click()
    })
  }
  document.addEventListener('mousedown', onDown, true)
  document.addEventListener('mouseup', onUp, true)
  return () => {
    document.removeEventListener('mousedown', onDown, true)
    document.removeEventListener('mouseup', onUp, true)
  }
}

/** Swallows the browser's own click on the ancestor. */
function swallow(event: Event): void {
  event.stopPropagation()
  event.preventDefault()
}
