import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** The lamp: ten steps around the one accent. */
const lamp: MantineColorsTuple = [
  '#fff7e5',
  '#ffedc9',
  '#ffdd99',
  '#ffcd66',
  '#ffc041',
  '#ffb320',
  '#f3a200',
  '#b87900',
  '#7a4f00',
  '#4a3000',
]

/** Mantine's parts in Hansom's look; sizes and colours come from tokens.css. */
export const theme = createTheme({
  primaryColor: 'lamp',
  primaryShade: 5,
  autoContrast: true,
  colors: { lamp },
  fontFamily: 'var(--h-font)',
  headings: { fontFamily: 'var(--h-font)', fontWeight: '640' },
  defaultRadius: 'md',
  radius: { xs: '6px', sm: '8px', md: '12px', lg: '18px', xl: '26px' },
  fontSizes: {
    xs: 'var(--h-t-xs)',
    sm: 'var(--h-t-s)',
    md: 'var(--h-t-m)',
    lg: 'var(--h-t-l)',
    xl: 'var(--h-t-xl)',
  },
  shadows: {
    xs: 'var(--h-shadow-1)',
    sm: 'var(--h-shadow-1)',
    md: 'var(--h-shadow-2)',
    lg: 'var(--h-shadow-2)',
    xl: 'var(--h-shadow-2)',
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusClassName: 'h-focus',
})

const shared = {
  '--mantine-color-body': 'var(--h-canvas)',
  '--mantine-color-text': 'var(--h-ink)',
  '--mantine-color-dimmed': 'var(--h-ink-2)',
  '--mantine-color-placeholder': 'var(--h-ink-3)',
  '--mantine-color-default': 'var(--h-surface)',
  '--mantine-color-default-hover': 'var(--h-hover)',
  '--mantine-color-default-color': 'var(--h-ink)',
  '--mantine-color-default-border': 'var(--h-line)',
  '--mantine-color-error': 'var(--h-danger)',
  '--mantine-color-anchor': 'var(--h-ink)',
}

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared })
