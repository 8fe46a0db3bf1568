declare global {
  interface Window {
    /** What was pressed last before the page was alive, until `end` is called (public/early-press.js). */
    earlyPress?: { button: HTMLButtonElement | null; end(): void }
  }
}

interface Pressed {
  name: string
  /** Which of those of that name. */
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

/** What a person has typed into the prerendered page or chosen from a list, and where the focus is. */
export function readTyped(root: HTMLElement): Typed[] {
  return Array.from(root.querySelectorAll<Field>(fields))
    .map((field) => ({
      name: field.name,
      value: newValueOf(field),
      focused: field === document.activeElement,
    }))
    .filter(({ value, focused }) => value !== '' || focused)
}

/** Empty if nothing was typed or chosen. */
function newValueOf(field: Field): string {
  if (field instanceof HTMLInputElement) return field.value
  return field.querySelector<HTMLOptionElement>('option[selected]')?.value === field.value ? '' : field.value
}

/** Types it again into the page that took its place, so that nothing a person did is lost. */
export function typeAgain(root: HTMLElement, typed: readonly Typed[]): void {
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

/** A list takes only what it has. */
const takes = (field: Field, value: string) =>
  field instanceof HTMLInputElement || Array.from(field.options).some((option) => option.value === value)

/** The link, button or list that has the focus; null where that is a field that `readTyped` knows, or nothing. */
export function readFocused(root: HTMLElement): Focused | null {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !root.contains(focused)) return null
  if (focused.matches(fields)) return null
  const { tagName } = focused
  const name = nameOf(focused)
  return { tagName, name, place: namesakes(root, tagName, name).indexOf(focused) }
}

/** Gives it the focus in the page that took its place. */
export function focusAgain(root: HTMLElement, focused: Focused | null): void {
  if (focused === null) return
  namesakes(root, focused.tagName, focused.name)[focused.place]?.focus({ preventScroll: true })
}

/** What a person has pressed last in the prerendered page; from then on the page itself listens. */
export function readPressed(root: HTMLElement): Pressed | null {
  const { earlyPress } = window
  earlyPress?.end()
  const button = earlyPress?.button
  if (!button || !root.contains(button)) return null
  const name = nameOf(button)
  return { name, place: namesakes(root, 'button', name).indexOf(button) }
}

/** Presses it in the page that took its place. */
export function pressAgain(root: HTMLElement, pressed: Pressed | null): void {
  if (pressed) namesakes(root, 'button', pressed.name)[pressed.place]?.click()
}

const nameOf = (control: HTMLElement) =>
  control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''

const namesakes = (root: HTMLElement, tagName: string, name: string) =>
  Array.from(root.querySelectorAll<HTMLElement>(tagName)).filter((control) => nameOf(control) === name)
