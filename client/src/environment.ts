/** Returns an environment variable. Returns undefined in browsers, which have none, and in Deno without permission. */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  try {
    return process?.env?.[name] || undefined
  } catch {
    return undefined
  }
}

/** Returns a random id. `crypto.randomUUID` does not exist in pages that were loaded without HTTPS. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
