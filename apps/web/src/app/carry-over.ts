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
