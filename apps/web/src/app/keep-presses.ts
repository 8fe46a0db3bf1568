/** A pointer may move this far between down and up and still press what it went down on, CSS px. */
const slopPx = 12
const pressable = 'button, a[href], summary, label'

/**
 * Makes a press count for the control it began on, even if the page moves under the pointer before its release: a field
 * that loses the focus may show a message, an upload may end. The browser sends such a click to a common ancestor, where it is
 * lost. Returns a function that stops it.
 */
export function keepPresses(): () => void {
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

/** The browser's own click, at the ancestor. */
function swallow(event: Event): void {
  event.stopPropagation()
  event.preventDefault()
}
