import { useNavigate, useSearch } from '@tanstack/react-router'

/** The person whose details are open; the id stands in the address. */
export function useOpenPerson(): [string | undefined, (id: string | undefined) => void] {
  const { open } = useSearch({ strict: false }) as { open?: unknown }
  const navigate = useNavigate()
  const show = (id: string | undefined) => {
    const search = (old: Record<string, unknown>) => ({ ...old, open: id })
    void navigate({ to: '.', search, replace: id === undefined, resetScroll: false } as never)
  }
  return [typeof open === 'string' ? open : undefined, show]
}
