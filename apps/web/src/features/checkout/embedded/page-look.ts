/** The page's current colors and fonts, as values that another document can use. */
export interface PageLook {
  surface: string
  text: string
  faint: string
  accent: string
  onAccent: string
  danger: string
  fontFamily: string
}

/** Reads the look at `host`: a provider's frames inherit no styles and no CSS variables. */
export function pageLook(host: HTMLElement): PageLook {
  const probe = host.appendChild(document.createElement('span'))
  const colour = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const look = {
    surface: colour('--h-surface'),
    text: colour('--h-ink'),
    faint: colour('--h-ink-3'),
    accent: colour('--h-accent'),
    onAccent: colour('--h-on-accent'),
    danger: colour('--h-danger'),
    fontFamily: getComputedStyle(probe).fontFamily,
  }
  probe.remove()
  return look
}
