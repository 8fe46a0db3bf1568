declare global {
  interface Window {
    /** The last button pressed before the app started, until `end` is called (public/early-press.js). */
    earlyPress?: { button: HTMLButtonElement | null; end(): void }
  }
}

interface Pressed {
  name: string
  /** Index among the controls of that name. */
  place: number
}

interface Focused extends Pressed {
  tagName: string
}

interface Typed {
  name: string
  value: string
  focused: boolean
}

type Field = HTMLInputElement | HTMLSelectElement
const fields = 'input[name], select[name]'

const setValue =
  typeof HTMLInputElement === 'undefined'
    ? undefined
    : Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set

/** Reads what the user typed or selected in the prerendered page, and which field has the focus. */
export function readTyped(root: HTMLElement): Typed[] {
  return Array.from(root.querySelectorAll<Field>(fields))
    .map((field) => ({
      name: field.name,
      value: newValueOf(field),
      focused: field === document.activeElement,
    }))
    .filter(({ value, focused }) => value !== '' || focused)
}

/** Empty if nothing was typed or selected. */
function newValueOf(field: Field): string {
  if (field instanceof HTMLInputElement) return field.value
  return field.querySelector<HTMLOptionElement>('option[selected]')?.value === field.value ? '' : field.value
}

/** Restores the typed values in the page that replaced the prerendered one. */
export function restoreTyped(root: HTMLElement, typed: readonly Typed[]): void {
  for (const { name, value, focused } of typed) {
    const field = root.querySelector<Field>(`:is(${fields})[name="${CSS.escape(name)}"]`)
    if (!field) continue
    if (focused) field.focus({ preventScroll: true })
    if (value === '' || value === field.value || !takes(field, value)) continue
    const isInput = field instanceof HTMLInputElement
    if (isInput) setValue?.call(field, value)
    else field.value = value
    field.dispatchEvent(new Event(isInput ? 'input' : 'change', { bubbles: true }))
  }
}

/** A select accepts only its own options. */
const takes = (field: Field, value: string) =>
  field instanceof HTMLInputElement || Array.from(field.options).some((option) => option.value === value)

/** The focused link, button or select; null if nothing has the focus or `readTyped` covers the focused field. */
export function readFocused(root: HTMLElement): Focused | null {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !root.contains(focused)) return null
  if (focused.matches(fields)) return null
  const { tagName } = focused
  const name = nameOf(focused)
  return { tagName, name, place: namesakes(root, tagName, name).indexOf(focused) }
}

/** Restores the focus in the new page. */
export function restoreFocus(root: HTMLElement, focused: Focused | null): void {
  if (focused === null) return
  namesakes(root, focused.tagName, focused.name)[focused.place]?.focus({ preventScroll: true })
}

/**
 * The last button pressed in the prerendered page. Stops the early listener; from here the new page handles presses.
 */
export function readPressed(root: HTMLElement): Pressed | null {
  const { earlyPress } = window
  earlyPress?.end()
  const button = earlyPress?.button
  if (!button || !root.contains(button)) return null
  const name = nameOf(button)
  return { name, place: namesakes(root, 'button', name).indexOf(button) }
}

/** Replays the press in the new page. */
export function replayPress(root: HTMLElement, pressed: Pressed | null): void {
  if (pressed) namesakes(root, 'button', pressed.name)[pressed.place]?.click()
}

const nameOf = (control: HTMLElement) =>
  control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''

const namesakes = (root: HTMLElement, tagName: string, name: string) =>
  Array.from(root.querySelectorAll<HTMLElement>(tagName)).filter((control) => nameOf(control) === name)
