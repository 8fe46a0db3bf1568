import { useSearchParams } from '../../../lib/search-params.ts'

/** The id of the user whose details are open, from the URL, and a function that opens another or none. */
export function useOpenPerson(): [string | undefined, (id: string | undefined) => void] {
  const [{ open }, change] = useSearchParams()
  return [open, (id) => change(() => ({ open: id }), { push: id !== undefined })]
}
