import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** State persisted in localStorage. A stored value is used only if it passes `fits`. */
export function useStoredState<Value>(
  key: string,
  first: Value,
  fits: (stored: unknown) => stored is Value,
): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState(() => {
    const stored = read(key)
    return fits(stored) ? stored : first
  })
  useEffect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(value))
    } catch {
      // Storage is unavailable: the value lasts until the page is closed.
    }
  }, [key, value])
  return [value, setValue]
}
