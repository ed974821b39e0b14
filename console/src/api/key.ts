import { useSyncExternalStore } from 'react'

const storageKey = 'winnow-key'
const listeners = new Set<() => void>()

/** Returns the API key. It is stored in this browser and is sent only to this service. */
export function getKey(): string | undefined {
  return localStorage.getItem(storageKey) ?? undefined
}

export function setKey(key: string | undefined): void {
  if (key === undefined) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, key)
  for (const listener of listeners) listener()
}

export function useKey(): string | undefined {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, getKey)
}
