import { useSyncExternalStore } from 'react'

const name = 'winnow-key'
const listeners = new Set<() => void>()

/** The key of the caller. It stays in this browser and is sent to this service alone. */
export function currentKey(): string | undefined {
  return localStorage.getItem(name) ?? undefined
}

export function setKey(key: string | undefined): void {
  if (key === undefined) localStorage.removeItem(name)
  else localStorage.setItem(name, key)
  for (const listener of listeners) listener()
}

export function useKey(): string | undefined {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentKey)
}
