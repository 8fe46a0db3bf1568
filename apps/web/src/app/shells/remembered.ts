import { useEffect, useState, type Dispatch, type SetStateAction } from 'react'

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** State that this browser keeps for the next visit. What was stored counts only while `fits` says so. */
export function useRemembered<Value>(
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
      // Storage is closed to us: it holds for this page.
    }
  }, [key, value])
  return [value, setValue]
}
