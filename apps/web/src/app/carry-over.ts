declare global {
  interface Window {
    /** What was pressed last before the page was alive, until `end` is called (public/early-press.js). */
    earlyPress?: { button: HTMLButtonElement | null; end(): void }
  }
}

interface Pressed {
  name: string
  /** Which of the buttons of that name. */
  place: number
}

interface Typed {
  name: string
  value: string
  focused: boolean
}

const setValue =
  typeof HTMLInputElement === 'undefined'
    ? undefined
    : Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set

/** What a person has typed into the prerendered page, and where the focus is. */
export function readTyped(root: HTMLElement): Typed[] {
  return Array.from(root.querySelectorAll<HTMLInputElement>('input[name]'))
    .map((input) => ({ name: input.name, value: input.value, focused: input === document.activeElement }))
    .filter(({ value, focused }) => value !== '' || focused)
}

/** Types it again into the page that took its place, so that nothing a person did is lost. */
export function typeAgain(root: HTMLElement, typed: readonly Typed[]): void {
  for (const { name, value, focused } of typed) {
    const input = root.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`)
    if (!input) continue
    if (focused) input.focus()
    if (value === '' || value === input.value) continue
    setValue?.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** What a person has pressed last in the prerendered page; from then on the page itself listens. */
export function readPressed(root: HTMLElement): Pressed | null {
  const { earlyPress } = window
  earlyPress?.end()
  const button = earlyPress?.button
  if (!button || !root.contains(button)) return null
  const name = nameOf(button)
  return { name, place: buttonsNamed(root, name).indexOf(button) }
}

/** Presses it in the page that took its place. */
export function pressAgain(root: HTMLElement, pressed: Pressed | null): void {
  if (pressed) buttonsNamed(root, pressed.name)[pressed.place]?.click()
}

const nameOf = (button: HTMLButtonElement) =>
  button.getAttribute('aria-label') ?? button.textContent?.trim() ?? ''

const buttonsNamed = (root: HTMLElement, name: string) =>
  Array.from(root.querySelectorAll('button')).filter((button) => nameOf(button) === name)
